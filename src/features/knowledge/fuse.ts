// Combines the ranking by words with the one by embeddings. A user's model may be weak, and what words find at the top must
// not be lost by it: with reciprocal ranks alone, a chunk in the middle of both lists comes before the first of either.

/** How much the ranking by embeddings counts beside that by words, and the constant of reciprocal rank fusion. */
export interface Fusion {
  constant: number;
  weight: number;
}

/** From Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009. */
export const OF_TEXTS: Fusion = { constant: 60, weight: 1 };
/**
 * Names of symbols make the words of code the better judge. Chosen on rxjs with a small model for sentences
 * (docs/benchmarks.md): with the usual values, it halved what is found.
 */
export const OF_CODE: Fusion = { constant: 20, weight: 0.25 };

/** A hit that words find as the n-th has at most this many times n as its place. */
const LATEST = 2;
/** From this place on, each fifth is of the chunk that is nearest of those not shown yet, for what no word finds. */
const FIRST_NEAREST = 10;
const EVERY = 5;

/**
 * Returns the items of two rankings in one order, best first.
 *
 * @param words by words, best first
 * @param near by embeddings, best first
 */
export function fuseRankings<Item>(words: readonly Item[], near: readonly Item[], fusion: Fusion): Item[] {
  const shares = new Map<Item, number>();
  words.forEach((item, rank) => shares.set(item, 1 / (fusion.constant + rank + 1)));
  near.forEach((item, rank) =>
    shares.set(item, (shares.get(item) ?? 0) + fusion.weight / (fusion.constant + rank + 1)),
  );
  const best = [...shares].sort((a, b) => b[1] - a[1]).map(([item]) => item);
  const order = new Set<Item>();
  const [byWords, byNearness, byBoth] = [words, near, best].map((list) => firstMissing(list, order));
  for (let place = 1; place <= best.length; place++) {
    const due = byWords?.();
    const isDue = due !== undefined && place >= LATEST * (due.index + 1);
    const isNearest = place >= FIRST_NEAREST && (place - FIRST_NEAREST) % EVERY === 0;
    const next = (isDue ? due : undefined) ?? (isNearest ? byNearness?.() : undefined) ?? byBoth?.();
    if (next !== undefined) {
      order.add(next.item);
    }
  }
  return [...order];
}

/** Returns a function that finds the first item of a list which is not in `taken` yet. */
function firstMissing<Item>(
  list: readonly Item[],
  taken: ReadonlySet<Item>,
): () => { item: Item; index: number } | undefined {
  let index = 0;
  return () => {
    for (; index < list.length; index++) {
      const item = list[index];
      if (item !== undefined && !taken.has(item)) {
        return { item, index };
      }
    }
    return undefined;
  };
}
