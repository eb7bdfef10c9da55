import { isMap, isScalar, parseDocument, stringify, type Document } from "yaml";
import { MAX_FRONT_MATTER, splitFrontMatter } from "../../text/frontMatter.js";
import { isRecord } from "../../core/jsonSchema.js";
import { messageOf } from "../../text/words.js";

/** How often front matter may use what an anchor names: a few lines of aliases can stand for gigabytes. */
const MAX_ALIASES = 100;

/** The fields of a text's front matter, and what stands below; or what is wrong with it. */
export type FrontMatter = { ok: true; fields: Record<string, unknown>; body: string } | { ok: false; problem: string };

/**
 * Reads front matter: YAML 1.2 whose root is a map. A text without any has no fields. The body is without blank lines
 * around it.
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
 * A new document; without fields it is the body alone, or stands below empty front matter where its first lines would
 * else be taken for some.
 */
export function formatDocument(fields: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [pair(name, value)]));
  return yaml.length === 0 ? `${bareBody(body)}\n` : `---\n${yaml.join("")}---\n${bodyText(body, "\n")}`;
}

/**
 * A text with some fields of its front matter set, or taken out where they are undefined. Every other line stays as it
 * is, comments too, and so do the lines of a field that has the value already; new ones end as the lines there do. In
 * what is no YAML, as it may be while somebody types, a field's lines are those that begin with its name.
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
  // A map in braces, or a field behind an anchor, has no lines of its own: then all is written anew.
  const yaml = isSame(readFields(edited), asWanted) ? edited : withEol(stringify(asWanted, STYLE), eol);
  return text.slice(0, parts.start) + yaml + text.slice(parts.start + parts.yaml.length);
}

/** A text with another body below its front matter. */
export function setBody(text: string, body: string): string {
  const parts = splitFrontMatter(text);
  const eol = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  const head = parts === undefined || parts === "unclosed" ? "" : text.slice(0, parts.end);
  const separated = head === "" || /[\r\n]$/.test(head) ? head : head + eol;
  return separated + (head === "" ? withEol(`${bareBody(body)}\n`, eol) : bodyText(body, eol));
}

/**
 * `compat`: what YAML 1.1 takes for a number, a date or a truth value is quoted, so that every reader sees the same text.
 */
const STYLE = { lineWidth: 0, compat: "yaml-1.1" } as const;

function pair(name: string, value: unknown): string {
  return stringify({ [name]: value }, STYLE);
}

function bodyText(body: string, eol: string): string {
  const trimmed = trimBody(body);
  return trimmed === "" ? "" : withEol(`\n${trimmed}\n`, eol);
}

/** A body without front matter above it: `---` in its first line would begin some. */
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

/** The fields of a YAML text, or what is wrong with it. */
function fieldsOf(yaml: string): Record<string, unknown> | string {
  try {
    const document = parse(yaml);
    const [wrong = document.warnings[0]] = document.errors;
    if (wrong !== undefined) {
      // The first line alone: the others draw the place.
      return `the front matter is no YAML: ${(wrong.message.split("\n")[0] ?? "").replace(/:$/, "")}`;
    }
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value === null || value === undefined
      ? {}
      : isRecord(value)
        ? value
        : "the front matter is no list of fields (name: value)";
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
  // The parser knows no lines that end in \r alone. Of the same length, so that its places are those of the text.
  return parseDocument(yaml.replaceAll(/\r(?!\n)/g, "\n"), { logLevel: "silent", uniqueKeys: true });
}

/** The YAML with one field set in its own lines; unchanged, or wrong, where it has none. */
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
    // With the rest of its line: a comment there was about it.
    const rest = /[\r\n]$/.test(old) ? "" : (/^[^\r\n]*(?:\r\n?|\n)?/.exec(yaml.slice(to))?.[0] ?? "");
    return yaml.slice(0, from) + yaml.slice(to + rest.length);
  }
  const written = pair(name, value);
  return (
    yaml.slice(0, from) + withEol(/[\r\n]$/.test(old) ? written : written.replace(/\n$/, ""), eol) + yaml.slice(to)
  );
}

/** A text that is no YAML with one field set in the lines that begin with its name, or in new ones. */
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

/** Fields in one order, at every depth. */
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
