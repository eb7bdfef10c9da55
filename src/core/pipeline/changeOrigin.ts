import type { Changes } from "../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Reads } from "../../ports/reads.js";
import type { ToolError } from "../errors.js";
import type { Door } from "./activity.js";

/**
 * What a session must have read before it changes it. `must`: every file that it replaces as a whole, and every place
 * that it does not quote exactly; `ask`: every file that it replaces as a whole, or a person is asked; `free`: nothing.
 */
export type ReadRule = "must" | "ask" | "free";

/** A call that is about to change files. */
export interface JournalCall {
  session: string;
  turn: string;
  callId: string;
  tool: string;
  door: Door;
  /** One line for people. */
  summary: string;
  /** Sentences for people who undo it: what undo does not cover, and what cannot be told apart. */
  notes?: readonly string[];
  /**
   * Whether a command may not have made its changes: they were found after it, and others may have made them outside of
   * Toolhost. Only who names the call or a file takes them back.
   */
  perhapsOthers?: true;
}

/** Who changes files. */
export interface ChangeOrigin extends JournalCall {
  /**
   * The session that must have read the files it changes: a subagent must read for itself, though its changes count as
   * its parent's. Defaults to `session`.
   */
  reader?: string;
  reads: ReadRule;
  /** Whether only a person sees what the call reports; then nothing it reports counts as seen by the session. */
  isPreview?: boolean;
  /** Whether a command wrote the texts, so that the session has not seen them. */
  isCommand?: true;
}

/** Applies and records the changes that calls make: the part of `features/changes` that the pipeline uses. */
export interface CallChanges {
  /** Whether changes are in the undo journal here. */
  undoable(): Promise<boolean>;
  /** Returns why no file can be changed here; undefined if changes are recorded. */
  refusal?(): Promise<ToolError | undefined>;
  /** Rolls back changes that killed processes left half made; if that fails, reading continues. */
  recovered?(): Promise<void>;
  /**
   * Records that a session was shown a text, such as the output of a command or a search.
   *
   * @param call the input of the call, which may name the files that the text is from
   */
  shown?(session: string, text: string, call: unknown): Promise<void>;
  /** Whether a session has seen a file's current state. */
  hasSeen(session: string, at: GatedPath, now: TextSnapshot): Promise<boolean>;
  /** @param files the call's files, with the paths that permission decided on pinned */
  forCall(origin: ChangeOrigin, files: Files): { changes: Changes; reads: Reads };
}
