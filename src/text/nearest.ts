/** Names longer than this are not compared: no real name is, and the distance costs length × length. */
const MAX_COMPARED_LENGTH = 64;

/**
 * The candidates a mistyped name most likely meant, best first.
 *
 * A candidate counts when it is within a third of the longer length in edits (at least 2), or when one
 * name holds the other as a whole word part (`file_path` for `path`).
 *
 * @param name what was given
 * @param candidates the names that exist
 * @param limit at most this many are returned
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  if (name.length === 0 || name.length > MAX_COMPARED_LENGTH) {
    return [];
  }
  const wanted = fold(name);
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    if (candidate.length > MAX_COMPARED_LENGTH) {
      continue;
    }
    const known = fold(candidate);
    const distance = editDistance(wanted, known);
    const allowed = Math.max(2, Math.floor(Math.max(wanted.length, known.length) / 3));
    const contained = wanted.length >= 3 && known.length >= 3 && (wanted.includes(known) || known.includes(wanted));
    if (distance <= allowed && distance < Math.max(wanted.length, known.length)) {
      scored.push({ candidate, distance });
    } else if (contained) {
      scored.push({ candidate, distance: allowed + 1 });
    }
  }
  scored.sort((a, b) => a.distance - b.distance || compareCodeUnits(a.candidate, b.candidate));
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

/** Order of two strings by UTF-16 code units: the same on every machine, unlike a locale's order. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `filePath`, `file_path` and `file-path` are the same name to a model. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Levenshtein distance with a swap of neighbours as one edit (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
