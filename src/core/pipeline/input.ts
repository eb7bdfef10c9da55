import { shorten } from "../../text/clip.js";
import type { InputIssue, Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import { coerceFields } from "./coerce.js";
import { describeValue, tellIssues } from "./issues.js";
import { isRecord, type JsonSchemaProperty } from "../jsonSchema.js";
import { partCall } from "../toolParts.js";
import { resolveAliases, type Resolved } from "./resolveAliases.js";

/** Maximum length of the list of fields, in characters: external tools may have hundreds of fields. */
const MAX_FIELDS = 1_200;
/**
 * Maximum nesting of an input: honest ones are not nested deeper; validators and JSON.stringify recurse, and overflow
 * the stack at some thousand levels.
 */
const MAX_DEPTH = 200;

/** A tool's input, and how it was understood where the caller could not know it. */
export interface Understood {
  input: Record<string, unknown>;
  /** Sentences for the caller. */
  notes: string[];
}

/**
 * Turns what a caller sent into the tool's input: other systems' fields become ours, values of another type that mean
 * the same are converted, then the schema decides.
 *
 * Throws `invalid_input` that names every problem together and lists the existing fields, or only names the call to make
 * instead: the same text at every door.
 */
export function understandInput(tool: Tool, raw: unknown): Understood {
  if (!isRecord(raw)) {
    throw invalidInput(tool, [{ path: "", message: `input must be an object, got ${describeValue(raw)}` }]);
  }
  if (isDeeperThan(raw, MAX_DEPTH)) {
    throw invalidInput(tool, [{ path: "", message: `input is nested deeper than ${MAX_DEPTH} levels` }]);
  }
  const read = resolveAliases(tool.aliases, raw);
  const call = partCall(tool, read.fields);
  if (call === undefined) {
    const { input, issues } = parseFields(tool, read);
    if (input === undefined) {
      throw invalidInput(tool, issues);
    }
    return { input, notes: read.notes };
  }
  const { chosenBy, tool: own } = call.part;
  const ofPart = resolveAliases(own.aliases, withoutEmpty(call.input, own, tool));
  const { input, issues } = parseFields(own, { ...ofPart, issues: [...read.issues, ...ofPart.issues] });
  if (input === undefined) {
    const choice = Object.entries(chosenBy).map(([field, value]) => `${field}=${value}`);
    const { name } = tool;
    throw invalidInput({ name, inputSchema: own.inputSchema }, issues, `${name} with ${choice.join(", ")}`);
  }
  return { input: { ...chosenBy, ...input }, notes: [...read.notes, ...ofPart.notes] };
}

/** Validates fields that have our names, and adds to the notes. Without input there are issues. */
function parseFields(
  tool: Tool,
  { fields, issues, notes }: Resolved,
): { input?: Record<string, unknown>; issues: InputIssue[] } {
  let parsed = tool.parse(fields);
  if (!parsed.ok) {
    // Only now: the schema is made on first use.
    const { properties, required = [] } = tool.inputSchema;
    const coerced = coerceFields(fields, properties, required, notes);
    // A string may hold JSON that is nested deeper than the input itself.
    parsed = isDeeperThan(coerced, MAX_DEPTH) ? parsed : tool.parse(coerced);
  }
  return parsed.ok && issues.length === 0
    ? { input: parsed.input, issues }
    : { issues: [...issues, ...(parsed.ok ? [] : parsed.issues.filter(isNew(issues)))] };
}

/** Leaves out what the schema says of a field that already has an issue. */
function isNew(issues: readonly InputIssue[]): (issue: InputIssue) => boolean {
  const told = new Set(issues.map(({ path }) => path));
  return ({ path }) => !told.has(path);
}

/** Leaves out fields that say nothing and that only other parts have: some models fill in every field of a schema. */
function withoutEmpty(fields: Readonly<Record<string, unknown>>, own: Tool, whole: Tool): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === null || value === "" || (Array.isArray(value) && value.length === 0);
  const isOwn = (field: string): boolean =>
    Object.hasOwn(own.aliases, field) || Object.hasOwn(own.inputSchema.properties, field);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => !isEmpty(value) || isOwn(field) || !Object.hasOwn(whole.inputSchema.properties, field),
    ),
  );
}

/** Does the same for callers that only need the input. */
export function parseInput(tool: Tool, raw: unknown): Record<string, unknown> {
  return understandInput(tool, raw).input;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1)))
  );
}

type Described = Pick<Tool, "name" | "inputSchema">;

/** @param called what takes the fields, for the hint */
function invalidInput(tool: Described, issues: readonly InputIssue[], called = tool.name): ToolError {
  const advice = issues.filter(({ isAdvice }) => isAdvice === true);
  const text = tellIssues(advice.length > 0 ? advice : issues);
  return new ToolError(
    "invalid_input",
    `${tool.name}: ${text}${text.endsWith("?") ? "" : "."}`,
    advice.length > 0 ? undefined : describeFields(tool, called),
  );
}

function describeFields(tool: Described, called: string): string {
  const required = tool.inputSchema.required ?? [];
  const fields = Object.entries(tool.inputSchema.properties).map(([name, property]) => {
    return `${name} (${describeType(property)}${required.includes(name) ? ", required" : ""})`;
  });
  return fields.length > 0
    ? `Fields of ${called}: ${shorten(fields.join(", "), MAX_FIELDS)}.`
    : `${called} takes no fields: send {}.`;
}

function describeType(property: JsonSchemaProperty): string {
  const entry = property.items?.["properties"];
  return property.enum
    ? property.enum.map(String).join("|")
    : property.type === "array" && isRecord(entry)
      ? `array of {${Object.keys(entry).join(", ")}}`
      : [property.type].flat().join("|") || "any";
}
