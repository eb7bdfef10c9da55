import { partsOf, type Line } from "./lines.js";

/** With more pairs of lines to compare, lines are paired in order. */
const MAX_PAIRS = 10_000;
/** Minimum share of common words for one line to count as an edit of the other. */
const LEAST_LIKENESS = 0.5;

/**
 * Finds the old line that each new line of a changed block is an edit of, in order. This only matters for lines found
 * with more than a different indentation; for others, an edit and a new line give the same result.
 *
 * @returns for each new line, the index of its old line, or -1
 */
export function pairLines(old: readonly Line[], changed: readonly Line[], found: readonly Line[]): number[] {
  const differs = old.some(({ content }, index) => !sameButIndent(content, found[index]?.content ?? ""));
  if (!differs || old.length === 0) {
    return changed.map(() => -1);
  }
  if (old.length === changed.length || old.length * changed.length > MAX_PAIRS) {
    return changed.map((_, index) => (index < old.length ? index : -1));
  }
  return bestPairs(
    old.map(({ content }) => wordsOf(content)),
    changed.map(({ content }) => wordsOf(content)),
  );
}

function sameButIndent(wanted: string, found: string): boolean {
  const [one, other] = [partsOf(wanted), partsOf(found)];
  return one.body === other.body && one.trailing === other.trailing;
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Pairs old and changed lines in the same order on both sides, with the greatest total likeness. Returns, for each
 * changed line, the index of its old line, or -1.
 */
function bestPairs(old: readonly string[][], changed: readonly string[][]): number[] {
  const width = old.length + 1;
  const likeness = changed.map((words) => old.map((others) => likenessOf(words, others)));
  const best = new Float64Array((changed.length + 1) * width);
  for (let y = changed.length - 1; y >= 0; y--) {
    for (let x = old.length - 1; x >= 0; x--) {
      const like = likeness[y]?.[x] ?? 0;
      const paired = like >= LEAST_LIKENESS ? like + (best[(y + 1) * width + x + 1] ?? 0) : 0;
      best[y * width + x] = Math.max(paired, best[(y + 1) * width + x] ?? 0, best[y * width + x + 1] ?? 0);
    }
  }
  const partners: number[] = [];
  let x = 0;
  for (let y = 0; y < changed.length; y++) {
    while (x < old.length && best[y * width + x] === best[y * width + x + 1]) {
      x++;
    }
    const taken = x < old.length && best[y * width + x] !== best[(y + 1) * width + x];
    partners.push(taken ? x : -1);
    x += taken ? 1 : 0;
  }
  return partners;
}

function likenessOf(words: readonly string[], others: readonly string[]): number {
  if (words.length === 0 || others.length === 0) {
    return 0;
  }
  const counts = new Map<string, number>();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  let common = 0;
  for (const word of others) {
    const left = counts.get(word) ?? 0;
    if (left > 0) {
      counts.set(word, left - 1);
      common++;
    }
  }
  return (2 * common) / (words.length + others.length);
}
