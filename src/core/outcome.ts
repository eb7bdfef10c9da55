import type { WholeText } from "../ports/tools.js";
import { shorten } from "../text/clip.js";
import type { ErrorType } from "./errors.js";
import { ToolError } from "./errors.js";

/** Maximum length of an unexpected error's message, in code units: it may contain a whole file. */
const MAX_REASON = 500;

/** Binary content for a model that accepts images or audio. */
export interface Media {
  /** For example `image/png`. */
  mimeType: string;
  bytes: Uint8Array;
}

/** A tool's result on success. */
export interface ToolResult<Data = unknown> {
  /** For a model to read. */
  text: string;
  /** For a program to read, in the shape of the tool's `output`. */
  data?: Data;
  media?: Media[];
  /** The full text of which `text` is an excerpt, for a call that stores it. Doors do not get it. */
  whole?: WholeText;
}

export interface OutcomeError {
  type: ErrorType;
  message: string;
  /** The next step, if there is one. */
  hint?: string;
}

/** How a tool call ended. Every door turns this one shape into its own. */
export type Outcome = ({ ok: true } & Omit<ToolResult, "whole">) | { ok: false; error: OutcomeError };

/** Returns an outcome that starts with notes on how its call was understood. A failed one says what is wrong itself. */
export function withNotes<Some extends Outcome>(outcome: Some, notes: readonly string[]): Some {
  return notes.length === 0 || !outcome.ok ? outcome : { ...outcome, text: `[${notes.join(" ")}]\n${outcome.text}` };
}

/**
 * Returns the outcome of a call that failed with `error`; an unexpected exception becomes `internal_error` without its
 * stack.
 */
export function failure(tool: string, error: unknown): { ok: false; error: OutcomeError } {
  if (error instanceof ToolError) {
    return { ok: false, error: describeError(error) };
  }
  return {
    ok: false,
    error: {
      type: "internal_error",
      message: `${tool}: failed unexpectedly: ${shorten(reasonOf(error), MAX_REASON)}`,
      hint: "This is a defect in Toolhost, not in your call. Try it another way.",
    },
  };
}

/**
 * Returns the failure as one text for a model or a person: `Error (type): message`, then the hint on a separate line.
 */
export function errorText(error: OutcomeError): string {
  return `Error (${error.type}): ${error.message}${error.hint ? `\nHint: ${error.hint}` : ""}`;
}

/** Returns the message of a thrown value, which may be anything, even a value that cannot be inspected or printed. */
function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "unknown reason";
  }
}

function describeError(error: ToolError): OutcomeError {
  return { type: error.type, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}
