import type { GatedPath, TextSnapshot } from "./files.js";

/** A file that a call is about to change. */
export interface PlannedFile {
  /** Where it is; undefined for a new one. */
  from: GatedPath | undefined;
  /** Where it will be; undefined for one that is deleted. */
  to: GatedPath | undefined;
  /** What it will hold; undefined for what is deleted or no text. */
  text: string | undefined;
  /** Lines of `text` that the caller wrote, 1-based: an import there that leads to a file afterwards is meant so. */
  written: readonly { start: number; end: number }[];
}

/** A file's text with its imports updated. */
export interface UpdatedText {
  text: string;
  /** Lines whose imports are updated, 1-based, in order. */
  lines: number[];
}

/** A file that only its imports change. */
export interface ImportUpdate extends UpdatedText {
  at: GatedPath;
  before: TextSnapshot;
}

export interface ImportPlan {
  /** For each planned file, in their order, what its text becomes; undefined where it stays as planned. */
  planned: (UpdatedText | undefined)[];
  /** Files that are not planned and import one that moves, sorted by path. */
  others: ImportUpdate[];
  /** What was left alone and may have to be updated by hand, a line each. */
  notes: string[];
}

/** Keeps imports leading where they led when files move, if the user wants that. Changes nothing itself. */
export interface Imports {
  /** What is to be updated; undefined when the setting is off or nothing moves. */
  plan(planned: readonly PlannedFile[], signal: AbortSignal): Promise<ImportPlan | undefined>;
  /**
   * A session that changes a file counts as having read it, but nobody has read these. To be called before the change;
   * what it gives is called after it, and makes the session know only those of the new texts whose old ones it knew.
   */
  keepUnread(session: string, others: readonly ImportUpdate[]): Promise<() => Promise<void>>;
}
