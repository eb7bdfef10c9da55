import { stepLines, type Direction, type UndoStep } from "./steps.js";
import { count } from "../../text/words.js";
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

/** Returns the question before an undo: what will happen to each file. */
export function undoQuestion({ direction, name, changes, origins, steps, remarks }: Undoing): {
  message: string;
  detail: string;
} {
  const changed = steps.filter(({ did }) => did !== "already").length;
  const what = `${count(changes, "change")} in ${count(changed, "file")}`;
  const verb = direction === "undo" ? "Undo" : "Redo";
  return {
    message: name === undefined ? `${verb} ${what}?` : `${verb} ${name}, ${what}?`,
    detail: [
      ...origins,
      "",
      ...stepLines(steps, direction, MAX_FILES).map((line) => `• ${line}`),
      ...(remarks.length > 0 ? ["", ...remarks] : []),
    ].join("\n"),
  };
}
