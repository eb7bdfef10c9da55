// A page without all that shows nothing, in bounded size and depth: what is made to harm is harmless then, and what is
// not is small.
import { Parser } from "htmlparser2";

/** Levels of elements: pages have up to 60. Turning deeper ones into Markdown calls itself too often. */
const MAX_DEPTH = 200;
/** Elements that are kept. The specification of HTML on one page has 300,000, and nobody reads it at once. */
const MAX_ELEMENTS = 60_000;
/** Tags that are read, also those that are not kept. */
const MAX_TAGS = 500_000;
/** Code units of text that are kept. */
const MAX_TEXT = 3_000_000;
const MAX_ATTRIBUTE = 2_000;
/** Code units that are read at a time. */
const STEP = 65_536;

const DROPPED = new Set([
  ...["script", "style", "template", "svg", "iframe", "object", "canvas", "noscript", "audio", "video", "select"],
  ...["button", "dialog"],
]);
const KEPT_ATTRIBUTES = new Set([
  ...["href", "src", "alt", "title", "class", "id", "lang", "colspan", "rowspan", "role", "start", "type", "name"],
  ...["property", "content", "rel", "hidden", "aria-hidden"],
]);
const VOID = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"]);
const FOREIGN = new Set(["svg", "math"]);
const INLINE = new Set([
  ...["a", "abbr", "b", "bdi", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label", "mark"],
  ...["q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "img"],
]);

/** A page in bounded size, and what it says of itself. */
export interface ReducedPage {
  html: string;
  /** All its text. */
  text: string;
  title: string;
  base: string | undefined;
  /** The address of the page as Markdown. */
  alternate: string | undefined;
  scripts: number;
  /** What it shows where scripts do not run. */
  withoutScripts: string;
  /** Whether it has an empty element that frameworks fill. */
  hasMount: boolean;
  isCut: boolean;
}

/** Reads a page in one pass. */
export function reducePage(page: string): ReducedPage {
  const out: string[] = [];
  const text: string[] = [];
  const reduced = { title: "", scripts: 0, withoutScripts: "", hasMount: false, isCut: false };
  let base: string | undefined;
  let alternate: string | undefined;
  let depth = 0;
  let dropped: { name: string; depth: number } | undefined;
  let isTitle = false;
  let elements = 0;
  let tags = 0;
  let size = 0;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      tags += 1;
      reduced.isCut ||= tags > MAX_TAGS;
      if (depth >= MAX_DEPTH) {
        // It looks through its open elements with each tag, so they stay few.
        open.stack.shift();
        if (FOREIGN.has(name)) {
          open.foreignContext.shift();
        }
        return;
      }
      depth += VOID.has(name) ? 0 : 1;
      reduced.scripts += name === "script" ? 1 : 0;
      if (dropped !== undefined) {
        return;
      }
      if (DROPPED.has(name)) {
        dropped = { name, depth };
        return;
      }
      isTitle = name === "title" && reduced.title === "";
      const { href, rel, type } = attributes;
      base ??= name === "base" ? href : undefined;
      if (name === "link" && type === "text/markdown" && /\balternate\b/.test(rel ?? "")) {
        alternate ??= href;
      }
      reduced.hasMount ||=
        name === "div" && /^(?:root|app|__next|__nuxt|___gatsby|svelte|main-app)$/.test(attributes["id"] ?? "");
      elements += 1;
      if (elements > MAX_ELEMENTS || size > MAX_TEXT) {
        reduced.isCut = true;
        return;
      }
      const kept = Object.entries(attributes).filter(
        ([key, value]) => KEPT_ATTRIBUTES.has(key) && value.length <= MAX_ATTRIBUTE && !/^\s*data:/i.test(value),
      );
      out.push(
        `<${name}${kept.map(([key, value]) => ` ${key}="${escaped(value).replaceAll('"', "&quot;")}"`).join("")}>`,
      );
      if (!INLINE.has(name)) {
        text.push("\n");
      }
    },
    ontext: (data) => {
      if (dropped !== undefined) {
        reduced.withoutScripts += dropped.name === "noscript" && reduced.withoutScripts.length < 1_000 ? data : "";
        return;
      }
      if (isTitle) {
        reduced.title += data;
      }
      size += data.length;
      if (elements > MAX_ELEMENTS || size > MAX_TEXT) {
        reduced.isCut = true;
        return;
      }
      out.push(escaped(data));
      if (!isTitle) {
        text.push(data);
      }
    },
    onclosetag: (name) => {
      if (dropped?.name === name && dropped.depth === depth) {
        dropped = undefined;
      } else if (dropped === undefined) {
        isTitle &&= name !== "title";
        if (!VOID.has(name) && elements <= MAX_ELEMENTS && size <= MAX_TEXT) {
          out.push(`</${name}>`);
        }
        if (!INLINE.has(name)) {
          text.push("\n");
        }
      }
      depth -= VOID.has(name) ? 0 : 1;
    },
  });
  const open = parser as unknown as { stack: string[]; foreignContext: boolean[] };
  // What comes after the limits is not kept, so it is not read either.
  for (let at = 0; at < page.length && !reduced.isCut; at += STEP) {
    parser.write(page.slice(at, at + STEP));
  }
  parser.end();
  return {
    ...reduced,
    ...{ base, alternate },
    html: out.join(""),
    text: tidy(text.join("")),
    title: reduced.title.replaceAll(/\s+/g, " ").trim().slice(0, 300),
  };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function tidy(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll(/[^\S\n]+/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""))
    .join("\n")
    .trim();
}
