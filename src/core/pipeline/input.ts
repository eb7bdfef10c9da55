import { shorten } from "../../text/clip.js";
import type { InputIssue, Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import { describeValue, tellIssues } from "./issues.js";
import { isRecord } from "../jsonSchema.js";

/** Maximum length of the list of fields, in characters: external tools may have hundreds of fields. */
const MAX_FIELDS = 1_200;
/**
 * Maximum nesting of an input: honest ones are not nested deeper; validators and JSON.stringify recurse, and overflow
 * the stack at some thousand levels.
 */
const MAX_DEPTH = 200;

/**
 * Turns what a caller sent into the tool's input: other systems' field names become ours, then the schema decides.
 *
 * Throws `invalid_input` that names every problem together and lists the existing fields: the same text at every door.
 */
export function parseInput(tool: Tool, raw: unknown): Record<string, unknown> {
  if (!isRecord(raw)) {
    throw invalidInput(tool, [{ path: "", message: `input must be an object, got ${describeValue(raw)}` }]);
  }
  if (isDeeperThan(raw, MAX_DEPTH)) {
    throw invalidInput(tool, [{ path: "", message: `input is nested deeper than ${MAX_DEPTH} levels` }]);
  }
  const { fields, issues } = resolveAliases(tool, raw);
  const parsed = tool.parse(fields);
  if (parsed.ok && issues.length === 0) {
    return parsed.input;
  }
  throw invalidInput(tool, [...issues, ...(parsed.ok ? [] : parsed.issues)]);
}

function resolveAliases(
  tool: Tool,
  raw: Record<string, unknown>,
): { fields: Record<string, unknown>; issues: InputIssue[] } {
  const fields: Record<string, unknown> = {};
  const issues: InputIssue[] = [];
  const given = new Map<string, string>();
  for (const [key, value] of Object.entries(raw)) {
    // As in JSON, an undefined field does not exist.
    if (value === undefined) {
      continue;
    }
    const name = Object.hasOwn(tool.aliases, key) ? (tool.aliases[key] ?? key) : key;
    const earlier = given.get(name);
    if (earlier !== undefined && !sameValue(fields[name], value)) {
      issues.push({ path: name, message: `given twice, as ${earlier} and ${key}, with different values` });
      continue;
    }
    given.set(name, key);
    // Not an assignment: `__proto__` is an ordinary field here, and an unknown one.
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return { fields, issues };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1)))
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function invalidInput(tool: Tool, issues: readonly InputIssue[]): ToolError {
  const text = tellIssues(issues);
  return new ToolError("invalid_input", `${tool.name}: ${text}${text.endsWith("?") ? "" : "."}`, describeFields(tool));
}

function describeFields(tool: Tool): string {
  const required = tool.inputSchema.required ?? [];
  const fields = Object.entries(tool.inputSchema.properties).map(([name, property]) => {
    const type = property.enum ? property.enum.map(String).join("|") : [property.type].flat().join("|") || "any";
    return `${name} (${type}${required.includes(name) ? ", required" : ""})`;
  });
  return fields.length > 0
    ? `Fields of ${tool.name}: ${shorten(fields.join(", "), MAX_FIELDS)}.`
    : `${tool.name} takes no fields: send {}.`;
}
