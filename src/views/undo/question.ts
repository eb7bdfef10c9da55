import { stepLines, type Direction, type UndoStep } from "./steps.js";
import { count } from "../../text/words.js";
/** Files that the question names: it is read in one look, and a dialog grows with its text. */
const MAX_FILES = 10;

/** What is about to be undone. */
export interface Undoing {
  direction: Direction;
  /** `the last turn`, or nothing for changes a person has chosen. */
  name?: string;
  /** How many changes. */
  changes: number;
  /** Whose, and when: a line each. */
  origins: readonly string[];
  steps: readonly UndoStep[];
  /** What else to know before. */
  remarks: readonly string[];
}

/** The question before an undo: what will happen to each file, in one look. */
export function undoQuestion({ direction, name, changes, origins, steps, remarks }: Undoing): {
  message: string;
  detail: string;
} {
  const what = `${count(changes, "change")} in ${count(steps.length, "file")}`;
  const verb = direction === "undo" ? "Undo" : "Bring back";
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
