// How near a page's Markdown comes to a reference that was made without our code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A saved page and its reference. */
export interface SavedPage {
  name: string;
  kind: string;
  url: string;
  html: string;
  reference: string;
}

/** How much of a reference a text has; shares from 0 to 1. */
export interface Nearness {
  /** Of the reference's words. */
  kept: number;
  /** Of the text's words that the reference does not have. */
  extra: number;
  /** Of the reference's headings, as headings. */
  headings: number;
  /** Of the lines in the reference's blocks of code, in blocks of code. */
  code: number;
  /** Of the addresses that the reference links to. */
  links: number;
}

/** Returns the pages of a folder: its pages.json, and for each a name.html or name.html.gz and a name.md. */
export function savedPages(folder: string): SavedPage[] {
  const listed = JSON.parse(readFileSync(join(folder, "pages.json"), "utf8")) as Omit<
    SavedPage,
    "html" | "reference"
  >[];
  const files = new Set(readdirSync(folder));
  return listed.map((page) => ({
    ...page,
    html: files.has(`${page.name}.html`)
      ? readFileSync(join(folder, `${page.name}.html`), "utf8")
      : gunzipSync(readFileSync(join(folder, `${page.name}.html.gz`))).toString("utf8"),
    reference: readFileSync(join(folder, `${page.name}.md`), "utf8"),
  }));
}

/** Compares a page's Markdown with its reference. @param url the page's address, to which the reference's links are relative */
export function nearness(markdown: string, reference: string, url: string): Nearness {
  const [ours, theirs] = [partsOf(markdown, url), partsOf(reference, url)];
  return {
    kept: shareOf(theirs.words, ours.words),
    extra: 1 - shareOf(ours.words, theirs.words),
    headings: shareOf(theirs.headings, ours.headings),
    code: shareOf(theirs.code, ours.code),
    links: shareOf([...new Set(theirs.links)], ours.links),
  };
}

interface Parts {
  words: string[];
  headings: string[];
  code: string[];
  links: string[];
}

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g;

function partsOf(markdown: string, url: string): Parts {
  const parts: Parts = { words: [], headings: [], code: [], links: [] };
  let fence: string | undefined;
  const lines = markdown.split("\n");
  lines.forEach((line, index) => {
    const marker = /^\s*(?:[-*>\d.]+\s+)*(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined && (fence === undefined || marker.startsWith(fence))) {
      fence = fence === undefined ? marker : undefined;
      return;
    }
    // Pandoc indents code that has no language.
    const isIndented =
      /^ {4}\S/.test(line) && (lines[index - 1] ?? "").trim() === "" && !/^ {4,}(?:[-*]|\d+\.)\s/.test(line);
    if (fence !== undefined || isIndented) {
      parts.code.push(...(line.trim() === "" ? [] : [line.trim()]));
      parts.words.push(...wordsOf(line));
      return;
    }
    const text = line.replaceAll(LINK, (_all, image: string, shown: string, address: string) => {
      if (image === "" && URL.canParse(address, url)) {
        const to = new URL(address, url);
        // A place on the same page is no other address.
        if (to.href.split("#")[0] !== url.split("#")[0]) {
          parts.links.push(to.href);
        }
      }
      return image === "" ? shown : " ";
    });
    const heading = /^#{1,6}\s+(.*)$/.exec(text)?.[1];
    if (heading !== undefined) {
      parts.headings.push(wordsOf(heading).join(" "));
    }
    parts.words.push(...wordsOf(text));
  });
  return parts;
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("\\", "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Returns the share of a list that another one has, each entry as often as it is there; 1 for an empty list. */
function shareOf(wanted: readonly string[], there: readonly string[]): number {
  const left = new Map<string, number>();
  there.forEach((each) => left.set(each, (left.get(each) ?? 0) + 1));
  const found = wanted.filter((each) => {
    const rest = left.get(each) ?? 0;
    left.set(each, rest - 1);
    return rest > 0;
  });
  return wanted.length === 0 ? 1 : found.length / wanted.length;
}
