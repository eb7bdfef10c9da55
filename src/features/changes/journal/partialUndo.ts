import { ToolError } from "../../../core/errors.js";
import { compose, type Effect } from "./compose.js";
import { keysAmong } from "./listedParts.js";
import { comparedParts, firstChangeOf, textsOfUndo, type PartsOfUndo } from "./parts.js";
import type { JournalQueries } from "./queries.js";
import { revert, type Cells, type RevertConflict } from "./revert.js";
import type { Image, ImageRef, RecordedChange } from "./types.js";
import type { UndoPlan } from "./undoPlan.js";

/** Joins changes as `compose` does, but not those of different turns. */
export function composeByTurn(journal: JournalQueries, changes: readonly RecordedChange[]): Effect[] {
  const turns = new Map<string, RecordedChange[]>();
  for (const change of changes) {
    const { session, turn } = journal.call(change.call) ?? {};
    const key = JSON.stringify([session, turn]);
    turns.set(key, [...(turns.get(key) ?? []), change]);
  }
  return [...turns.values()].flatMap(compose);
}

/**
 * Returns the parts of an undo by their keys in its effects, and a conflict for each file in which one cannot be found:
 * what was kept must not go because it has another name there.
 *
 * @param listed what the lists that name the parts show
 * @throws ToolError `not_found` if a part that alone is to be undone is in none of the effects
 */
export function partsAmong(
  journal: JournalQueries,
  { only, kept = [], undone = [] }: PartsOfUndo,
  listed: readonly Effect[],
  effects: readonly Effect[],
): { parts: PartsOfUndo; conflicts: RevertConflict[] } {
  const lost = new Set<string>();
  const among = (key: string): string[] => {
    const first = firstChangeOf(key);
    const all = listed.find(({ changes }) => changes.includes(first));
    const found = all && keysAmong(key, all, effects, (ref) => journal.image(ref));
    if (found === undefined && !effects.some(({ changes }) => changes.includes(first))) {
      lost.add(all?.to.path ?? pathOf(journal, first) ?? effects[0]?.to.path ?? "");
    }
    // Where the effect has its change, but no such part, its own undo says so.
    return found ?? [key];
  };
  const own = only?.map(among);
  if (own?.some((keys) => keys.length === 0) === true) {
    throw nothingToUndo();
  }
  return {
    parts: { ...(own && { only: own.flat() }), kept: kept.flatMap(among), undone: undone.flatMap(among) },
    conflicts: [...lost].map((path) => ({
      path,
      reason: "some of its changes were undone separately, so that the parts you kept or undid cannot be told apart",
      conflicts: [],
    })),
  };
}

/** Returns the effects that have some parts, each in a group of its own: nothing else is taken back. */
export function effectsOfParts(effects: readonly Effect[], parts: readonly string[]): Effect[][] {
  const named = new Set(parts.map(firstChangeOf));
  return effects
    .filter((effect) => effect.changes.some((change) => named.has(change)))
    .map((effect) => [{ ...effect, from: effect.to, foldersMade: 0, mode: undefined }]);
}

/** Returns the plan of an undo of parts alone: the changes stay as made, since the rest of them stands. */
export function ofParts(
  plan: Pick<UndoPlan, "changes" | "undoes" | "files">,
  parts: number,
): Pick<UndoPlan, "changes" | "undoes" | "files" | "parts"> {
  return { ...plan, undoes: plan.undoes.map((undo) => ({ ...undo, targets: [] })), parts };
}

/**
 * Undoes an effect in `cells`, as far as its parts are to be undone. Returns the conflict if that would lose something.
 */
export function tryRevert(
  journal: JournalQueries,
  effect: Effect,
  cells: Cells,
  parts: PartsOfUndo = {},
): RevertConflict | undefined {
  const imageOf = (ref: ImageRef | undefined): Image | undefined => ref && journal.image(ref);
  const [before, after] = [imageOf(effect.before), imageOf(effect.after)];
  const conflict = (reason: string): RevertConflict => ({ path: effect.to.path, reason, conflicts: [] });
  if ((effect.before !== undefined && before === undefined) || (effect.after !== undefined && after === undefined)) {
    return { ...conflict("its earlier content is no longer in the journal"), path: effect.from.path };
  }
  const texts = textsOfUndo(parts, effect.changes, () => comparedParts(effect, (ref) => journal.image(ref)));
  if (texts === "as is") {
    return revert(effect, before, after, cells);
  }
  return texts === undefined || before === undefined || after === undefined
    ? conflict("has been changed by the same turn since, so that a part of it is another one now")
    : revert(effect, { ...before, text: texts.before }, { ...after, text: texts.after }, cells);
}

function pathOf(journal: JournalQueries, id: number): string | undefined {
  const change = journal.changes(journal.callsOf([id]).map((call) => call.id)).find((each) => each.id === id);
  return change?.to ?? change?.path;
}

function nothingToUndo(): ToolError {
  return new ToolError("not_found", "Nothing to undo: this change was undone already, or is no longer in the journal.");
}
