/**
 * Code units of one answer's list: 100,000 tokens or so, past which no model follows and clients cut where they like.
 */
const MAX_ANSWER = 400_000;

/**
 * How many of the parts, from the first on, fit into an answer; at least one where there is one, so that
 * following the pages always gets on.
 *
 * @param lengths code units of each part
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
