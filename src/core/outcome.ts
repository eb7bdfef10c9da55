import type { WholeText } from "../ports/tools.js";
import { shorten } from "../text/clip.js";
import type { ErrorType } from "./errors.js";
import { ToolError } from "./errors.js";

/** Code units of an unexpected error's message: it may hold a whole file. */
const MAX_REASON = 500;

/** Bytes for a model that can see or hear them. */
export interface Media {
  /** For example `image/png`. */
  mimeType: string;
  bytes: Uint8Array;
}

/** What a tool gives when it did its work. */
export interface ToolResult<Data = unknown> {
  /** For a model to read. */
  text: string;
  /** For a program to read, of the shape of the tool's `output`. */
  data?: Data;
  media?: Media[];
  /** All of what `text` shows an excerpt of, for a call that stores it. No door gets it. */
  whole?: WholeText;
}

export interface OutcomeError {
  type: ErrorType;
  message: string;
  /** The next step, when there is one. */
  hint?: string;
}

/** How a tool call ended. Every door turns this one shape into its own. */
export type Outcome = ({ ok: true } & Omit<ToolResult, "whole">) | { ok: false; error: OutcomeError };

/** The outcome of a call that failed with `error`; an unexpected throw becomes `internal_error` with no stack in it. */
export function failure(tool: string, error: unknown): Outcome {
  if (error instanceof ToolError) {
    return { ok: false, error: describeError(error) };
  }
  return {
    ok: false,
    error: {
      type: "internal_error",
      message: `${tool}: failed unexpectedly: ${shorten(reasonOf(error), MAX_REASON)}`,
      hint: "This is a defect in Toolhost. Its output channel (View > Output > Toolhost) has the details.",
    },
  };
}

/** The failure as one text for a model or a person: `Error (type): message`, then the hint on a line of its own. */
export function errorText(error: OutcomeError): string {
  return `Error (${error.type}): ${error.message}${error.hint ? `\nHint: ${error.hint}` : ""}`;
}

/** Anything may be thrown, also what cannot be looked at or printed. */
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
