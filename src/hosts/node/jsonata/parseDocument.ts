import { parse, type ParseError } from "jsonc-parser";
import { parseAllDocuments } from "yaml";
import type { DocumentFormat } from "../../../ports/expressions.js";
import { shorten } from "../../../text/clip.js";
import { CsvError, csvObjects, type RenamedColumn } from "../../../text/csv.js";
import { repeatedKeys, type RepeatedKeys } from "../../../text/repeatedKeys.js";
import { messageOf } from "../../../text/words.js";

/** Maximum uses of anchors in a YAML text: a few lines of aliases can expand to gigabytes. */
const MAX_ALIASES = 1_000;

/** Maximum columns named in a remark. */
const MAX_NAMED = 3;
/** Maximum characters of a column's name in it. */
const MAX_NAME = 60;

/** A parsed text. */
export interface ParsedDocument {
  value: unknown;
  /** One line, for a person or a model, about any input that was not read literally. */
  remark?: string;
}

/**
 * Parses a text as one value. JSON Lines, CSV and TSV become an array, and so does YAML with several documents. A key
 * that occurs twice in an object is an error in YAML, but only a remark in JSON: its last value is read.
 *
 * @throws Error that says what is wrong with it
 */
export function parseDocument(text: string, format: DocumentFormat): ParsedDocument {
  switch (format) {
    case "json":
      return parseLikeJson(withoutMark(text));
    case "lines":
      return parseLines(withoutMark(text));
    case "csv":
      return hasSemicolons(text)
        ? withRemark(parseTable(text, ";"), "Columns are separated by ;.")
        : parseTable(text, ",");
    case "tsv":
      return parseTable(text, "\t");
    case "yaml":
      return { value: parseYaml(withoutMark(text)) };
  }
}

/** Parses JSON, or what is written in files of that ending, too: with comments, or a value a line. */
function parseLikeJson(text: string): ParsedDocument {
  try {
    return parseJson(text);
  } catch (error) {
    const other = withComments(text) ?? asLines(text);
    if (other === undefined) {
      throw error;
    }
    return other;
  }
}

/** Parses JSON with comments and trailing commas, as in tsconfig.json. */
function withComments(text: string): ParsedDocument | undefined {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    return errors.length > 0 || value === undefined
      ? undefined
      : { value, remark: "Comments and trailing commas were left out." };
  } catch {
    // Nested too deeply for its recursion.
    return undefined;
  }
}

/** Parses JSON Lines, if they are several. */
function asLines(text: string): ParsedDocument | undefined {
  try {
    const lines = parseLines(text);
    return Array.isArray(lines.value) && lines.value.length > 1 ? withRemark(lines, "Read as JSON Lines.") : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(text: string): ParsedDocument {
  // Before parsing, so that the keys and the value are not in memory at the same time.
  const repeated = repeatedKeys(text);
  const value = parsed(text);
  return repeated === undefined
    ? { value }
    : { value, remark: keysRemark(repeated, text.slice(0, repeated.offset).split("\n").length) };
}

/**
 * Parses JSON. The engine's message quotes the text around a mistake, where a part of a key would not be masked, so this
 * one says where the mistake is instead.
 *
 * @throws Error
 */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const message = messageOf(error);
    const [, what, before, quoted = "", after] =
      /^(.*?), (\.\.\.)?"(.*)"(\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
    if (what === undefined) {
      throw error;
    }
    // The engine quotes ten characters before the mistake, and after it.
    const start = json.indexOf(quoted);
    const at = before !== undefined ? start + QUOTED : after !== undefined ? quoted.length - QUOTED : undefined;
    const above = at === undefined || start === -1 ? undefined : json.slice(0, at).split("\n");
    const line = json.includes("\n") && above !== undefined ? `line ${above.length}, ` : "";
    const place = above === undefined ? "" : ` at ${line}column ${(above.at(-1) ?? "").length + 1}`;
    throw new Error(`${what}${place}`, { cause: error });
  }
}

/** How many characters before and after a mistake the engine quotes. */
const QUOTED = 10;

function parseLines(text: string): ParsedDocument {
  let first: { repeated: RepeatedKeys; line: number } | undefined;
  let count = 0;
  const value = text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") {
      return [];
    }
    try {
      const repeated = repeatedKeys(line);
      if (repeated !== undefined) {
        first ??= { repeated, line: index + 1 };
        count += repeated.count;
      }
      return [parsed(line)];
    } catch (error) {
      throw new Error(`line ${index + 1}: ${messageOf(error)}`);
    }
  });
  return first === undefined ? { value } : { value, remark: keysRemark({ ...first.repeated, count }, first.line) };
}

function keysRemark({ key, count }: RepeatedKeys, line: number): string {
  const repeats = `Line ${line} repeats the key ${quoted(key)} of its object`;
  return count === 1
    ? `${repeats}: only the last value is read.`
    : `${repeats}, and ${count - 1} more ${count === 2 ? "key is" : "keys are"} repeated: only the last value of each is read.`;
}

/** Whether a table's first line has columns only if they are separated by semicolons, as some programs write them. */
function hasSemicolons(text: string): boolean {
  const [header = ""] = /^[^\r\n]*/.exec(text) ?? [];
  return header.includes(";") && !header.includes(",");
}

function withRemark({ value, remark }: ParsedDocument, first: string): ParsedDocument {
  return { value, remark: remark === undefined ? first : `${first} ${remark}` };
}

function parseTable(text: string, separator: "," | ";" | "\t"): ParsedDocument {
  try {
    const { objects, renamed } = csvObjects(text, separator);
    const value = withNumbers(objects);
    return renamed.length === 0 ? { value } : { value, remark: columnsRemark(renamed) };
  } catch (error) {
    throw error instanceof CsvError ? new Error(`line ${error.line}: ${error.message}`) : error;
  }
}

/** A decimal number as programs write it: a code such as 007 is text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Maximum digits that a number keeps exactly. */
const MAX_DIGITS = 15;

/**
 * Returns the records with numbers in the columns that have nothing else. An empty field of such a column is absent,
 * since sums and comparisons skip absent values and fail on texts.
 */
function withNumbers(records: readonly Record<string, string>[]): Record<string, string | number>[] {
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const columns = new Set(
    [...names].filter((name) => {
      const values = records.flatMap((record) => record[name] || []);
      return values.length > 0 && values.every(isNumber);
    }),
  );
  return records.map((record) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, value]): [string, string | number][] =>
        !columns.has(name) ? [[name, value]] : value === "" ? [] : [[name, Number(value)]],
      ),
    ),
  );
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && text.replace(/[-.]/g, "").length <= MAX_DIGITS;
}

function columnsRemark(renamed: readonly RenamedColumn[]): string {
  const named = renamed
    .slice(0, MAX_NAMED)
    .map(({ column, given, name }) => `column ${column} ${quoted(given)} is read as ${quoted(name)}`);
  const rest = renamed.length - named.length;
  return `Column names are repeated: ${named.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}.`;
}

function quoted(name: string): string {
  return JSON.stringify(shorten(name, MAX_NAME));
}

function parseYaml(text: string): unknown {
  const documents = parseAllDocuments(text, { logLevel: "error" });
  const values = documents.map((document): unknown => {
    const [first] = document.errors;
    if (first !== undefined) {
      throw new Error(first.message);
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  });
  return values.length > 1 ? values : (values[0] ?? null);
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
