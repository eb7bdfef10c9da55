import { diffArrays } from "diff";

/** Maximum number of differences: the library's work grows with their square. */
const MAX_DIFFERENCES = 1000;

/**
 * Aligns two sequences by a shortest edit script.
 *
 * @returns for each item of `after`, the index of the `before` item it was kept from, or -1 if it is new; undefined if
 * the sequences differ in more than a thousand places
 */
export function alignEqual(before: readonly string[], after: readonly string[]): Int32Array | undefined {
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_DIFFERENCES });
  if (parts === undefined) {
    return undefined;
  }
  const stays = new Int32Array(after.length).fill(-1);
  let [x, y] = [0, 0];
  for (const { added, removed, count } of parts) {
    for (let index = 0; !added && !removed && index < count; index++) {
      stays[y + index] = x + index;
    }
    x += added ? 0 : count;
    y += removed ? 0 : count;
  }
  return stays;
}
