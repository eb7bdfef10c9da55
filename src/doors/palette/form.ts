import type { Tool } from "../../core/contract.js";
import { describeValue } from "../../core/pipeline/issues.js";
import { isRecord, type JsonSchemaProperty } from "../../core/jsonSchema.js";
import { clipStart, oneLine } from "../../text/clip.js";
import { coerce } from "../../core/pipeline/coerce.js";

/** Characters of a value in its row. */
const MAX_SHOWN = 200;

/** How a field is filled in. */
type FieldKind = "text" | "choice" | "toggle" | "json";

/** One field of a tool's form. */
export interface FormField {
  name: string;
  kind: FieldKind;
  required: boolean;
  description: string;
  /** The values to choose from, for `choice`. */
  choices: readonly string[];
  property: JsonSchemaProperty;
}

/** The fields of a tool, required ones first, each part in the order of the schema. */
export function formFields(tool: Tool): FormField[] {
  const required = new Set(tool.inputSchema.required ?? []);
  const fields = Object.entries(tool.inputSchema.properties).map(([name, property]) => ({
    name,
    kind: kindOf(property),
    required: required.has(name),
    description: property.description ?? "",
    choices: (property.enum ?? []).map(String),
    property,
  }));
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/**
 * What a typed text means for a field; undefined for an optional field left empty.
 *
 * A text that is no number stays a text, so that validation says what is wrong with it.
 */
export function fieldValue(field: FormField, typed: string): unknown {
  return typed === "" && !(field.required && field.kind === "text") ? undefined : coerce(typed, field.property);
}

/** The text that a value is edited as. */
export function editableText(value: unknown): string {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** What is wrong with one field of an input, in the words of every other door; undefined when nothing is. */
export function fieldProblem(tool: Tool, values: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const parsed = tool.parse(given(values));
  const issue = parsed.ok
    ? undefined
    : parsed.issues.find(({ path }) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`));
  return issue && `${issue.path}: ${issue.message}`;
}

/** Everything that keeps the form from being sent. */
export function formProblems(tool: Tool, values: Readonly<Record<string, unknown>>): string[] {
  const parsed = tool.parse(given(values));
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
}

/** The input as it is sent: without the fields left empty. */
export function given(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** A field's value as its row shows it. */
export function shownValue(field: FormField, value: unknown): string {
  if (value === undefined) {
    return field.required ? "required" : "";
  }
  return isRecord(value) || Array.isArray(value)
    ? describeValue(value)
    : clipStart(oneLine(editableText(value)), MAX_SHOWN);
}

/** The next state of a switch: on, off, then left to the tool's default. */
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
