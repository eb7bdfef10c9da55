import { stepLines, type Direction, type UndoStep } from "./steps.js";
import { l10n } from "../shared/l10n.js";
/** Maximum number of files that the question names, since a dialog grows with its text. */
const MAX_FILES = 10;

/** A planned undo. */
export interface Undoing {
  direction: Direction;
  /** `the last turn`, or undefined for changes that the user chose. */
  name?: string;
  /** Number of changes. */
  changes: number;
  /** Who made the changes and when, one line each. */
  origins: readonly string[];
  steps: readonly UndoStep[];
  /** Further remarks. */
  remarks: readonly string[];
}

/** Formats a count: `3 changes in 1 file`. */
export function changesInFiles(changes: number, files: number): string {
  return l10n.many(files, "{1} in {0} file", "{1} in {0} files", l10n.many(changes, "{0} change", "{0} changes"));
}

/** Returns the question before an undo: what will happen to each file. */
export function undoQuestion({ direction, name, changes, origins, steps, remarks }: Undoing): {
  message: string;
  detail: string;
} {
  const changed = steps.filter(({ did }) => did !== "already").length;
  const what = changesInFiles(changes, changed);
  return {
    message:
      name === undefined
        ? direction === "undo"
          ? l10n.t("Undo {0}?", what)
          : l10n.t("Redo {0}?", what)
        : direction === "undo"
          ? l10n.t("Undo {0}, {1}?", name, what)
          : l10n.t("Redo {0}, {1}?", name, what),
    detail: [
      ...origins,
      "",
      ...stepLines(steps, direction, MAX_FILES).map((line) => `• ${line}`),
      ...(remarks.length > 0 ? ["", ...remarks] : []),
    ].join("\n"),
  };
}
