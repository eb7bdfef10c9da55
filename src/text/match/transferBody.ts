import { alignEqual } from "./diff.js";
import { foldLookAlikes } from "./lookAlikes.js";

const TOKEN = /[\p{L}\p{N}_]+|[^]/gu;
const WORD = /[\p{L}\p{N}_]/u;

/** A piece of the new text as written there, and as in the found text if it stays. */
interface Token {
  written: string;
  kept: string;
}

/**
 * Applies the change from `old` to `changed` to `found`, which equals `old` apart from look-alikes. A run of common
 * tokens stays as found if it is at the line's start or end, or contains a word: a lone dash elsewhere may be a
 * different dash.
 *
 * @returns undefined if the two differ in too many places
 */
export function transferBody(found: string, old: string, changed: string): string | undefined {
  if (found === old) {
    return changed;
  }
  const oldTokens = old.match(TOKEN) ?? [];
  const newTokens = changed.match(TOKEN) ?? [];
  const stays = alignEqual(oldTokens, newTokens);
  if (!stays) {
    return undefined;
  }
  // Look-alikes are as long as the characters they resemble, so a token has the same offset in `found` as in `old`.
  let offset = 0;
  const foundTokens = oldTokens.map((token) => found.slice(offset, (offset += token.length)));
  const tokens: Token[] = [];
  for (let from = 0; from < newTokens.length;) {
    let to = from + 1;
    const first = stays[from] ?? -1;
    while (first >= 0 && to < newTokens.length && stays[to] === first + to - from) {
      to++;
    }
    const run = newTokens.slice(from, to);
    const atStart = from === 0 && first === 0;
    const atEnd = to === newTokens.length && first + to - from === oldTokens.length;
    const isSame = first >= 0 && (atStart || atEnd || run.some((token) => WORD.test(token)));
    tokens.push(
      ...run.map((written, index) => ({ written, kept: isSame ? (foundTokens[first + index] ?? written) : written })),
    );
    from = to;
  }
  return joinTokens(tokens, oldTokens.filter((token, index) => isOtherQuote(token, foundTokens[index] ?? "")).length);
}

/** Keeps paired double quotes consistent: if one of a pair was changed, the other is also taken from the new text. */
function joinTokens(tokens: readonly Token[], quotesFound: number): string {
  const quotesKept = tokens.filter(({ written, kept }) => isOtherQuote(written, kept)).length;
  const isWhole = quotesKept === quotesFound || quotesKept % 2 === 0;
  return tokens.map(({ written, kept }) => (isWhole || !isOtherQuote(written, kept) ? kept : written)).join("");
}

function isOtherQuote(written: string, kept: string): boolean {
  return written !== kept && foldLookAlikes(kept) === '"';
}
