import { parentPath } from "../../../core/paths/pathShape.js";
import { sameRef } from "./images.js";
import type { ChangeKind, ImageRef, RecordedChange } from "./types.js";

/** A file's path as people write it, and its key for locks. */
export interface Place {
  path: string;
  absolute: string;
}

/**
 * The net effect of changes on one file: it was at `from` and contained `before`, it is at `to` and contains `after`.
 * Without `before` it is new, without `after` it is gone, without both it was created and deleted again.
 */
export interface Effect {
  from: Place;
  to: Place;
  before: ImageRef | undefined;
  after: ImageRef | undefined;
  foldersMade: number;
  /** Permission bits of the file before, if known. */
  mode: number | undefined;
  /** The changes it is made of. */
  changes: number[];
}

/**
 * Joins consecutive changes of a file if each starts from the content that the previous one left. If a person changed
 * the file between two of them, they stay separate, so that undoing both does not lose that edit.
 *
 * @param changes oldest first
 */
export function compose(changes: readonly RecordedChange[]): Effect[] {
  const effects: Effect[] = [];
  for (const change of changes.map(effectOf)) {
    const at = effects.findLastIndex((earlier) => touches(earlier, change));
    const earlier = effects[at];
    if (
      earlier !== undefined &&
      earlier.to.absolute === change.from.absolute &&
      sameRef(earlier.after, change.before)
    ) {
      effects[at] = join(earlier, change);
    } else {
      effects.push(change);
    }
  }
  return effects;
}

/**
 * Groups effects that share a file, or of which one made a folder something else, or something else a folder, and the
 * other is in that folder: none can be undone without the other. Within a group they are in the order of time.
 */
export function connected(effects: readonly Effect[]): Effect[][] {
  const groups: { places: Set<string>; effects: Effect[] }[] = [];
  const swapped = swappedPlaces(effects);
  for (const effect of effects) {
    const own = [effect.from.absolute, effect.to.absolute];
    const places = [...own, ...own.flatMap((place) => foldersAbove(place).filter((folder) => swapped.has(folder)))];
    const joined = groups.filter((group) => places.some((place) => group.places.has(place)));
    const merged = {
      places: new Set([...joined.flatMap((group) => [...group.places]), ...places]),
      effects: [...joined.flatMap((group) => group.effects), effect],
    };
    groups.splice(0, groups.length, ...groups.filter((group) => !joined.includes(group)), merged);
  }
  // Effects of groups that were joined come in the wrong order: restore the order of time.
  return groups.map((group) => effects.filter((effect) => group.effects.includes(effect)));
}

/** Returns the places where effects made a folder something else, or something else a folder. */
function swappedPlaces(effects: readonly Effect[]): Set<string> {
  // What was there, and what is, may be told by several effects: a file that is gone, and a folder that is new.
  const forms = new Map<string, { folder: boolean; other: boolean }>();
  for (const { from, to, before, after } of effects) {
    for (const [place, image] of [[from.absolute, before] as const, [to.absolute, after] as const]) {
      if (image !== undefined && image.form !== "mode") {
        const known = forms.get(place) ?? { folder: false, other: false };
        forms.set(place, {
          folder: known.folder || image.form === "folder",
          other: known.other || image.form !== "folder",
        });
      }
    }
  }
  return new Set([...forms].flatMap(([place, { folder, other }]) => (folder && other ? [place] : [])));
}

/** Returns the folders above a place, nearest first, root last. */
export function foldersAbove(place: string): string[] {
  const folders: string[] = [];
  for (let folder = parentPath(place); folders.at(-1) !== folder; folder = parentPath(folder)) {
    folders.push(folder);
  }
  return folders;
}

/** Returns the kind of change that has this effect. */
export function kindOf({ from, to, before, after }: Effect): ChangeKind {
  return before === undefined
    ? "create"
    : after === undefined
      ? "delete"
      : from.absolute === to.absolute
        ? "replace"
        : "move";
}

function effectOf(change: RecordedChange): Effect {
  const from = { path: change.path, absolute: change.absolute };
  const to = { path: change.to ?? change.path, absolute: change.toAbsolute ?? change.absolute };
  return {
    from,
    to,
    before: change.before,
    after: change.after,
    foldersMade: change.foldersMade,
    mode: change.mode,
    changes: [change.id],
  };
}

/** Whether an effect concerns one of a later change's files. */
function touches(earlier: Effect, change: Effect): boolean {
  return [earlier.from, earlier.to].some(
    ({ absolute }) => absolute === change.from.absolute || absolute === change.to.absolute,
  );
}

function join(earlier: Effect, later: Effect): Effect {
  const { before } = earlier;
  const { after } = later;
  const isElsewhere = later.from.absolute !== later.to.absolute;
  return {
    // A new file was nowhere before; a deleted one is nowhere now.
    from: before === undefined ? later.to : earlier.from,
    to: after === undefined ? earlier.from : later.to,
    before,
    after,
    foldersMade: isElsewhere ? later.foldersMade : earlier.foldersMade + later.foldersMade,
    mode: later.mode ?? earlier.mode,
    changes: [...earlier.changes, ...later.changes],
  };
}
