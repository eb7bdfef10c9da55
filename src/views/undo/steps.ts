import type { UndoPlan } from "../../features/changes/journal/undoPlan.js";
import { shownPath } from "../shared/words.js";
import { l10n } from "../shared/l10n.js";

/** Whether to undo changes, or to undo an undo, which redoes them. */
export type Direction = "undo" | "bring_back";

/** The effect of an undo on one file. */
export interface UndoStep {
  path: string;
  /** For a move: the path before the undo. */
  from?: string;
  did: "restored" | "partly" | "deleted" | "brought_back" | "moved" | "already";
  /** Whether the file was changed later, and the undo kept that change. */
  merged: boolean;
}

/** Returns the effect of an undo on each file. */
export function undoSteps({ files, changes, parts }: Pick<UndoPlan, "files" | "changes" | "parts">): UndoStep[] {
  return files.map(({ path, outcome }) => {
    // The last: before a file is restored, a link in its place is removed.
    const change = changes.findLast(
      (candidate) => (candidate.kind === "move" ? candidate.to : candidate.at).path === path,
    );
    const merged = outcome === "merged";
    switch (change?.kind) {
      case undefined:
        return { path, did: "already", merged };
      case "create":
        return { path, did: "brought_back", merged };
      case "overwrite":
      case "replace":
        return { path, did: parts === undefined ? "restored" : "partly", merged };
      case "delete":
        return { path, did: "deleted", merged };
      case "entry":
        return {
          path,
          did: change.after === undefined ? "deleted" : change.before === undefined ? "brought_back" : "restored",
          merged,
        };
      case "move":
        return { path, from: change.at.path, did: "moved", merged };
    }
  });
}

/** Describes the effect on a file in words that fit before and after the undo: `restored`. */
export function stepWords({ from, did, merged }: UndoStep, direction: Direction): string {
  const again = direction === "bring_back";
  const kept = merged ? `; ${l10n.t("later changes kept")}` : "";
  switch (did) {
    case "restored":
      return `${again ? l10n.t("changed again") : l10n.t("restored")}${kept}`;
    case "partly":
      return `${l10n.t("partly restored")}${kept}`;
    case "deleted":
      return l10n.t("deleted again");
    case "brought_back":
      return l10n.t("recreated");
    case "moved":
      return `${again ? l10n.t("moved again from {0}", shownPath(from ?? "")) : l10n.t("moved back from {0}", shownPath(from ?? ""))}${kept}`;
    case "already":
      return again ? l10n.t("already has the change") : l10n.t("already as before");
  }
}

/**
 * Returns lines such as `src/a.ts: restored`; if there are many, the first ones and the numbers of others: `and 30 more: 20
 * restored, 10 deleted again`.
 *
 * @param shown formats a path
 */
export function stepLines(
  steps: readonly UndoStep[],
  direction: Direction,
  max: number,
  shown: (path: string) => string = shownPath,
): string[] {
  const named = steps.length <= max ? steps : steps.slice(0, max - 1);
  const others = steps.slice(named.length);
  return [
    ...named.map((step) => `${shown(step.path)}: ${stepWords(step, direction)}`),
    ...(others.length > 0 ? [l10n.t("and {0} more: {1}", others.length, countedSteps(others, direction))] : []),
  ];
}

/** Counts steps by what they did, most first. */
export function countedSteps(steps: readonly UndoStep[], direction: Direction): string {
  const counts = new Map<string, number>();
  for (const { did } of steps) {
    const words =
      did === "moved"
        ? direction === "undo"
          ? l10n.t("moved back")
          : l10n.t("moved again")
        : stepWords({ path: "", did, merged: false }, direction);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([words, number]) => `${number} ${words}`)
    .join(", ");
}
