import { parse, stringify, TomlError } from "smol-toml";
import { isDeepEqual } from "./deepEqual.js";
import { keptEntry, mergedEntry, newFields, withEntry } from "./merge.js";
import { Unchangeable, type Entry } from "./unchangeable.js";

/** Lines from one on, up to and without another. */
interface Lines {
  from: number;
  to: number;
}

/** Maximum lines of a value: more than anyone gives a list of arguments. */
const MAX_VALUE_LINES = 100;
/** A line that may be a table's header; in a text of several lines it looks the same. */
const HEADER = /^\s*\[([^\]#]+)\]\s*(?:#[^\n]*)?$/;

/**
 * Writes or removes a table of a TOML text. Only lines of that table change: what the text means before and after is
 * compared, so that no way of writing TOML misleads.
 *
 * @throws Unchangeable
 */
export function changeToml(text: string, keys: readonly [string, string], entry: Entry): string {
  const before = read(text);
  const there = (before[keys[0]] as Record<string, unknown> | undefined)?.[keys[1]];
  const kept = keptEntry(there);
  // A line keeps its carriage return, so that only ours have another ending.
  const lines = text.split("\n");
  const end = text.includes("\r\n") ? "\r" : "";
  const changed =
    there !== undefined && entry !== undefined && kept !== undefined
      ? edited(lines, keys, entry, kept, end)
      : added(there === undefined ? lines : removed(lines, keys), keys, entry, end);
  const result = changed.join("\n");
  let after: unknown;
  try {
    after = parse(result, { integersAsBigInt: "asNeeded" });
  } catch {
    after = undefined;
  }
  const section = before[keys[0]];
  const isTable = section === undefined || (typeof section === "object" && !Array.isArray(section));
  const wanted = isTable ? withEntry(before, keys, mergedEntry(entry, kept)) : undefined;
  if (after === undefined || !isDeepEqual(pruned(after, keys[0]), pruned(wanted, keys[0]))) {
    throw new Unchangeable(`[${keys.join(".")}] is written in a form that Toolhost does not change.`);
  }
  return result;
}

/** @throws Unchangeable with the line of the first mistake */
function read(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (error instanceof TomlError) {
      const why = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "";
      throw new Unchangeable(`The file is not valid TOML (${why}).`, error.line);
    }
    throw new Unchangeable("The file is nested too deep.");
  }
}

/** A section without entries is as good as none: TOML's tables need no section of their own. */
function pruned(value: unknown, section: string): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const { [section]: servers, ...others } = value as Record<string, unknown>;
  return typeof servers === "object" && servers !== null && Object.keys(servers).length === 0 ? others : value;
}

function added(lines: readonly string[], keys: readonly string[], entry: Entry, eol: string): string[] {
  if (entry === undefined) {
    return [...lines];
  }
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  // A last line without an ending gets one.
  const before = lines.slice(0, end).map((line, index) => (index === lines.length - 1 ? line + eol : line));
  const own = [`[${keys.join(".")}]`, ...Object.entries(entry).map(fieldLine)].map((line) => line + eol);
  return [...before, ...(end === 0 ? [] : [eol]), ...own, ""];
}

function removed(lines: readonly string[], keys: readonly string[]): string[] {
  const tables = tablesOf(lines, keys);
  return lines.filter((_, index) => !tables.some(({ from, to }) => index >= from && index < to));
}

function edited(
  lines: readonly string[],
  keys: readonly string[],
  entry: NonNullable<Entry>,
  kept: NonNullable<Entry>,
  eol: string,
): string[] {
  const result = [...lines];
  for (const field of Object.entries(newFields(entry, kept))) {
    const { from, to } = tablesOf(result, keys)[0] ?? { from: result.length, to: result.length };
    const at = valueOf(result, field[0], { from: from + 1, to });
    const place = at ?? { from: from + 1, to: from + 1 };
    result.splice(place.from, place.to - place.from, fieldLine(field) + eol);
  }
  return result;
}

/** Returns the lines of a table and of those below it, each up to the next header or the comments right above that. */
function tablesOf(lines: readonly string[], keys: readonly string[]): Lines[] {
  const headers = lines.flatMap((line, index) => {
    const name = HEADER.exec(line)?.[1];
    return name === undefined && !/^\s*\[\[/.test(line) ? [] : [{ index, name: name ?? "" }];
  });
  return headers.flatMap(({ index: from, name }, at) => {
    const parts = name.split(".").map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));
    if (!keys.every((key, level) => parts[level] === key)) {
      return [];
    }
    let to = headers[at + 1]?.index ?? lines.length;
    if (headers[at + 1] !== undefined) {
      while (to > from + 1 && /^\s*#/.test(lines[to - 1] ?? "")) {
        to--;
      }
    }
    return [{ from, to }];
  });
}

/** Returns the lines of a field's value: as many as TOML needs. */
function valueOf(lines: readonly string[], field: string, { from, to }: Lines): Lines | undefined {
  const start = lines.slice(from, to).findIndex((line) => new RegExp(`^\\s*["']?${field}["']?\\s*=`).test(line));
  if (start === -1) {
    return undefined;
  }
  for (let end = from + start + 1; end <= Math.min(to, from + start + MAX_VALUE_LINES); end++) {
    try {
      parse(
        lines
          .slice(from + start, end)
          .join("\n")
          .replaceAll("\r", ""),
      );
      return { from: from + start, to: end };
    } catch {
      // The value goes on.
    }
  }
  return undefined;
}

function fieldLine([field, value]: [string, unknown]): string {
  return `${field} = ${inline(value)}`;
}

/** Returns a value on one line. */
function inline(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(inline).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    return `{ ${Object.entries(value).map(fieldLine).join(", ")} }`;
  }
  return stringify({ value })
    .trim()
    .replace(/^value = /, "");
}
