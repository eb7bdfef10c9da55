import { sameRef } from "./images.js";
import type { ChangeKind, ImageRef, RecordedChange } from "./types.js";

/** A file's place, as people write it and as locks do. */
export interface Place {
  path: string;
  absolute: string;
}

/**
 * What changes came to for one file: it was at `from` and held `before`, it is at `to` and holds `after`. Without
 * `before` it is new, without `after` gone, without both it came and went.
 */
export interface Effect {
  from: Place;
  to: Place;
  before: ImageRef | undefined;
  after: ImageRef | undefined;
  foldersMade: number;
  /** The changes it is made of. */
  changes: number[];
}

/**
 * Joins changes that follow each other without anything between: what one left is what the next one found. What a
 * person changed between two of them keeps them apart, and so is not lost when both are taken back.
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

/** Effects that have a file in common, in groups, each in the order of time. */
export function connected(effects: readonly Effect[]): Effect[][] {
  const groups: { places: Set<string>; effects: Effect[] }[] = [];
  for (const effect of effects) {
    const places = [effect.from.absolute, effect.to.absolute];
    const joined = groups.filter((group) => places.some((place) => group.places.has(place)));
    const merged = {
      places: new Set([...joined.flatMap((group) => [...group.places]), ...places]),
      effects: [...joined.flatMap((group) => group.effects), effect],
    };
    groups.splice(0, groups.length, ...groups.filter((group) => !joined.includes(group)), merged);
  }
  // Groups that one effect joined lie behind each other.
  return groups.map((group) => effects.filter((effect) => group.effects.includes(effect)));
}

/** The kind of change that has this effect. */
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
    changes: [change.id],
  };
}

/** Whether an effect is on one of the files of a later change. */
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
    // What is new was nowhere before, what is gone is nowhere now.
    from: before === undefined ? later.to : earlier.from,
    to: after === undefined ? earlier.from : later.to,
    before,
    after,
    foldersMade: isElsewhere ? later.foldersMade : earlier.foldersMade + later.foldersMade,
    changes: [...earlier.changes, ...later.changes],
  };
}
