import type { GatedPath, TextSnapshot } from "./files.js";

/** A file that a call is about to change. */
export interface PlannedFile {
  /** Its current path; undefined for a new file. */
  from: GatedPath | undefined;
  /** Its future path; undefined if it is deleted. */
  to: GatedPath | undefined;
  /** Its future text; undefined if it is deleted or not text. */
  text: string | undefined;
  /**
   * Lines of `text` that the caller wrote, 1-based: an import there that leads to a file after the change is intended.
   */
  written: readonly { start: number; end: number }[];
}

/** A file's text with its imports updated. */
export interface UpdatedText {
  text: string;
  /** Lines whose imports were updated, 1-based, in order. */
  lines: number[];
}

/** A file in which only imports change. */
export interface ImportUpdate extends UpdatedText {
  at: GatedPath;
  before: TextSnapshot;
}

export interface ImportPlan {
  /** The updated text of each planned file, in order; undefined if it stays as planned. */
  planned: (UpdatedText | undefined)[];
  /** Other files that import a moved file, sorted by path. */
  others: ImportUpdate[];
  /** Imports that were not updated and may need a change by hand, one line each. */
  notes: string[];
}

/** Plans updates that keep imports working when files move, if the user wants that. Changes nothing itself. */
export interface Imports {
  /** Returns the needed updates; undefined if the setting is off or nothing moves. */
  plan(planned: readonly PlannedFile[], signal: AbortSignal): Promise<ImportPlan | undefined>;
  /**
   * Keeps these updates from counting as read. A session that changes a file counts as having read it, but nobody has
   * read these updates. Call this before the change, and the returned function after it; then the session knows a new
   * text only if it knew the old one.
   */
  keepUnread(session: string, others: readonly ImportUpdate[]): Promise<() => Promise<void>>;
}
