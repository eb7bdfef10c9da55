import { tokensOf } from "../../text/search/tokens.js";

/** Maximum characters of a snippet: enough to see what a chunk says; its line numbers lead to the rest. */
export const SNIPPET = 700;

/** Returns the part of a chunk that contains most of the query, in whole lines where they fit. @param most characters */
export function snippetOf(text: string, terms: ReadonlySet<string>, most = SNIPPET): string {
  const trimmed = text.replace(/^\s*\n/, "").trimEnd();
  if (trimmed.length <= most) {
    return trimmed;
  }
  const lines = trimmed.split("\n");
  const hits = lines.map((line) => new Set(tokensOf(line).filter((token) => terms.has(token))).size);
  let best = { from: 0, to: 0, hits: -1 };
  for (let from = 0, to = 0, length = 0, sum = 0; from < lines.length; from += 1) {
    for (; to < lines.length && (to === from || length + (lines[to]?.length ?? 0) + 1 <= most); to += 1) {
      length += (lines[to]?.length ?? 0) + 1;
      sum += hits[to] ?? 0;
    }
    if (sum > best.hits) {
      best = { from, to, hits: sum };
    }
    length -= (lines[from]?.length ?? 0) + 1;
    sum -= hits[from] ?? 0;
  }
  const shown = lines.slice(best.from, best.to).join("\n");
  return shown.length <= most ? shown : `${cut(shown, most)}…`;
}

/** Shortens a text, but never cuts between the halves of a surrogate pair. */
function cut(text: string, most: number): string {
  return text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "");
}
