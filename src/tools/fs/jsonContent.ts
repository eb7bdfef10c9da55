// A file's content that a model gives as a JSON value instead of a text, as models do for JSON files.
import * as z from "zod";
import { once } from "../../core/once.js";
import { ToolError } from "../../core/errors.js";
import { isRecord } from "../../core/jsonSchema.js";
import { shownName } from "../../text/shownName.js";

/** A value to be written as JSON. */
export type JsonContent = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Names of JSON files. In JSON Lines, a value must not have several lines. */
const JSON_FILE = /(?:json[5c]?|rc|\.(?:ipynb|webmanifest|code-workspace|map|har))$/i;
/** How a new file is indented. */
const INDENT = "  ";
/** The first line of a JSON text, and the indentation of the next. */
const SECOND_LINE = /^\s*[{[][ \t]*\r?\n([ \t]+)\S/;

/** The field of a file's content. For models it is a string. */
export const contentField = once(
  () =>
    z
      .unknown()
      .superRefine((value, ctx) => {
        if (typeof value !== "string" && !isRecord(value) && !Array.isArray(value)) {
          ctx.addIssue({ code: "invalid_type", expected: "string", input: value });
          return;
        }
        const lost = typeof value === "string" ? undefined : inexactNumber(value);
        if (lost !== undefined) {
          ctx.addIssue({
            code: "custom",
            message: `a number in it was not read exactly (it became ${lost}): give the file's text as a string`,
          });
        }
      })
      .meta({ type: "string" }) as unknown as z.ZodType<string | JsonContent>,
);

/**
 * Returns a value as the JSON text of a file, indented as the file is, with its line ending at the end.
 *
 * @param before the file's text; undefined for a new file
 * @throws ToolError `invalid_input` for a file that is not JSON
 */
export function jsonText(value: JsonContent, path: string, before: string | undefined): string {
  if (!JSON_FILE.test(path)) {
    throw new ToolError(
      "invalid_input",
      `${shownName(path)}: content is ${kindOf(value)}, and this is not a JSON file. Nothing was written.`,
      "Give the file's text as a string.",
    );
  }
  const end = before === undefined || before.endsWith("\n") ? "\n" : "";
  return `${JSON.stringify(value, undefined, indentOf(before))}${end}`;
}

/** Says how a value was written. */
export function jsonRemark(value: JsonContent, before: string | undefined): string {
  const indent = indentOf(before);
  const unit = indent.includes("\t") ? "tab" : "space";
  return `content was ${kindOf(value)}: it was written as JSON, indented by ${indent.length} ${unit}${indent.length === 1 ? "" : "s"}.`;
}

/** Returns a value with each string replaced. */
export function withStrings(value: JsonContent, replace: (text: string) => string): JsonContent {
  return mapped(value, replace) as JsonContent;
}

function mapped(value: unknown, replace: (text: string) => string): unknown {
  return typeof value === "string"
    ? replace(value)
    : Array.isArray(value)
      ? value.map((entry) => mapped(entry, replace))
      : isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapped(entry, replace)]))
        : value;
}

function indentOf(before = ""): string {
  return SECOND_LINE.exec(before)?.[1] ?? INDENT;
}

function kindOf(value: JsonContent): string {
  return Array.isArray(value) ? "an array" : "an object";
}

/** Returns the first number that may not be the one that was written: another one may have the same value in JavaScript. */
function inexactNumber(value: unknown): number | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? undefined : value;
  }
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  for (const entry of Object.values(value)) {
    const found = inexactNumber(entry);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
