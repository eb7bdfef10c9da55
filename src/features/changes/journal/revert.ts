import { merge3, type MergeConflict } from "../../../text/diff/merge.js";
import type { Effect } from "./compose.js";
import { sameEncoded, sameImage } from "./images.js";
import type { Image } from "./types.js";

/** What stands at a place while effects are taken back, one after the other. */
export interface Cell {
  image: Image;
  /** The place whose present content this comes from; undefined for what is not there now. */
  origin: string | undefined;
  /** A person's text is in it, beside what stood before. */
  merged: boolean;
}

/** Places by their absolute path; one without a cell is empty. */
export type Cells = Map<string, Cell>;

/** Why an effect cannot be taken back without losing what somebody did since. */
export interface RevertConflict {
  path: string;
  reason: string;
  /** Where a person changed the same lines as the tool. */
  conflicts: MergeConflict[];
}

/**
 * Takes an effect back in `cells`. What is not as the tool left it is merged, if both did not change the same lines,
 * else it stays and the conflict is given back. What is already as before stays as well.
 */
export function revert(
  effect: Effect,
  before: Image | undefined,
  after: Image | undefined,
  cells: Cells,
): RevertConflict | undefined {
  const { from, to } = effect;
  if (before !== undefined && after !== undefined && from.absolute !== to.absolute) {
    return revertMove(effect, before, after, cells);
  }
  const place = before === undefined ? to : from;
  const here = cells.get(place.absolute);
  // It came and went, or it is as before already.
  if (sameEncoded(before, after) || sameEncoded(here?.image, before)) {
    return undefined;
  }
  const conflict = (reason: string, conflicts: MergeConflict[] = []): RevertConflict => ({
    path: place.path,
    reason,
    conflicts,
  });
  if (before === undefined) {
    if (!sameImage(here?.image, after)) {
      return conflict("was made by the tool and has been changed since; undoing would delete that");
    }
    cells.delete(place.absolute);
    return undefined;
  }
  if (after === undefined) {
    if (here !== undefined) {
      return conflict("was deleted by the tool, and another file stands there now");
    }
    cells.set(place.absolute, { image: before, origin: undefined, merged: false });
    return undefined;
  }
  if (here === undefined) {
    return conflict("has been deleted since");
  }
  const back = takeBack(here, before, after);
  if (!("image" in back)) {
    return conflict(back.reason, back.conflicts);
  }
  cells.set(place.absolute, back);
  return undefined;
}

function revertMove({ from, to }: Effect, before: Image, after: Image, cells: Cells): RevertConflict | undefined {
  const old = cells.get(from.absolute);
  const moved = cells.get(to.absolute);
  if (old !== undefined && sameImage(old.image, before) && (moved === undefined || sameImage(moved.image, after))) {
    // It is back already; or it was killed between giving the file its new name and taking the old one away.
    cells.delete(to.absolute);
    return undefined;
  }
  if (old !== undefined) {
    return {
      path: from.path,
      reason: `was moved to ${to.path} by the tool, and another file stands there now`,
      conflicts: [],
    };
  }
  if (moved === undefined) {
    return { path: to.path, reason: "has been deleted or moved since", conflicts: [] };
  }
  const back = takeBack(moved, before, after);
  if (!("image" in back)) {
    return { path: to.path, ...back };
  }
  cells.set(from.absolute, back);
  cells.delete(to.absolute);
  return undefined;
}

/** A file with the change from `before` to `after` taken back. */
function takeBack(here: Cell, before: Image, after: Image): Cell | { reason: string; conflicts: MergeConflict[] } {
  if (sameImage(before, after)) {
    const image =
      "text" in here.image && encodedAs(here.image, after)
        ? encodedFor(here.image, { ...before, text: here.image.text }, after)
        : here.image;
    return { ...here, image, merged: here.merged || !sameImage(here.image, after) };
  }
  if (sameImage(here.image, after)) {
    return { ...here, image: encodedFor(here.image, before, after) };
  }
  if (sameImage(here.image, before)) {
    return here;
  }
  if (!("text" in before) || !("text" in after) || !("text" in here.image)) {
    return { reason: "has been changed since, and is no text that could be merged", conflicts: [] };
  }
  const merge = merge3(after.text, here.image.text, before.text);
  if (!merge.ok) {
    return { reason: "has been changed since in the same lines", conflicts: merge.conflicts };
  }
  return { ...here, image: encodedFor(here.image, { ...before, text: merge.text }, after), merged: true };
}

/** Whether a text is written as the tool left it. */
function encodedAs(here: Image, after: Image): boolean {
  return "text" in here && "text" in after && here.encoding === after.encoding;
}

/** The encoding is the file's present one, unless the tool itself changed it. */
function encodedFor(here: Image, before: Image, after: Image): Image {
  if (!("text" in before) || !("text" in after) || !("text" in here) || before.encoding !== after.encoding) {
    return before;
  }
  return {
    text: before.text,
    ...(here.encoding !== undefined && { encoding: here.encoding }),
    unsaved: before.unsaved ?? false,
  };
}
