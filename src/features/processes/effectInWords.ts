import type { Effect, FileEffect, UnknownEffect } from "../../ports/effects.js";
import { folderShares } from "../../text/folderShares.js";
import { shownName } from "../../text/shownName.js";

/** Maximum number of changes listed; the rest is counted. */
const MAX_TOLD = 15;

const LETTERS = { created: "A", changed: "M", deleted: "D", moved: "R", mode: "M" } as const;

/** Kinds of changes, those first that matter most where not all are listed. */
const ORDER = ["deleted", "moved", "created", "changed", "mode"] as const;
const WORDS = {
  created: "added",
  changed: "changed",
  deleted: "deleted",
  moved: "moved",
  mode: "with a new mode",
} as const;

/** Returns what a command changed in one line; undefined if all was looked at and nothing has changed. */
export function effectInWords(effect: Effect | UnknownEffect): string | undefined {
  if ("unknown" in effect) {
    return `Which files it changed is unknown: ${effect.unknown}.`;
  }
  if (effect.dropped !== undefined) {
    const but = effect.apart === undefined ? "" : `, but for ${apartInWords(effect.apart)}`;
    return `Nothing that it changed was kept${but}: ${effect.dropped} To change it, use the tools for files, or exec with outside: true, which asks the user.`;
  }
  const { changes, ignored, isPartial, isShared } = effect;
  const own = changes.filter(({ meanwhile, perhapsOthers }) => meanwhile !== true && perhapsOthers !== true);
  const unsure = changes.filter(({ meanwhile, perhapsOthers }) => meanwhile !== true && perhapsOthers === true);
  const others = changes.filter(({ meanwhile }) => meanwhile === true);
  const listsIgnored = changes.some((change) => change.ignored === true);
  const counted = ignored > 0 && !listsIgnored ? [`${ignored} ignored files`] : [];
  const parts = [
    ...(own.length === 0
      ? []
      : [`${totalsInWords(effect)}${listed(own)}${effect.more > 0 ? ` and ${effect.more} more` : ""}`]),
    ...counted,
    ...(unsure.length === 0 ? [] : [`while it ran, perhaps by others (undo leaves these): ${listed(unsure)}`]),
    ...(others.length === 0 ? [] : [`also edited or saved meanwhile: ${listed(others)}`]),
  ];
  const moves = [...effect.git, ...(effect.moreGit > 0 ? [`${effect.moreGit} more`] : [])];
  if (moves.length > 0) {
    parts.push(`Git: ${moves.join(", ")}`);
  }
  if (effect.apart !== undefined) {
    parts.push(apartInWords(effect.apart));
  }
  const hasChanges = parts.length > 0;
  if (!hasChanges && !isPartial) {
    return undefined;
  }
  const { notUndone, moreNotUndone } = effect;
  const lasting =
    notUndone.length === 0
      ? []
      : [
          `undo does not cover: ${notUndone.map(shownName).join(", ")}${moreNotUndone > 0 ? ` and ${moreNotUndone} more` : ""}`,
        ];
  const missing = effect.notCovered.length === 0 ? [] : [`not covered: ${notCovered(effect)}`];
  return [
    `Changed${isShared && hasChanges ? " while other commands ran too" : ""}: ${hasChanges ? parts.join("; ") : "nothing seen"}`,
    ...lasting,
    ...missing,
  ].join("; ");
}

function apartInWords(apart: readonly string[]): string {
  const packages = apart.some((path) => path.endsWith("node_modules/"))
    ? " (outside: true installs in the folder itself, which asks)"
    : "";
  return `${apart.join(", ")} in the sandbox alone, where contained commands have their own${packages}`;
}

function changeInWords({ kind, path, from, files, mode, ignored, lines }: FileEffect): string {
  const counts =
    lines === undefined
      ? ""
      : `${lines.added > 0 ? ` +${lines.added}` : ""}${lines.removed > 0 ? ` −${lines.removed}` : ""}`;
  const notes = [
    ...(files === undefined ? [] : [files === 1 ? "1 file" : `${files} files`]),
    ...(mode === undefined ? [] : [`mode ${mode}`]),
    ...(ignored === true ? ["ignored"] : []),
  ];
  const names = from === undefined ? shownName(path) : `${shownName(from)} → ${shownName(path)}`;
  return `${LETTERS[kind]} ${names}${counts}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

function notCovered({ notCovered: named, moreNotCovered: more }: Effect): string {
  return `${named.map(shownName).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Says how many files have changed of each kind, if not all of them are listed. */
function totalsInWords({ changes, more, totals = {} }: Effect): string {
  const kinds = ORDER.filter((kind) => totals[kind] !== undefined);
  return changes.length + more <= MAX_TOLD || kinds.length < 2
    ? ""
    : `${kinds.map((kind) => `${totals[kind]} ${WORDS[kind]}`).join(", ")}: `;
}

/** Lists changes; of many, some of each folder, with how many more there are. */
function listed(changes: readonly FileEffect[]): string {
  const byWeight =
    changes.length <= MAX_TOLD
      ? changes
      : [...changes].sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  const shares = folderShares(byWeight, ({ path }) => path, MAX_TOLD);
  const told = shares.filter(({ shown }) => shown.length > 0);
  const rest = shares.filter(({ shown }) => shown.length === 0).reduce((sum, { more }) => sum + more, 0);
  const parts = told.map(({ folder, shown, more }) => {
    const where = folder === "" || shares.length === 1 ? "" : ` in ${shownName(folder)}`;
    return `${shown.map(changeInWords).join(", ")}${more > 0 ? ` and ${more} more${where}` : ""}`;
  });
  return `${parts.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
