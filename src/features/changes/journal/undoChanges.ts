import type { FileChange, NewContent, Snapshot } from "../../../ports/changes.js";
import type { EntryState, GatedPath } from "../../../ports/files.js";
import { foldersAbove, type Effect } from "./compose.js";
import { sameEncoded, sameImage } from "./images.js";
import type { Cell, Cells } from "./revert.js";
import type { Image, RecordedChange } from "./types.js";
import type { PlaceNow, UndoFile, UndoPlan } from "./undoPlan.js";

/**
 * Plans the changes that take each place from its current content to that of `cells`: one per file, besides its mode and
 * a link or folder in its place. Content that comes
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

/**
 * Whether a place that is empty now gets the content of another one, which is empty afterwards. A move can change a text,
 * but not make bytes of it.
 */
function isMovedTo(key: string, places: ReadonlyMap<string, PlaceNow>, cells: Cells): boolean {
  const { origin, image } = cells.get(key) ?? {};
  if (origin === undefined || origin === key || places.get(key)?.now !== undefined || cells.has(origin)) {
    return false;
  }
  // Where a folder and something else swap places, all that goes must be gone before anything comes.
  if ([...foldersAbove(key), ...foldersAbove(origin)].some((folder) => isSwapped(folder, places, cells))) {
    return false;
  }
  const now = places.get(origin)?.now;
  return (
    now !== undefined &&
    image !== undefined &&
    (("text" in now && "text" in image) || ("bytes" in now && sameImage(now, image)))
  );
}

/** Whether a place has a folder now and gets something else, or the other way round. */
export function isSwapped(key: string, places: ReadonlyMap<string, PlaceNow>, cells: Cells): boolean {
  const [now, then] = [places.get(key)?.now, cells.get(key)?.image];
  return now !== undefined && then !== undefined && isFolder(now) !== isFolder(then);
}

/** Whether an image is a folder. */
export function isFolder(image: Image | undefined): boolean {
  const entry = entryOf(image);
  return entry !== undefined && "folder" in entry;
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
  if (from?.now === undefined || "entry" in from.now || to === undefined || cell === undefined) {
    return undefined;
  }
  const text =
    "text" in cell.image && "text" in from.now && cell.image.text !== from.now.text ? { text: cell.image.text } : {};
  return {
    file: { path: to.at.path, outcome: outcomeOf(cell) },
    changes: [
      { kind: "move", at: from.at, to: to.at, before: from.now, ...text, ...foldersThatGo(key, made) },
      ...modeChanges(to.at, from.now.mode, cell),
    ],
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
  // What is in a folder that something else replaces goes before that, with all folders in it.
  const isReplaced = foldersAbove(key).some((folder) => isSwapped(folder, places, cells));
  const content = contentChanges(at, now, cell, isReplaced ? {} : foldersThatGo(key, made));
  const isMade = content.some(
    (change) => change.kind === "entry" && change.after !== undefined && "large" in change.after,
  );
  const changes = [
    ...content,
    // What takes the place of something else is made with its own mode.
    ...(now !== undefined && !isMade && (entryOf(now) === undefined) === (entryOf(cell?.image) === undefined)
      ? modeChanges(at, now.mode, cell)
      : []),
  ];
  if (changes.length === 0) {
    // Report an empty place only if the tool had created a file there.
    const isTold =
      now !== undefined ||
      group.some(({ to, before, after }) => to.absolute === key && before === undefined && after !== undefined);
    return isTold ? { file: { path: at.path, outcome: "already" }, changes: [] } : undefined;
  }
  return { file: { path: at.path, outcome: outcomeOf(cell) }, changes };
}

/** Plans the changes that take a place from its current content to that of a cell; none for an empty one. */
export function contentChanges(
  at: GatedPath,
  now: PlaceNow["now"],
  cell: Cell | undefined,
  folders: { folders?: number },
): FileChange[] {
  const image = cell?.image;
  if (sameEncoded(now, image)) {
    return [];
  }
  const [here, target] = [entryOf(now), entryOf(image)];
  const isLarge = [here, target].some((entry) => entry !== undefined && "large" in entry);
  if (here !== undefined && target !== undefined && !isLarge) {
    return [{ kind: "entry", at, before: here, after: writable(target) }, ...ownMode(at, target)];
  }
  if (here !== undefined || target !== undefined) {
    return [
      ...(here === undefined
        ? contentChanges(at, now, undefined, folders)
        : [{ kind: "entry" as const, at, before: here, ...(image === undefined && folders) }]),
      ...(target === undefined
        ? contentChanges(at, undefined, cell, folders)
        : now === undefined
          ? [{ kind: "entry" as const, at, after: withMode(target, cell?.mode) }]
          : [{ kind: "entry" as const, at, after: writable(withMode(target, cell?.mode)) }, ...ownMode(at, target)]),
    ];
  }
  // What is left is contents.
  const before = now as Snapshot | undefined;
  if (cell === undefined || image === undefined || "entry" in image) {
    const mode = now?.mode;
    return before === undefined
      ? []
      : [{ kind: "delete", at, before, ...folders, ...(mode !== undefined && { mode }) }];
  }
  if (before === undefined) {
    const { mode } = cell;
    return [{ kind: "create", at, content: contentOf(image), ...(mode !== undefined && { mode }) }];
  }
  if (!("text" in before) || !("text" in image)) {
    return [{ kind: "overwrite", at, before, content: contentOf(image) }];
  }
  // The version identifies the current content; the encoding is the one to write the text in.
  return [
    { kind: "replace", at, before: { ...before, encoding: image.encoding ?? before.encoding }, text: image.text },
  ];
}

/** What its owner needs to put files into a folder. */
const OWN_FOLDER = 0o700;

/** Returns a folder with a mode that lets its owner put files into it. */
function writable(entry: EntryState): EntryState {
  return "folder" in entry ? { folder: entry.folder | OWN_FOLDER } : entry;
}

/** Gives a folder its own mode once what is in it is there. */
function ownMode(at: GatedPath, entry: EntryState): FileChange[] {
  return "folder" in entry && (entry.folder & OWN_FOLDER) !== OWN_FOLDER
    ? [{ kind: "entry", at, before: { mode: entry.folder | OWN_FOLDER }, after: { mode: entry.folder } }]
    : [];
}

/** Returns a large file with the mode that its place is to have. */
function withMode(entry: EntryState, mode: number | undefined): EntryState {
  return "large" in entry && mode !== undefined ? { large: { ...entry.large, mode } } : entry;
}

/** Changes the mode of what stays at a place or is moved there. */
export function modeChanges(at: GatedPath, mode: number | undefined, cell: Cell | undefined): FileChange[] {
  return mode === undefined || cell?.mode === undefined || cell.mode === mode
    ? []
    : [{ kind: "entry", at, before: { mode }, after: { mode: cell.mode } }];
}

function entryOf(image: Image | undefined): EntryState | undefined {
  return image !== undefined && "entry" in image ? image.entry : undefined;
}

function contentOf(image: Exclude<Image, { entry: EntryState }>): NewContent {
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
    changes.flatMap(({ absolute, toAbsolute = absolute, foldersMade }) =>
      foldersAbove(toAbsolute).slice(0, foldersMade),
    ),
  );
}

/**
 * Returns the created folders to remove with a place. Every file in a created folder names the folder: it is removed
 * with the last of them, in whatever order.
 */
function foldersThatGo(place: string, made: ReadonlySet<string>): { folders?: number } {
  const folders = foldersAbove(place).findIndex((folder) => !made.has(folder));
  return folders > 0 ? { folders } : {};
}

/**
 * Puts deletions first, so that a name that belonged to a folder is free for a file again, and a folder is there before
 * what is in it. Folders that nothing replaces go once they are empty, and folders get their modes last, deepest first: a
 * mode may forbid to change what is in it.
 */
export function inOrder({
  files,
  changes,
  undoes,
}: Pick<UndoPlan, "changes" | "undoes" | "files">): Pick<UndoPlan, "changes" | "undoes" | "files"> {
  const replaced = replacedFolders(changes);
  const ranks = changes.map((change) => rankOf(change, changes, replaced));
  const depth = (index: number): number => foldersAbove(changes[index]?.at.absolute ?? "").length;
  const order = changes
    .map((_, index) => index)
    .sort((a, b) => {
      const rank = ranks[a] ?? 0;
      return rank - (ranks[b] ?? 0) || (FOLDERS.includes(rank) ? depth(b) - depth(a) : 0);
    });
  return {
    files,
    changes: order.flatMap((index) => changes[index] ?? []),
    undoes: undoes.map((undo) => ({ ...undo, changes: undo.changes.map((index) => order.indexOf(index)) })),
  };
}

/** The turns of changes, in their order. */
const GO = 0;
/** Folders that something else replaces, with those in them. */
const REPLACED_FOLDERS = 1;
/** Folders that replace something else. */
const NEW_FOLDERS = 2;
const COME = 3;
const FOLDERS_GO = 4;
const FOLDERS_COME = 5;
/** Those in which the deepest come first. */
const FOLDERS = [REPLACED_FOLDERS, FOLDERS_GO, FOLDERS_COME];

/** Returns the places of folders whose places other changes give to something else. */
function replacedFolders(changes: readonly FileChange[]): Set<string> {
  const isFolder = (entry: EntryState | undefined): boolean => entry !== undefined && "folder" in entry;
  return new Set(
    changes.flatMap((change) =>
      change.kind === "entry" &&
      isFolder(change.before) &&
      !isFolder(change.after) &&
      (change.after !== undefined ||
        changes.some((other) => other !== change && other.at.absolute === change.at.absolute))
        ? [change.at.absolute]
        : [],
    ),
  );
}

function rankOf(change: FileChange, all: readonly FileChange[], replaced: ReadonlySet<string>): number {
  if (change.kind !== "entry") {
    return change.kind === "delete" ? GO : COME;
  }
  const { at, before, after } = change;
  if (before !== undefined && "folder" in before && (after === undefined || !("folder" in after))) {
    return [at.absolute, ...foldersAbove(at.absolute)].some((place) => replaced.has(place))
      ? REPLACED_FOLDERS
      : FOLDERS_GO;
  }
  if (after === undefined) {
    return GO;
  }
  if ("link" in after || "large" in after) {
    return COME;
  }
  const isReplacing =
    "folder" in after &&
    (before !== undefined || all.some((other) => other !== change && isRemoval(other, at.absolute)));
  return isReplacing ? NEW_FOLDERS : FOLDERS_COME;
}

/** Whether a change leaves nothing at a place. */
function isRemoval(change: FileChange, place: string): boolean {
  const isGone = change.kind === "delete" || (change.kind === "entry" && change.after === undefined);
  return isGone && change.at.absolute === place;
}
