import type { InputIssue, Tool } from "../../core/contract.js";
import { describeValue } from "../../core/pipeline/issues.js";
import { isRecord, type JsonSchemaProperty } from "../../core/jsonSchema.js";
import { clipStart, oneLine } from "../../text/clip.js";
import { coerce } from "../../core/pipeline/coerce.js";

/** Maximum characters of a value in its row. */
const MAX_SHOWN = 200;

const ACRONYMS: ReadonlySet<string> = new Set(["id", "json", "url"]);

/** How the user fills in a field. */
type FieldKind = "text" | "choice" | "toggle" | "json";

/** One field of a tool's form. */
export interface FormField {
  name: string;
  /** Its name for people. */
  label: string;
  kind: FieldKind;
  required: boolean;
  description: string;
  /** The options of a `choice`. */
  choices: readonly string[];
  property: JsonSchemaProperty;
}

/** Returns the fields of a tool: required ones first, otherwise in the order of the schema. */
export function formFields(tool: Tool): FormField[] {
  const required = new Set(tool.inputSchema.required ?? []);
  const fields = Object.entries(tool.inputSchema.properties).map(([name, property]) => ({
    name,
    label: labelOf(name),
    kind: kindOf(property),
    required: required.has(name),
    description: property.description ?? "",
    choices: (property.enum ?? []).map(String),
    property,
  }));
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/**
 * Converts typed text to a field's value; undefined for an optional field left empty.
 *
 * Text that is not a number stays text, so that validation reports it.
 */
export function fieldValue(field: FormField, typed: string): unknown {
  return typed === "" && !(field.required && field.kind === "text") ? undefined : coerce(typed, field.property);
}

/** Returns the editable text of a value. */
export function editableText(value: unknown): string {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns the problem with one field of an input, for the person who fills it in; undefined if there is none. */
export function fieldProblem(tool: Tool, values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const parsed = tool.parse(given(values));
  const issue = parsed.ok
    ? undefined
    : parsed.issues.find(({ path }) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`));
  return issue && problemWords(tool, issue);
}

/** Returns all problems that keep the form from being submitted. */
export function formProblems(tool: Tool, values: Readonly<Record<string, unknown>>): string[] {
  const parsed = tool.parse(given(values));
  return parsed.ok ? [] : parsed.issues.map((issue) => problemWords(tool, issue));
}

/** Formats a problem with its field: `Time zone: …`, `Edits, item 1, path: …`. */
function problemWords({ inputSchema }: Tool, { path, message }: InputIssue): string {
  if (path === "") {
    return message;
  }
  const [name = ""] = /^[^[.]*/u.exec(path) ?? [];
  const inside = path
    .slice(name.length)
    .replaceAll(/\[(\d+)\]|\./gu, (_, index?: string) => (index === undefined ? ", " : `, item ${Number(index) + 1}`));
  const field = `${labelOf(name)}${inside}`;
  if (/^required \(/u.test(message)) {
    return `${field} is missing`;
  }
  const isOtherType = path === name && message.startsWith("expected ");
  const wanted = isOtherType ? wantedWords(inputSchema.properties[name] ?? {}) : undefined;
  return `${field}: ${wanted ?? message}`;
}

/** Says what to enter in place of a value that is of another type; undefined where any text is of the right one. */
function wantedWords({ type, minimum, maximum }: JsonSchemaProperty): string | undefined {
  switch (type) {
    case "number":
    case "integer": {
      // Without bounds of its own, an integer has those of JavaScript.
      const hasRange = [minimum, maximum].every(
        (bound) => typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER,
      );
      const range = hasRange ? ` from ${minimum as number} to ${maximum as number}` : "";
      return `enter a ${type === "integer" ? "whole " : ""}number${range}`;
    }
    case "array":
      return "enter a list in JSON, in square brackets";
    case "object":
      return "enter an object in JSON, in braces";
    default:
      return undefined;
  }
}

/** Returns a field's name for people: `time_zone` is `Time zone`. Names of users' own tools may be written otherwise. */
function labelOf(name: string): string {
  if (!/^[a-z]+(?:_[a-z]+)*$/u.test(name)) {
    return name;
  }
  const words = name.split("_").map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  const sentence = words.join(" ");
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
}

/** Returns the input without empty fields. */
export function given(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Formats a field's value for its row. */
export function shownValue(field: FormField, value: unknown): string {
  if (value === undefined) {
    return field.required ? "required" : "";
  }
  if (field.kind === "toggle") {
    return value === true ? "on" : "off";
  }
  return isRecord(value) || Array.isArray(value)
    ? describeValue(value)
    : clipStart(oneLine(editableText(value)), MAX_SHOWN);
}

/** Returns the next state of a toggle: on, off, then the tool's default. */
export function toggled(value: unknown): boolean | undefined {
  return value === undefined ? true : value === true ? false : undefined;
}

function kindOf(property: JsonSchemaProperty): FieldKind {
  if (property.enum !== undefined) {
    return "choice";
  }
  return property.type === "boolean"
    ? "toggle"
    : property.type === "array" || property.type === "object"
      ? "json"
      : "text";
}
