/**
 * Maximum code units of a list in one answer, about 100,000 tokens: no model keeps track of more, and clients cut
 * longer answers at arbitrary places.
 */
const MAX_ANSWER = 400_000;

/**
 * Returns how many parts, counted from the first, fit into an answer: at least one if there are any, so that paging
 * always makes progress.
 *
 * @param lengths each part's length, in code units
 */
export function countFitting(lengths: Iterable<number>, max = MAX_ANSWER): number {
  let count = 0;
  let sum = 0;
  for (const length of lengths) {
    sum += length + 1;
    if (count > 0 && sum > max) {
      break;
    }
    count++;
  }
  return count;
}
