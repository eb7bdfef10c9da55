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

/** The part of a text that is most similar to another text. */
export interface SimilarPart {
  distance: number;
  start: number;
  end: number;
}

/**
 * Finds the part of `text` with the smallest edit distance to `wanted`, the first of several.
 *
 * @returns undefined if its distance is greater than `most` or exceeds the budget
 */
export function similarPart(
  wanted: string,
  text: string,
  most: number,
  budget: WorkBudget = { cells: Number.POSITIVE_INFINITY },
): SimilarPart | undefined {
  budget.cells -= (wanted.length + 1) * (text.length + 1);
  if (budget.cells < 0) {
    return undefined;
  }
  // For each length of a prefix of `wanted`: its distance to the best part that ends here, and where that part starts.
  const distances = Int32Array.from({ length: wanted.length + 1 }, (_, length) => length);
  const starts = new Int32Array(wanted.length + 1);
  let best: SimilarPart = { distance: wanted.length, start: 0, end: 0 };
  for (let end = 1; end <= text.length; end++) {
    let [diagonal, diagonalStart] = [0, end - 1];
    starts[0] = end;
    for (let length = 1; length <= wanted.length; length++) {
      const [above, aboveStart] = [distances[length] ?? 0, starts[length] ?? 0];
      const isSame = wanted.charCodeAt(length - 1) === text.charCodeAt(end - 1);
      let [distance, start] = [diagonal + (isSame ? 0 : 1), diagonalStart];
      if (above + 1 < distance) {
        [distance, start] = [above + 1, aboveStart];
      }
      if ((distances[length - 1] ?? 0) + 1 < distance) {
        [distance, start] = [(distances[length - 1] ?? 0) + 1, starts[length - 1] ?? 0];
      }
      [diagonal, diagonalStart] = [above, aboveStart];
      distances[length] = distance;
      starts[length] = start;
    }
    const distance = distances[wanted.length] ?? 0;
    if (distance < best.distance) {
      best = { distance, start: starts[wanted.length] ?? 0, end };
    }
  }
  return best.distance <= most ? best : undefined;
}
