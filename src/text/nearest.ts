import { distanceWithin } from "./distance.js";

/** Longer names are not compared: no real name is longer, and the distance costs length × length. */
const MAX_COMPARED_LENGTH = 64;

/**
 * Returns the candidates that a mistyped name most likely meant, best first.
 *
 * A candidate counts if its edit distance is within a third of the longer length (at least 2), or if one name contains
 * the other (`file_path` for `path`).
 *
 * @param name the given name
 * @param candidates the names that exist
 * @param limit maximum number returned
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
    const allowed = Math.max(2, Math.floor(Math.max(wanted.length, known.length) / 3));
    const distance = distanceWithin(wanted, known, allowed);
    const contained = wanted.length >= 3 && known.length >= 3 && (wanted.includes(known) || known.includes(wanted));
    if (distance !== undefined && distance < Math.max(wanted.length, known.length)) {
      scored.push({ candidate, distance });
    } else if (contained) {
      scored.push({ candidate, distance: allowed + 1 });
    }
  }
  scored.sort((a, b) => a.distance - b.distance || compareCodeUnits(a.candidate, b.candidate));
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

/** Compares two strings by UTF-16 code units: the same order on every machine, unlike a locale's. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Folds a name: `filePath`, `file_path` and `file-path` are the same to a model. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
