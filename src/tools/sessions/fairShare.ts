/**
 * Computes how much of each text may be shown so that all stay within a budget: short texts whole, long ones equally.
 *
 * @param lengths of the texts
 * @returns maximum length shown of any text
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
