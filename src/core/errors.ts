/**
 * Every kind of failure a tool call can have. The list is closed: programs and models branch on it,
 * and a new kind is a decision, not a string somewhere.
 */
export const ERROR_TYPES = [
  "unknown_tool",
  "invalid_input",
  "not_found",
  "not_unique",
  "no_match",
  "conflict",
  "stale",
  "must_read",
  "path_conflict",
  "outside_workspace",
  "protected",
  "denied",
  "untrusted",
  "too_large",
  "binary",
  "is_directory",
  "unsupported",
  "unavailable",
  "timeout",
  "cancelled",
  "io_error",
  "forbidden_tool",
  "inner_tool_error",
  "source_not_found",
  "source_too_large",
  "invalid_json",
  "invalid_expression",
  "evaluation_error",
  "unknown_id",
  "page_out_of_range",
  "internal_error",
] as const;

export type ErrorType = (typeof ERROR_TYPES)[number];

/** Marks these errors in every copy of this module: a bundle that is loaded on use has one of its own. */
const MARK = Symbol.for("toolhost.ToolError");

/**
 * A failure that a tool, a host or the pipeline reports to its caller. The message names the object and says what
 * happened; the hint says the next step. Both are written for models and people.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";

  /** An error of another copy is one, too; a class derived from this one works as usual. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === ToolError
      ? typeof value === "object" && value !== null && MARK in value
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  get [MARK](): true {
    return true;
  }

  constructor(
    readonly type: ErrorType,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Thrown through the pipeline when the caller cancelled: the one failure that is not an outcome. */
export class Cancelled extends ToolError {
  constructor(tool: string) {
    super("cancelled", `${tool}: cancelled.`);
  }
}

/** Returns what `look` finds, or undefined if nothing is there (`not_found`). Every other failure is thrown. */
export async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ToolError && error.type === "not_found") {
      return undefined;
    }
    throw error;
  }
}

/** A failure that left changes behind: some changes made before it could not be rolled back. */
export class NotTakenBack extends ToolError {
  constructor(message: string, hint: string) {
    super("io_error", message, hint);
  }
}
