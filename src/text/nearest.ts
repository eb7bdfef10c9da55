import { distanceWithin } from "./distance.js";

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

/** Order of two strings by UTF-16 code units: the same on every machine, unlike a locale's order. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `filePath`, `file_path` and `file-path` are the same name to a model. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
