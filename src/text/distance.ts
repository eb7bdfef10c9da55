/** Remaining work, in cells of a distance table: a count, so that a slow machine gives the same answer. */
export interface WorkBudget {
  cells: number;
}

/**
 * Computes the edit distance of two texts (Levenshtein), within a band around the diagonal.
 *
 * @returns undefined if it is greater than `most` or exceeds the budget
 */
export function distanceWithin(
  one: string,
  other: string,
  most: number,
  budget: WorkBudget = { cells: Number.POSITIVE_INFINITY },
): number | undefined {
  if (Math.abs(one.length - other.length) > most) {
    return undefined;
  }
  const width = 2 * most + 1;
  budget.cells -= width * (one.length + 1);
  if (budget.cells < 0) {
    return undefined;
  }
  // row[column - line + most]: the distance between the prefixes of length `line` and `column`.
  let row = Int32Array.from({ length: width }, (_, index) => Math.abs(index - most));
  for (let line = 1; line <= one.length; line++) {
    const next = new Int32Array(width).fill(most + 1);
    for (let index = Math.max(0, most - line); index < width; index++) {
      const column = line + index - most;
      if (column > other.length) {
        break;
      }
      const replaced =
        column === 0
          ? most + 1
          : (row[index] ?? 0) + (one.charCodeAt(line - 1) === other.charCodeAt(column - 1) ? 0 : 1);
      const removed = (row[index + 1] ?? most) + 1;
      const added = column === 0 ? most + 1 : (next[index - 1] ?? most) + 1;
      next[index] = Math.min(replaced, removed, added);
    }
    row = next;
  }
  const distance = row[other.length - one.length + most] ?? most + 1;
  return distance <= most ? distance : undefined;
}
