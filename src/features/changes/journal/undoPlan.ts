import type { FileChange, Snapshot } from "../../../ports/changes.js";
import type { EntryState, GatedPath } from "../../../ports/files.js";
import type { RevertConflict } from "./revert.js";
import type { RecordedChange, UndoTarget } from "./types.js";

/** The effect of undoing on a file; `already` means that the file is back already. */
export interface UndoFile {
  path: string;
  outcome: "restored" | "merged" | "already" | "conflict";
}

/** An undo that is planned but not yet made. */
export interface UndoPlan {
  /** For a single call of `FileWriter.apply`. Empty if there is a conflict or nothing left to do. */
  changes: FileChange[];
  /** For `Journal.begin`, along with `changes`. */
  undoes: UndoTarget[];
  files: UndoFile[];
  /** Conflicts that prevent the undo: one entry for every file. */
  conflicts: RevertConflict[];
  /** Number of the turn's calls that the journal has forgotten and this undo does not take back. */
  dropped: number;
  /** Set if only parts of changes are undone: their number. The changes themselves stay as made. */
  parts?: number;
  /** The turn's changes that others may have made, and that this undo therefore does not take back. */
  perhapsOthers?: readonly RecordedChange[];
}

/** A place that passed the gate, what is there now, and its permission bits if they are known. */
export interface PlaceNow {
  at: GatedPath;
  now: ((Snapshot | { entry: EntryState }) & { mode?: number }) | undefined;
}
