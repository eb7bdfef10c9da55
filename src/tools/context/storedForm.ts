import { isRecord } from "../../core/jsonSchema.js";
import { jsonParts } from "../../text/jsonParts.js";

/** `payload`: the result's one payload field; `envelope`: all of its data; `text`: what a model would read. */
export type StoredForm = "payload" | "envelope" | "text";

/** A result in the form in which it is stored. */
export interface FormedResult {
  stored: StoredForm;
  content: Iterable<string>;
  /** The shape of a JSON document on one line, so that it can be queried without being read. */
  shape: string | undefined;
}

/** Fields about how a call went rather than about its result. */
const STATE_FIELDS: ReadonlySet<string> = new Set(["is_error", "hint", "next_action_hint"]);
/** Maximum number of fields listed per object. */
const MAX_FIELDS = 12;

/**
 * Decides what to store of a result. Data becomes JSON, and its single payload field is unwrapped if it is an object or
 * array, or JSON text of one: expressions then start at the requested data. A plain text field stays in its envelope.
 *
 * @param text the tool's text for a model; stored if there is no data
 */
export function formResult({ text, data }: { text: string; data?: unknown }): FormedResult {
  if (data === undefined) {
    return { stored: "text", content: [text], shape: undefined };
  }
  const payload = singlePayload(data);
  const nested = typeof payload === "string" ? nestedIn(payload) : undefined;
  if (typeof payload === "string" && nested !== undefined) {
    // Unchanged: parsing and formatting it again would alter large numbers.
    return { stored: "payload", content: [payload], shape: shapeOf(nested) };
  }
  if (isNested(payload)) {
    return { stored: "payload", content: jsonParts(payload), shape: shapeOf(payload) };
  }
  return { stored: "envelope", content: jsonParts(data), shape: shapeOf(data) };
}

function singlePayload(data: unknown): unknown {
  const fields = isRecord(data)
    ? Object.entries(data).filter(([name, value]) => !STATE_FIELDS.has(name) && value !== undefined)
    : [];
  return fields.length === 1 ? fields[0]?.[1] : undefined;
}

function nestedIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNested(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Describes a value's shape: `an object: matches (array of 12), partial (boolean)`. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    return `an array of ${value.length}${isRecord(first) ? `; the first is ${shapeOf(first)}` : ""}`;
  }
  if (!isRecord(value)) {
    return kindOf(value);
  }
  const fields = Object.entries(value).map(([name, field]) => `${name} (${kindOf(field)})`);
  const rest = fields.length - MAX_FIELDS;
  return `an object: ${[...fields.slice(0, MAX_FIELDS), ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}`;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? `array of ${value.length}` : value === null ? "null" : typeof value;
}
