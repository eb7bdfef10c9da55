import type { KnowledgeHit } from "../../ports/knowledge.js";
import { clipStart } from "../../text/clip.js";
import { SNIPPET } from "./snippet.js";

/** Finds a pattern in a text, ignoring case, with at most one hit per line. */
export function* patternHits(path: string, text: string, pattern: string): Generator<KnowledgeHit> {
  const expression = new RegExp(
    pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(/\r?\n/g, "\\r?\\n"),
    "giu",
  );
  let line = 1;
  let counted = 0;
  let last = 0;
  for (const match of text.matchAll(expression)) {
    line += linesIn(text, counted, match.index);
    counted = match.index;
    if (line === last) {
      continue;
    }
    last = line;
    const end = match.index + match[0].length;
    const from = text.lastIndexOf("\n", match.index - 1) + 1;
    const to = text.indexOf("\n", end);
    const shown = text
      .slice(match.index - from > SNIPPET / 2 ? match.index - SNIPPET / 4 : from, to === -1 ? undefined : to)
      .trimEnd();
    yield {
      path,
      startLine: line,
      endLine: line + linesIn(text, match.index, end),
      score: 1,
      snippet: clipStart(shown.toString(), SNIPPET),
      heading: "",
    };
  }
}

function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}
