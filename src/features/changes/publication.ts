import { ToolError } from "../../core/errors.js";
import { fileKey } from "../../core/paths/fileKey.js";
import { parentPath } from "../../core/paths/pathShape.js";
import type { FileChange } from "../../ports/changes.js";
import type { FileEffect } from "../../ports/effects.js";
import type { EntryState, Files } from "../../ports/files.js";
import { entryPlace, type CommandFiles } from "./commandChanges.js";
import { changedLines } from "./journal/changedLines.js";
import { octal } from "./journal/images.js";
import type { Cell } from "./journal/revert.js";
import type { Image } from "./journal/types.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { contentChanges, inOrder, modeChanges } from "./journal/undoChanges.js";
import { undoFiles } from "./journal/undoFiles.js";
import type { PlaceNow } from "./journal/undoPlan.js";

/** Maximum characters of the diffs that are shown of a publication, and of the texts of a file of which one is made. */
const MAX_DIFF = 12_000;
const MAX_COMPARED = 400_000;

/** What a contained command made of a file, link or folder in its view of the workspace. */
export interface ViewChange {
  /** As people write it. */
  path: string;
  /** Its real path. */
  absolute: string;
  /** Undefined if nothing is there any more. */
  after?: Uint8Array | EntryState;
  /** Permission bits of the file. */
  mode?: number;
}

/** The changes of the workspace that make it what a command left in its view. */
interface Publication {
  changes: FileChange[];
  effects: FileEffect[];
  /** The place of each effect. */
  places: Place[];
}

/**
 * Plans the changes that make the workspace what a contained command left in its view, like an undo to that state.
 *
 * @param newFolder the mode of new folders
 * @throws ToolError if a path leads elsewhere, an editor has unsaved text of a file, or a file cannot be read
 */
export async function planPublication(
  changes: readonly ViewChange[],
  { files, decode }: CommandFiles,
  newFolder: number,
): Promise<Publication> {
  const places: Place[] = [];
  for (const { after, mode, ...change } of changes) {
    const { at, now } = await placeOf(change, changes, files);
    const image = after instanceof Uint8Array ? await decode(at, after) : after && { entry: after };
    places.push({ at, now, cell: image && cellOf(image, mode) });
  }
  const gone = new Set(
    places.flatMap(({ at, now, cell }) => (cell === undefined && isFolder(now) ? [at.absolute] : [])),
  );
  const publication: Publication = { changes: [], effects: [], places: [] };
  for (const place of places.filter((each) => !comesWithFiles(each, places, newFolder))) {
    const made = changesOf(place, gone);
    publication.changes.push(...made);
    if (made.length > 0) {
      publication.effects.push(effectOf(place));
      publication.places.push(place);
    }
  }
  return { ...publication, changes: inOrder({ changes: publication.changes, undoes: [], files: [] }).changes };
}

/** Returns the diffs of the texts that a publication changes: the first of them, up to `MAX_DIFF` characters. */
export function publicationDiff({ places }: Publication): string {
  const diffs: string[] = [];
  let room = MAX_DIFF;
  for (const { at, now, cell } of places) {
    const [before, after] = [now, cell?.image].map((image) => (image && "text" in image ? image.text : undefined));
    if ((before ?? after) === undefined) {
      continue;
    }
    const diff =
      room > 0 && (before ?? "").length + (after ?? "").length <= MAX_COMPARED ? fileDiff(at.path, before, after) : "";
    room -= diff.length;
    if (diff !== "" && room >= 0) {
      diffs.push(diff);
    }
  }
  return diffs.join("\n");
}

/** What is at a path and what is to be there; nothing if there is no cell. */
interface Place extends PlaceNow {
  cell: Cell | undefined;
}

async function placeOf({ path, absolute }: ViewChange, all: readonly ViewChange[], files: Files): Promise<PlaceNow> {
  if (await isBehind(absolute, all, files)) {
    const at = await (files.resolvePlace?.(path) ?? entryPlace(files, path));
    if (fileKey(at) === absolute) {
      return { at, now: undefined };
    }
  }
  const at = await entryPlace(files, path);
  if (fileKey(at) !== absolute) {
    throw new ToolError("stale", `${path} leads elsewhere now.`);
  }
  const now = await undoFiles(files).current(at);
  if (now !== undefined && "unsaved" in now && now.unsaved) {
    throw new ToolError("stale", `${path} has changes in the editor that are not saved.`);
  }
  return { at, now };
}

/** Whether one of the folders above a path, which the command made, is something else as yet: nothing is there then. */
async function isBehind(absolute: string, all: readonly ViewChange[], files: Files): Promise<boolean> {
  for (const { path, absolute: folder, after } of all) {
    if (after === undefined || !("folder" in after) || !absolute.startsWith(`${folder}/`)) {
      continue;
    }
    const now = await undoFiles(files).current(await entryPlace(files, path));
    if (now !== undefined && !isFolder(now)) {
      return true;
    }
  }
  return false;
}

/** Whether a folder is made with the files in it, or goes with them. */
function comesWithFiles({ at, now, cell }: Place, all: readonly Place[], newFolder: number): boolean {
  const state = [now, cell?.image].flatMap((image) => (image !== undefined && "entry" in image ? [image.entry] : []));
  const [folder] = state;
  if ((now !== undefined && cell !== undefined) || isInSwapped(at.absolute, all)) {
    return false;
  }
  if (state.length !== 1 || folder === undefined || !("folder" in folder) || folder.folder !== newFolder) {
    return false;
  }
  const isGone = cell === undefined;
  return all.some(
    (other) =>
      other.at.absolute.startsWith(`${at.absolute}/`) &&
      (isGone
        ? other.cell === undefined && !isFolder(other.now)
        : other.cell !== undefined && !("entry" in other.cell.image)),
  );
}

/** Whether a path is in a folder that replaces something else or is replaced: everything in such a folder is listed. */
function isInSwapped(path: string, all: readonly Place[]): boolean {
  return all.some(
    ({ at, now, cell }) =>
      path.startsWith(`${at.absolute}/`) &&
      now !== undefined &&
      cell !== undefined &&
      modeOf(cell) === undefined &&
      isFolder(now) !== isFolder(cell.image),
  );
}

/** @param gone folders that go */
function changesOf({ at, now, cell }: Place, gone: ReadonlySet<string>): FileChange[] {
  const mode = modeOf(cell);
  if (mode !== undefined) {
    const before = now !== undefined && "entry" in now && "folder" in now.entry ? now.entry.folder : now?.mode;
    return before === undefined || before === mode
      ? []
      : [{ kind: "entry", at, before: { mode: before }, after: { mode } }];
  }
  const folders = cell === undefined ? foldersAbove(at.absolute, gone) : 0;
  return [
    ...contentChanges(at, now, cell, folders === 0 ? {} : { folders }),
    ...(now === undefined || "entry" in now || cell === undefined || "entry" in cell.image
      ? []
      : modeChanges(at, now.mode, cell)),
  ];
}

/** Returns how many of the folders above a path go, nearest first. */
function foldersAbove(path: string, gone: ReadonlySet<string>): number {
  let count = 0;
  for (let folder = parentPath(path); gone.has(folder); folder = parentPath(folder)) {
    count++;
  }
  return count;
}

/** Returns the mode that a folder or file gets, apart from which it stays. */
function modeOf(cell: Cell | undefined): number | undefined {
  const image = cell?.image;
  return image !== undefined && "entry" in image && "mode" in image.entry ? image.entry.mode : undefined;
}

function isFolder(image: Image | undefined): boolean {
  return image !== undefined && "entry" in image && "folder" in image.entry;
}

function cellOf(image: Image, mode: number | undefined): Cell {
  return { image, origin: undefined, merged: false, ...(mode !== undefined && { mode }) };
}

function effectOf({ at: { path }, now, cell }: Place): FileEffect {
  const after = cell?.image;
  const mode = modeOf(cell);
  if (mode !== undefined) {
    const before = now !== undefined && "entry" in now && "folder" in now.entry ? now.entry.folder : now?.mode;
    return { kind: "mode", path, mode: `${octal(before ?? 0)}→${octal(mode)}` };
  }
  const [before, text] = [now, after].map((image) =>
    image === undefined ? "" : "text" in image ? image.text : undefined,
  );
  const ofFolder = isFolder(now) || isFolder(after);
  return {
    kind: now === undefined ? "created" : after === undefined ? "deleted" : "changed",
    path: ofFolder ? `${path}/` : path,
    ...(!ofFolder && before !== undefined && text !== undefined && { lines: changedLines(before, text) }),
  };
}
