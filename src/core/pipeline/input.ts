import { shorten } from "../../text/clip.js";
import type { InputIssue, Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import { coerceFields } from "./coerce.js";
import { describeValue, tellIssues } from "./issues.js";
import { isRecord, type JsonSchemaProperty } from "../jsonSchema.js";
import { resolveAliases } from "./resolveAliases.js";

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
 * Throws `invalid_input` that names every problem together and lists the existing fields: the same text at every door.
 */
export function understandInput(tool: Tool, raw: unknown): Understood {
  if (!isRecord(raw)) {
    throw invalidInput(tool, [{ path: "", message: `input must be an object, got ${describeValue(raw)}` }]);
  }
  if (isDeeperThan(raw, MAX_DEPTH)) {
    throw invalidInput(tool, [{ path: "", message: `input is nested deeper than ${MAX_DEPTH} levels` }]);
  }
  const { fields, issues, notes } = resolveAliases(tool.aliases, raw);
  let parsed = tool.parse(fields);
  if (!parsed.ok) {
    // Only now: the schema is made on first use.
    const { properties, required = [] } = tool.inputSchema;
    const coerced = coerceFields(fields, properties, required, notes);
    // A string may hold JSON that is nested deeper than the input itself.
    parsed = isDeeperThan(coerced, MAX_DEPTH) ? parsed : tool.parse(coerced);
  }
  if (parsed.ok && issues.length === 0) {
    return { input: parsed.input, notes };
  }
  throw invalidInput(tool, [...issues, ...(parsed.ok ? [] : parsed.issues)]);
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

function invalidInput(tool: Tool, issues: readonly InputIssue[]): ToolError {
  const text = tellIssues(issues);
  return new ToolError("invalid_input", `${tool.name}: ${text}${text.endsWith("?") ? "" : "."}`, describeFields(tool));
}

function describeFields(tool: Tool): string {
  const required = tool.inputSchema.required ?? [];
  const fields = Object.entries(tool.inputSchema.properties).map(([name, property]) => {
    return `${name} (${describeType(property)}${required.includes(name) ? ", required" : ""})`;
  });
  return fields.length > 0
    ? `Fields of ${tool.name}: ${shorten(fields.join(", "), MAX_FIELDS)}.`
    : `${tool.name} takes no fields: send {}.`;
}

function describeType(property: JsonSchemaProperty): string {
  const entry = property.items?.["properties"];
  return property.enum
    ? property.enum.map(String).join("|")
    : property.type === "array" && isRecord(entry)
      ? `array of {${Object.keys(entry).join(", ")}}`
      : [property.type].flat().join("|") || "any";
}
