import type { FileChange, NewContent } from "../../../ports/changes.js";
import { parentPath } from "../../../core/paths/pathShape.js";
import type { Effect } from "./compose.js";
import { sameEncoded } from "./images.js";
import type { Cell, Cells } from "./revert.js";
import type { Image, RecordedChange } from "./types.js";
import type { PlaceNow, UndoFile, UndoPlan } from "./undoPlan.js";

/**
 * Plans the changes that take each place from its current content to that of `cells`, one per file. Content that comes
 * from another place is moved, so that the editor and the user's later text go with it.
 *
 * @param made the folders that `foldersMade` returns
 */
export function undoChanges(
  groups: readonly Effect[][],
  made: ReadonlySet<string>,
  places: ReadonlyMap<string, PlaceNow>,
  cells: Cells,
): Pick<UndoPlan, "changes" | "undoes" | "files"> {
  const plan: Pick<UndoPlan, "changes" | "undoes" | "files"> = { changes: [], undoes: [], files: [] };
  for (const group of groups) {
    const first = plan.changes.length;
    const keys = [...new Set(group.toReversed().flatMap(({ from, to }) => [to.absolute, from.absolute]))];
    const movedFrom = new Map(
      keys.flatMap((key) => (isMovedTo(key, places, cells) ? [[cells.get(key)?.origin, key] as const] : [])),
    );
    for (const key of keys) {
      const target = movedFrom.get(key);
      const done =
        target === undefined
          ? changeAt(key, movedFrom, group, made, places, cells)
          : move(key, target, made, places, cells);
      if (done !== undefined) {
        plan.files.push(done.file);
        plan.changes.push(...done.changes);
      }
    }
    const indices = plan.changes.slice(first).map((_, index) => first + index);
    plan.undoes.push({ targets: group.flatMap(({ changes }) => changes), changes: indices });
  }
  return inOrder(plan);
}

interface Done {
  file: UndoFile;
  changes: FileChange[];
}

/** Whether a place that is empty now gets the content of another one, which is empty afterwards. */
function isMovedTo(key: string, places: ReadonlyMap<string, PlaceNow>, cells: Cells): boolean {
  const origin = cells.get(key)?.origin;
  return origin !== undefined && origin !== key && places.get(key)?.now === undefined && !cells.has(origin);
}

function move(
  key: string,
  target: string,
  made: ReadonlySet<string>,
  places: ReadonlyMap<string, PlaceNow>,
  cells: Cells,
): Done | undefined {
  const from = places.get(key);
  const to = places.get(target);
  const cell = cells.get(target);
  if (from?.now === undefined || to === undefined || cell === undefined) {
    return undefined;
  }
  const text =
    "text" in cell.image && "text" in from.now && cell.image.text !== from.now.text ? { text: cell.image.text } : {};
  return {
    file: { path: to.at.path, outcome: outcomeOf(cell) },
    changes: [{ kind: "move", at: from.at, to: to.at, before: from.now, ...text, ...foldersThatGo(key, made) }],
  };
}

function changeAt(
  key: string,
  movedFrom: ReadonlyMap<string | undefined, string>,
  group: readonly Effect[],
  made: ReadonlySet<string>,
  places: ReadonlyMap<string, PlaceNow>,
  cells: Cells,
): Done | undefined {
  const place = places.get(key);
  const cell = cells.get(key);
  if (place === undefined || [...movedFrom.values()].includes(key)) {
    return undefined;
  }
  const { at, now } = place;
  if (sameEncoded(now, cell?.image)) {
    // Report an empty place only if the tool had created a file there.
    const isTold =
      now !== undefined ||
      group.some(({ to, before, after }) => to.absolute === key && before === undefined && after !== undefined);
    return isTold ? { file: { path: at.path, outcome: "already" }, changes: [] } : undefined;
  }
  const file: UndoFile = { path: at.path, outcome: outcomeOf(cell) };
  if (cell === undefined) {
    return now && { file, changes: [{ kind: "delete", at, before: now, ...foldersThatGo(key, made) }] };
  }
  if (now === undefined) {
    const mode = group.find(({ from, before }) => from.absolute === key && before !== undefined)?.mode;
    return {
      file,
      changes: [{ kind: "create", at, content: contentOf(cell.image), ...(mode !== undefined && { mode }) }],
    };
  }
  if (!("text" in now) || !("text" in cell.image)) {
    return { file, changes: [{ kind: "overwrite", at, before: now, content: contentOf(cell.image) }] };
  }
  // The version identifies the current content; the encoding is the one to write the text in.
  return {
    file,
    changes: [
      { kind: "replace", at, before: { ...now, encoding: cell.image.encoding ?? now.encoding }, text: cell.image.text },
    ],
  };
}

function contentOf(image: Image): NewContent {
  return "bytes" in image
    ? { bytes: image.bytes }
    : { text: image.text, ...(image.encoding !== undefined && { encoding: image.encoding }) };
}

function outcomeOf(cell: Cell | undefined): "restored" | "merged" {
  return cell?.merged ? "merged" : "restored";
}

/**
 * Returns the folders that changes created, including those for files that were undone before: undoing the last file
 * left in a folder removes the folder too.
 */
export function foldersMade(changes: readonly RecordedChange[]): Set<string> {
  return new Set(
    changes.flatMap(({ absolute, toAbsolute = absolute, foldersMade }) => parents(toAbsolute).slice(0, foldersMade)),
  );
}

/**
 * Returns the created folders to remove with a place. Every file in a created folder names the folder: it is removed
 * with the last of them, in whatever order.
 */
function foldersThatGo(place: string, made: ReadonlySet<string>): { folders?: number } {
  const folders = parents(place).findIndex((folder) => !made.has(folder));
  return folders > 0 ? { folders } : {};
}

/** Returns the folders above a place, nearest first, root last. */
function parents(place: string): string[] {
  const folders: string[] = [];
  for (let folder = parentPath(place); folders.at(-1) !== folder; folder = parentPath(folder)) {
    folders.push(folder);
  }
  return folders;
}

/** Puts deletions first, so that a name that belonged to a folder is free for a file again. */
function inOrder({
  files,
  changes,
  undoes,
}: Pick<UndoPlan, "changes" | "undoes" | "files">): Pick<UndoPlan, "changes" | "undoes" | "files"> {
  const isDeletion = (index: number): boolean => changes[index]?.kind === "delete";
  const indices = changes.map((_, index) => index);
  const order = [...indices.filter(isDeletion), ...indices.filter((index) => !isDeletion(index))];
  return {
    files,
    changes: order.flatMap((index) => changes[index] ?? []),
    undoes: undoes.map((undo) => ({ ...undo, changes: undo.changes.map((index) => order.indexOf(index)) })),
  };
}
