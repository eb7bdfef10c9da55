import { merge3, type MergeConflict } from "../../../text/diff/merge.js";
import type { Effect, Place } from "./compose.js";
import { sameEncoded, sameImage } from "./images.js";
import type { Image } from "./types.js";

/** The content of a place while effects are undone one after another. */
export interface Cell {
  image: Image;
  /** The place whose current content this comes from; undefined if it does not exist now. */
  origin: string | undefined;
  /** Whether it contains a person's edits as well as the earlier text. */
  merged: boolean;
  /** Its permission bits, if they are known. */
  mode?: number;
}

/** Cells by absolute path; a place without a cell is empty. */
export type Cells = Map<string, Cell>;

/** Why an effect cannot be undone without losing later changes. */
export interface RevertConflict {
  path: string;
  reason: string;
  /** Places where a person changed the same lines as the tool. */
  conflicts: MergeConflict[];
}

/**
 * Undoes an effect in `cells`. A file that has changed since the tool left it is merged if the changes are on different
 * lines; otherwise it stays and the conflict is returned. A file that is already back in its earlier state stays as
 * well.
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
  const modes = [before, after].map((image) =>
    image !== undefined && "entry" in image && "mode" in image.entry ? image.entry.mode : undefined,
  );
  if (modes[0] !== undefined && modes[1] !== undefined) {
    return revertMode(to, modes[0], modes[1], cells);
  }
  const place = before === undefined ? to : from;
  const here = cells.get(place.absolute);
  // It was created and deleted again, or it is already back.
  if (sameEncoded(before, after) || sameEncoded(here?.image, before)) {
    return undefined;
  }
  const conflict = (reason: string, conflicts: MergeConflict[] = []): RevertConflict => ({
    path: place.path,
    reason: here !== undefined && isFolder(here.image) ? "is a folder now" : reason,
    conflicts,
  });
  if (before === undefined) {
    if (!sameImage(here?.image, after)) {
      return conflict("was created by the tool and changed since; undoing would delete those changes");
    }
    cells.delete(place.absolute);
    return undefined;
  }
  if (after === undefined) {
    if (here !== undefined) {
      return conflict("was deleted by the tool, and another file is there now");
    }
    const { mode } = effect;
    cells.set(place.absolute, {
      ...{ image: before, origin: undefined, merged: false },
      ...(mode !== undefined && { mode }),
    });
    return undefined;
  }
  if (here === undefined) {
    return conflict("has been deleted since");
  }
  const back = takeBack(here, before, after);
  if (!("image" in back)) {
    return conflict(back.reason, back.conflicts);
  }
  // What was not a file has no mode for the file that was there before.
  const mode = "entry" in after && !("entry" in before) ? effect.mode : undefined;
  cells.set(place.absolute, { ...back, ...(mode !== undefined && { mode }) });
  return undefined;
}

/** Takes back the bits of a mode that a change set or cleared; those that others have changed stay as they are. */
function revertMode(place: Place, before: number, after: number, cells: Cells): RevertConflict | undefined {
  const here = cells.get(place.absolute);
  if (here?.mode === undefined) {
    const reason = here === undefined ? "has been deleted since" : "is not a file or folder now";
    return { path: place.path, reason, conflicts: [] };
  }
  const changed = before ^ after;
  const mode = (here.mode & ~changed) | (before & changed);
  cells.set(place.absolute, { ...here, mode, merged: here.merged || mode !== before });
  return undefined;
}

function isFolder(image: Image): boolean {
  return "entry" in image && "folder" in image.entry;
}

function revertMove({ from, to }: Effect, before: Image, after: Image, cells: Cells): RevertConflict | undefined {
  const old = cells.get(from.absolute);
  const moved = cells.get(to.absolute);
  if (old !== undefined && sameImage(old.image, before) && (moved === undefined || sameImage(moved.image, after))) {
    // It is back already, or the process was killed between giving the file its new name and removing the old one.
    cells.delete(to.absolute);
    return undefined;
  }
  if (old !== undefined) {
    return {
      path: from.path,
      reason: `was moved to ${to.path} by the tool, and another file is there now`,
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

/** Removes the change from `before` to `after` from a file's current content. */
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
    return { reason: "has been changed since, and is not text that could be merged", conflicts: [] };
  }
  const merge = merge3(after.text, here.image.text, before.text);
  if (!merge.ok) {
    return { reason: "has been changed since in the same lines", conflicts: merge.conflicts };
  }
  return { ...here, image: encodedFor(here.image, { ...before, text: merge.text }, after), merged: true };
}

/** Whether a text has the encoding the tool gave it. */
function encodedAs(here: Image, after: Image): boolean {
  return "text" in here && "text" in after && here.encoding === after.encoding;
}

/** Applies the file's current encoding, unless the tool itself changed the encoding. */
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
