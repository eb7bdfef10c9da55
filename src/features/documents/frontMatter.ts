import { isMap, isScalar, parseDocument, stringify, type Document } from "yaml";
import { MAX_FRONT_MATTER, splitFrontMatter } from "../../text/frontMatter.js";
import { isRecord } from "../../core/jsonSchema.js";
import { messageOf } from "../../text/words.js";

/** Maximum uses of anchors in front matter: a few lines of aliases can expand to gigabytes. */
const MAX_ALIASES = 100;

/** A text's front matter fields and the body below, or the problem with it. */
export type FrontMatter = { ok: true; fields: Record<string, unknown>; body: string } | { ok: false; problem: string };

/**
 * Reads front matter: YAML 1.2 whose root is a map. A text without front matter has no fields. The body comes without
 * blank lines around it.
 */
export function readFrontMatter(text: string): FrontMatter {
  const parts = splitFrontMatter(text);
  if (parts === "unclosed") {
    return {
      ok: false,
      problem: `the front matter is not closed: no line of --- in its first ${MAX_FRONT_MATTER} characters`,
    };
  }
  if (parts === undefined) {
    return { ok: true, fields: {}, body: trimBody(text) };
  }
  const fields = fieldsOf(parts.yaml);
  return typeof fields === "string"
    ? { ok: false, problem: fields }
    : { ok: true, fields, body: trimBody(text.slice(parts.end)) };
}

/**
 * Formats a new document. Without fields it is the body alone, or the body below empty front matter if its first lines
 * would otherwise be read as front matter.
 */
export function formatDocument(fields: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [pair(name, value)]));
  return yaml.length === 0 ? `${bareBody(body)}\n` : `---\n${yaml.join("")}---\n${bodyText(body, "\n")}`;
}

/**
 * Sets some fields of a text's front matter, or removes those that are undefined. Every other line stays as it is,
 * including comments and the lines of fields that already have the value; new lines get the text's line ending. If the
 * front matter is not valid YAML, as while somebody is typing, a field's lines are those that begin with its name.
 */
export function setFields(text: string, changes: Readonly<Record<string, unknown>>): string {
  const parts = splitFrontMatter(text);
  const eol = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  if (parts === undefined || parts === "unclosed") {
    return formatDocument(changes, "").replaceAll("\n", eol) + text;
  }
  const before = readFields(parts.yaml);
  if (before === undefined) {
    const lines = Object.entries(changes).reduce((yaml, [name, value]) => setLines(yaml, name, value), parts.yaml);
    return text.slice(0, parts.start) + withEol(lines, eol) + text.slice(parts.start + parts.yaml.length);
  }
  const wanted: Record<string, unknown> = { ...before, ...changes };
  const edited = Object.entries(changes)
    .filter(([name, value]) => !isSame(before[name], value))
    .reduce((yaml, [name, value]) => setField(yaml, name, value, eol), parts.yaml);
  const asWanted = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  // A map in braces or a field behind an anchor has no lines of its own: then everything is rewritten.
  const yaml = isSame(readFields(edited), asWanted) ? edited : withEol(stringify(asWanted, STYLE), eol);
  return text.slice(0, parts.start) + yaml + text.slice(parts.start + parts.yaml.length);
}

/** Replaces the body below a text's front matter. */
export function setBody(text: string, body: string): string {
  const parts = splitFrontMatter(text);
  const eol = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  const head = parts === undefined || parts === "unclosed" ? "" : text.slice(0, parts.end);
  const separated = head === "" || /[\r\n]$/.test(head) ? head : head + eol;
  return separated + (head === "" ? withEol(`${bareBody(body)}\n`, eol) : bodyText(body, eol));
}

/** `compat`: quotes what YAML 1.1 reads as a number, a date or a boolean, so that every reader sees the same text. */
const STYLE = { lineWidth: 0, compat: "yaml-1.1" } as const;

function pair(name: string, value: unknown): string {
  return stringify({ [name]: value }, STYLE);
}

function bodyText(body: string, eol: string): string {
  const trimmed = trimBody(body);
  return trimmed === "" ? "" : withEol(`\n${trimmed}\n`, eol);
}

/** Returns a body for a text without front matter: a `---` in its first line would be read as the start of some. */
function bareBody(body: string): string {
  const trimmed = trimBody(body);
  return splitFrontMatter(trimmed) === undefined ? trimmed : `---\n---\n\n${trimmed}`;
}

function trimBody(body: string): string {
  return body.replace(/^(?:[ \t]*(?:\r\n?|\n))+/, "").trimEnd();
}

function withEol(text: string, eol: string): string {
  return eol === "\n" ? text : text.replaceAll(/\r\n?|\n/g, eol);
}

/** Returns the fields of a YAML text, or the problem with it. */
function fieldsOf(yaml: string): Record<string, unknown> | string {
  try {
    const document = parse(yaml);
    const [wrong = document.warnings[0]] = document.errors;
    if (wrong !== undefined) {
      // Only the first line of the message: the others draw the position.
      return `the front matter is not valid YAML: ${(wrong.message.split("\n")[0] ?? "").replace(/:$/, "")}`;
    }
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value === null || value === undefined
      ? {}
      : isRecord(value)
        ? value
        : "the front matter is not a list of fields (name: value)";
  } catch (error) {
    // Too many aliases, or nested too deep for the parser.
    return `the front matter cannot be read: ${messageOf(error)}`;
  }
}

function readFields(yaml: string): Record<string, unknown> | undefined {
  const fields = fieldsOf(yaml);
  return typeof fields === "string" ? undefined : fields;
}

function parse(yaml: string): Document.Parsed {
  // The parser does not treat a lone \r as a line ending. The replacement has the same length, so positions still
  // match.
  return parseDocument(yaml.replaceAll(/\r(?!\n)/g, "\n"), { logLevel: "silent", uniqueKeys: true });
}

/**
 * Sets one field of the YAML in its own lines. If the field has no lines of its own, the result is unchanged or wrong.
 */
function setField(yaml: string, name: string, value: unknown, eol: string): string {
  const { contents } = parse(yaml);
  const items = isMap(contents) ? contents.items : [];
  const found = items.find(({ key }) => isScalar(key) && key.value === name);
  if (found === undefined) {
    const ended = yaml === "" || /[\r\n]$/.test(yaml) ? yaml : yaml + eol;
    return value === undefined ? yaml : ended + withEol(pair(name, value), eol);
  }
  const from = rangeOf(found.key)?.[0] ?? 0;
  const to = rangeOf(found.value)?.[1] ?? rangeOf(found.key)?.[1] ?? from;
  const old = yaml.slice(from, to);
  if (value === undefined) {
    // Include the rest of the field's line: a comment there was about this field.
    const rest = /[\r\n]$/.test(old) ? "" : (/^[^\r\n]*(?:\r\n?|\n)?/.exec(yaml.slice(to))?.[0] ?? "");
    return yaml.slice(0, from) + yaml.slice(to + rest.length);
  }
  const written = pair(name, value);
  return (
    yaml.slice(0, from) + withEol(/[\r\n]$/.test(old) ? written : written.replace(/\n$/, ""), eol) + yaml.slice(to)
  );
}

/** Sets one field of a text that is not valid YAML, in the lines that begin with its name or in new ones. */
function setLines(yaml: string, name: string, value: unknown): string {
  const own = new RegExp(String.raw`(?<=^|[\r\n])${name}:[^\r\n]*(?:(?:\r\n?|\n)[ \t]+[^\r\n]*)*(\r\n?|\n|$)`);
  const written = value === undefined ? "" : pair(name, value);
  if (own.test(yaml)) {
    return yaml.replace(own, () => written);
  }
  return (yaml === "" || /[\r\n]$/.test(yaml) ? yaml : `${yaml}\n`) + written;
}

function rangeOf(node: unknown): readonly number[] | undefined {
  const range = isRecord(node) ? node["range"] : undefined;
  return Array.isArray(range) ? (range as number[]) : undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** Sorts fields by name, at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, field]) => [name, sorted(field)]),
      )
    : value;
}
