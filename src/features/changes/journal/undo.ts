import type { GatedPath } from "../../../ports/files.js";
import { ToolError } from "../../../core/errors.js";
import { fileKey } from "../../../core/paths/fileKey.js";
import { isAbsolutePath, joinPath } from "../../../core/paths/pathShape.js";
import { shownName } from "../../../text/shownName.js";
import { withoutName } from "../../../text/withoutName.js";
import { compose, connected, foldersAbove, type Effect, type Place } from "./compose.js";
import { contentsIn, withEdited } from "./edited.js";
import { largeOf, sameImage } from "./images.js";
import { isInForce, type JournalQueries, type TurnKey } from "./queries.js";
import { composeByTurn, effectsOfParts, ofParts, partsAmong, tryRevert } from "./partialUndo.js";
import type { PartsOfUndo } from "./parts.js";
import type { Cell, Cells, RevertConflict } from "./revert.js";
import type { RecordedChange } from "./types.js";
import { foldersMade, isFolder, isSwapped, undoChanges } from "./undoChanges.js";
import type { PlaceNow, UndoPlan } from "./undoPlan.js";

/** What the hints of conflicts begin with; a door says how it is done there. */
export const OTHERS_ALONE = "Undo the other files alone";

/** Maximum number of files named that are in the way, or that others may have changed. */
const MAX_NAMED = 3;

/** Files as undo needs them. */
export interface UndoFiles {
  /** `Files.resolve`: a path that no longer passes the gate is not touched. */
  resolve(path: string): Promise<GatedPath>;
  /** `Files.outside`, if available: a change outside the workspace was permitted, and a person undoes it. */
  outside?(path: string): Promise<GatedPath>;
  /** `Files.resolveEntry`, if available. */
  resolveEntry?(path: string): Promise<GatedPath>;
  /** `Files.resolvePlace`, if available. */
  resolvePlace?(path: string): Promise<GatedPath>;
  /** Yields the paths, below it, of all that is in a folder; links are not followed. */
  below?(folder: GatedPath): AsyncIterable<string>;
  /**
   * Returns what is at a place: content as the editor shows it. Undefined if there is nothing.
   *
   * @param large see `Files.entry`
   */
  current(at: GatedPath, large?: number): Promise<PlaceNow["now"]>;
}

/**
 * The changes to undo: calls by their ids in the journal, or a whole turn; optionally only some of their changes, by
 * their ids, and only some of their files.
 */
export type UndoWhat = ({ calls: readonly number[] } | TurnKey) & {
  changes?: readonly number[];
  files?: readonly string[];
  /** What becomes of parts of them. */
  parts?: PartsOfUndo;
};

/**
 * Works out how to undo changes. What others may have made is only taken back alone: where none of the calls has other
 * changes, or of a file that is named and has no other. Each file is followed from its newest change to its oldest, so that one change
 * restores it however many calls changed it. Nobody's later work is lost: it is merged, or it is a conflict that stops
 * the whole undo.
 *
 * @throws ToolError `unknown_id` for a call that is not in the journal, `not_found` if there is nothing to undo or none
 *   of the changes concern one of `files`
 */
export async function planUndo(journal: JournalQueries, what: UndoWhat, files: UndoFiles): Promise<UndoPlan> {
  const turn = "calls" in what ? undefined : what;
  const calls =
    "calls" in what ? what.calls.map((id) => knownCall(journal, id)) : journal.calls(what).map(({ id }) => id);
  const changes = journal
    .changes(calls)
    .filter((change) => isInForce(change) && what.changes?.includes(change.id) !== false);
  const standing = journal.standing(changes);
  if (standing.length === 0) {
    const noted = calls.flatMap((id) => journal.call(id)?.notes ?? []);
    if (changes.length === 0 && noted.length > 0) {
      throw new ToolError("not_found", `Nothing to undo: no file was changed that undo takes back. ${noted.join(" ")}`);
    }
    const by = changes[0]?.undoneBy;
    throw by === undefined
      ? new ToolError("not_found", `Nothing to undo: the journal has none of its changes.${droppedNote(journal)}`)
      : new ToolError("not_found", "Nothing to undo: it was undone already.", `To bring it back, undo call ${by}.`);
  }
  const unsureCalls = new Set(calls.filter((id) => journal.call(id)?.perhapsOthers === true));
  const certain = standing.filter(({ call }) => !unsureCalls.has(call));
  const unsure = standing.filter(({ call }) => unsureCalls.has(call));
  const { parts } = what;
  const groupsOf = (made: readonly RecordedChange[]): Effect[][] => {
    const edited = withEdited(made, (ref) => journal.image(ref));
    // Lists name the parts of what one turn did.
    return connected(parts === undefined ? compose(edited) : inTime([composeByTurn(journal, edited)]));
  };
  let groups: Effect[][];
  let left: readonly RecordedChange[] = [];
  let found: ReturnType<typeof partsAmong> | undefined;
  const among = (effects: readonly Effect[]): ReturnType<typeof partsAmong> =>
    partsAmong(journal, parts ?? {}, parts === undefined ? [] : composeByTurn(journal, changes), effects);
  if (parts?.only !== undefined) {
    // Whoever points at lines of a file wants these back, whoever may have changed them.
    const all = groupsOf(standing).flat();
    found = among(all);
    groups = effectsOfParts(all, found.parts.only ?? []);
  } else if (what.files !== undefined) {
    const ours = groupsOf(certain);
    const others = groupsOf(unsure);
    const ofOurFiles = others.filter(touches(ours));
    const alone = others.filter((group) => !ofOurFiles.includes(group));
    groups = connected(inTime(await narrowed([...ours, ...alone], what.files, files)));
    const ids = new Set(
      ofOurFiles.filter(touches(groups)).flatMap((group) => group.flatMap(({ changes: own }) => own)),
    );
    left = unsure.filter(({ id }) => ids.has(id));
  } else if (certain.length > 0) {
    groups = groupsOf(certain);
    left = unsure;
  } else if (turn === undefined) {
    groups = groupsOf(unsure);
  } else {
    throw perhapsOthersError(unsure);
  }
  const places = new Map<string, PlaceNow>();
  const { parts: own, conflicts } = found ?? among(groups.flat());
  for (const { place, effects } of placesOf(groups.flat())) {
    await (isBehind(place, places) ? behind(place, files) : lookAt(place, effects, journal, files)).then(
      (now) => places.set(place.absolute, now),
      (error: unknown) => conflicts.push(refusal(place, error)),
    );
  }
  if (conflicts.length === 0) {
    const cells: Cells = new Map(
      [...places].flatMap(([key, { now }]) => (now === undefined ? [] : [[key, cellOf(key, now)]])),
    );
    for (const effect of groups.flat().reverse()) {
      const conflict = tryRevert(journal, effect, cells, own);
      if (conflict !== undefined) {
        conflicts.push(conflict);
      }
    }
    if (conflicts.length === 0) {
      conflicts.push(...(await inTheWayOf(places, cells, files)));
    }
    if (conflicts.length === 0) {
      const plan = undoChanges(groups, foldersMade(changes.filter((change) => !left.includes(change))), places, cells);
      return {
        ...(parts?.only === undefined ? plan : ofParts(plan, parts.only.length)),
        conflicts,
        dropped: turn === undefined ? 0 : journal.dropped(turn).calls,
        ...(left.length > 0 && { perhapsOthers: left }),
      };
    }
  }
  const inTheWay = [...new Set(conflicts.map(({ path }) => path))];
  return {
    changes: [],
    undoes: [],
    files: inTheWay.map((path) => ({ path, outcome: "conflict" })),
    conflicts,
    dropped: 0,
    ...(left.length > 0 && { perhapsOthers: left }),
  };
}

/** Builds the error that names every file, and its lines, where an undo would lose something; undefined if none. */
export function conflictError({ conflicts }: UndoPlan): ToolError | undefined {
  if (conflicts.length === 0) {
    return undefined;
  }
  const told = conflicts.map(({ path, reason, conflicts: places }) => {
    const lines = places.map(({ start, end }) => (end > start ? `${start}–${end}` : `${start}`)).join(", ");
    return `${path}${/^(?:is|has|was|leads) /.test(reason) ? "" : ":"} ${reason}${lines === "" ? "" : ` (line${places.length === 1 && !lines.includes("–") ? "" : "s"} ${lines})`}.`;
  });
  return new ToolError(
    "conflict",
    `Nothing was undone. ${told.join("\n")}`,
    `${OTHERS_ALONE}, or change these by hand.`,
  );
}

/** Builds the error for a turn of which nothing is left but what others may have made. */
function perhapsOthersError(changes: readonly RecordedChange[]): ToolError {
  const paths = [...new Set(changes.map(({ path, to }) => shownName(to ?? path)))];
  const more = paths.length - MAX_NAMED;
  const calls = [...new Set(changes.map(({ call }) => call))];
  return new ToolError(
    "not_found",
    `Nothing was undone: what is left of this turn changed while a command ran, perhaps by others: ${paths.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    `If the command made these changes, undo call ${calls.join(", call ")} (toolhost undo --id ${calls[0] ?? ""}, or Undo Change…). Earlier calls are undone in the same way.`,
  );
}

function knownCall(journal: JournalQueries, id: number): number {
  const call = journal.call(id);
  if (call === undefined) {
    throw new ToolError("unknown_id", `${id}: no such call in the undo journal.${droppedNote(journal)}`);
  }
  if (call.pending) {
    throw new ToolError("conflict", `${id}: this call is changing its files now.`, "Try again when it is done.");
  }
  return id;
}

function droppedNote(journal: JournalQueries): string {
  const { calls, until } = journal.dropped();
  return calls === 0 ? "" : ` ${calls} older calls, until ${new Date(until).toISOString()}, were dropped to make room.`;
}

/** Returns a test whether a group has to do with a place of other groups. */
function touches(others: readonly Effect[][]): (group: readonly Effect[]) => boolean {
  const places = new Set(others.flat().flatMap(({ from, to }) => [from.absolute, to.absolute]));
  return (group) => group.some(({ from, to }) => places.has(from.absolute) || places.has(to.absolute));
}

/** Returns the effects of groups, in the order of time. */
function inTime(groups: readonly Effect[][]): Effect[] {
  return groups.flat().sort((one, other) => (one.changes[0] ?? 0) - (other.changes[0] ?? 0));
}

/** Returns the groups that contain the caller's files, or files below the caller's folders. */
async function narrowed(groups: readonly Effect[][], paths: readonly string[], files: UndoFiles): Promise<Effect[][]> {
  const chosen = new Set<Effect[]>();
  for (const path of paths) {
    const keys = await keysOf(path, files);
    const isMeant = ({ absolute }: Place): boolean =>
      keys.some((key) => absolute === key || absolute.startsWith(key.endsWith("/") ? key : `${key}/`));
    const meant = groups.filter((effects) => effects.some(({ from, to }) => isMeant(from) || isMeant(to)));
    if (meant.length === 0) {
      throw await notChanged(path, groups, files);
    }
    meant.forEach((group) => chosen.add(group));
  }
  return groups.filter((group) => chosen.has(group));
}

/** Returns the keys that a caller's path may mean: of what it leads to, of a link itself, and of what is no longer there. */
async function keysOf(path: string, files: UndoFiles): Promise<string[]> {
  const own = [files.resolveEntry?.(path), files.resolvePlace?.(path)].flatMap((at) => at ?? []);
  const found = await Promise.all(own.map((at) => at.catch(() => undefined)));
  const keys = found.flatMap((at) => (at === undefined ? [] : [fileKey(at)]));
  // A path that leads out of the workspace by now is no error if a link there is meant.
  const led = await (files.outside?.(path) ?? files.resolve(path)).catch((error: unknown) => {
    if (keys.length === 0) {
      throw error;
    }
    return undefined;
  });
  return [...new Set([...keys, ...(led === undefined ? [] : [fileKey(led)])])];
}

/** Builds the error for a path of which, or below which, nothing was changed. */
async function notChanged(path: string, groups: readonly Effect[][], files: UndoFiles): Promise<ToolError> {
  const now = await files
    .resolve(path)
    .then((at) => files.current(at))
    .catch(() => undefined);
  const changed = [...new Set(groups.flat().map(({ to }) => to.path))];
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : "";
  return new ToolError(
    "not_found",
    isFolder(now)
      ? `${path}: the calls to undo changed nothing in this folder.`
      : `${path} was not changed by the calls to undo.`,
    `They changed ${changed.slice(0, MAX_NAMED).join(", ")}${more}.`,
  );
}

/**
 * Resolves a journal place through the gate again: it must still be the same file. It may be outside the workspace only
 * if it was so when it was changed, and therefore has an absolute path.
 */
async function lookAt(
  { path, absolute }: Place,
  effects: readonly Effect[],
  journal: JournalQueries,
  files: UndoFiles,
): Promise<PlaceNow> {
  const resolve = (name: string): Promise<GatedPath> =>
    (isAbsolutePath(path) && files.outside?.(name)) || files.resolve(name);
  let at = await resolve(path).catch(() => undefined);
  if (at === undefined || fileKey(at) !== absolute) {
    // The workspace may have different folders by now, or a link is there.
    const own = await files.resolveEntry?.(absolute).catch(() => undefined);
    at = own !== undefined && fileKey(own) === absolute ? own : await resolve(absolute);
  }
  if (fileKey(at) !== absolute) {
    throw new ToolError("outside_workspace", `${path} leads to another file now`);
  }
  const now = await files.current(at, largeOf(...effects));
  if (now === undefined || !("entry" in now) || !("large" in now.entry)) {
    return { at, now };
  }
  const { sha256 } = now.entry.large;
  if (contentsIn(effects).some(({ hash }) => hash === sha256)) {
    return { at, now: await files.current(at) };
  }
  // What is taken back has a copy in the state, from which an undo of the undo makes it again.
  const images = effects.flatMap(({ before, after }) => [before, after]).map((ref) => ref && journal.image(ref));
  const known = images.find((image) => image !== undefined && sameImage(image, now));
  const copy = known !== undefined && "entry" in known && "large" in known.entry ? known.entry.large.copy : undefined;
  const large = { ...now.entry.large, ...(copy !== undefined && { copy }) };
  return { at, now: { ...now, entry: { large } } };
}

/** Returns the places of effects, each once with those that concern it; a folder comes before what is in it. */
function placesOf(effects: readonly Effect[]): { place: Place; effects: Effect[] }[] {
  const found = new Map<string, { place: Place; effects: Effect[] }>();
  for (const effect of effects) {
    for (const place of [effect.from, effect.to]) {
      const known = found.get(place.absolute) ?? { place, effects: [] };
      found.set(place.absolute, known);
      if (known.effects.at(-1) !== effect) {
        known.effects.push(effect);
      }
    }
  }
  const ordered = new Set<string>();
  for (const place of found.keys()) {
    const above = foldersAbove(place).filter((folder) => found.has(folder));
    [...above.reverse(), place].forEach((each) => ordered.add(each));
  }
  return [...ordered].flatMap((place) => found.get(place) ?? []);
}

/** Whether one of the folders above a place is something else now: nothing is there, whatever a link leads to. */
function isBehind({ absolute }: Place, places: ReadonlyMap<string, PlaceNow>): boolean {
  return foldersAbove(absolute).some((folder) => {
    const now = places.get(folder)?.now;
    return now !== undefined && !isFolder(now);
  });
}

/** Returns a place where nothing is, and nothing is looked for. Writers check that it is in its folder by then. */
async function behind({ path, absolute }: Place, files: UndoFiles): Promise<PlaceNow> {
  const at = await (files.resolvePlace?.(absolute) ?? files.resolve(absolute));
  if (fileKey(at) !== absolute) {
    throw new ToolError("outside_workspace", `${path} leads to another file now`);
  }
  return { at, now: undefined };
}

/**
 * Returns what keeps folders and other things from swapping their places: what is in a folder that has to go, and is not
 * of the changes that are undone, and a folder that would not be one.
 */
async function inTheWayOf(
  places: ReadonlyMap<string, PlaceNow>,
  cells: Cells,
  files: UndoFiles,
): Promise<RevertConflict[]> {
  const conflicts: RevertConflict[] = [];
  for (const [key, { at, now }] of places) {
    const cell = cells.get(key);
    if (isFolder(now) && isSwapped(key, places, cells)) {
      const others: string[] = [];
      for await (const name of files.below?.(at) ?? []) {
        const below = joinPath(key, name);
        if (!places.has(below) || cells.has(below)) {
          others.push(name);
        }
        if (others.length > MAX_NAMED) {
          break;
        }
      }
      if (others.length > 0) {
        const more = others.length > MAX_NAMED ? " and more" : "";
        conflicts.push({
          path: at.path,
          reason: `is a folder now, and holds what the changes to undo did not put there: ${others.slice(0, MAX_NAMED).join(", ")}${more}`,
          conflicts: [],
        });
      }
    }
    const above = cell === undefined ? undefined : foldersAbove(key).find((folder) => isOther(cells.get(folder)));
    if (above !== undefined) {
      conflicts.push({
        path: at.path,
        reason: `was in the folder ${places.get(above)?.at.path ?? above}, which is something else now`,
        conflicts: [],
      });
    }
  }
  return conflicts;
}

/** Whether a place is to have something that is no folder. */
function isOther(cell: Cell | undefined): boolean {
  return cell !== undefined && !isFolder(cell.image);
}

function cellOf(origin: string, now: NonNullable<PlaceNow["now"]>): Cell {
  return { image: now, origin, merged: false, ...(now.mode !== undefined && { mode: now.mode }) };
}

function refusal({ path }: Place, error: unknown): RevertConflict {
  if (!(error instanceof ToolError)) {
    throw error;
  }
  const named = withoutName(error.message, path);
  // The path may be written in another form, such as the absolute one.
  const reason = named === error.message ? named.replace(/^[^:]*: /, "") : named;
  return { path, reason: reason.replace(/\.$/, ""), conflicts: [] };
}
