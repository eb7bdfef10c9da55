/**
 * How much of each text may be shown, so that all together stay within a budget: short ones whole, the long ones alike.
 *
 * @param lengths of the texts
 * @returns the most that any text may show
 */
export function fairShare(lengths: readonly number[], budget: number): number {
  let left = budget;
  const sorted = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) {
      return share;
    }
    left -= length;
  }
  return budget;
}
