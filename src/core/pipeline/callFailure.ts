import { oneLine, shorten } from "../../text/clip.js";
import type { ErrorType } from "../errors.js";
import { isRecord } from "../jsonSchema.js";
import type { Outcome } from "../outcome.js";

/** The phrase in a call's message that means a person was asked and refused. */
export const SAID_NO = "the user said no";
/** The text for a call that a person was asked about and refused. */
export const REFUSED = "not run: you said no";
/** The text for a call that the user skipped in VS Code's question. */
export const SKIPPED = "not run: you skipped it";
/** Maximum length of a reason, in characters. */
const MAX_REASON = 100;

/** What is said of a call in a workspace that is not trusted. */
export const RESTRICTED = "not run: Restricted Mode";

/**
 * Describes each kind of failure for an onlooker: whether the call ran, and why not. For `denied` the message says it.
 */
const WORDS: Readonly<Record<Exclude<ErrorType, "denied">, string>> = {
  unknown_tool: "not run: there is no such tool",
  invalid_input: "not run: wrong input",
  not_found: "not found",
  not_unique: "not done: more than one match",
  no_match: "no match",
  conflict: "not done: conflicting changes",
  stale: "not done: the file has changed since it was read",
  must_read: "not done: the file was not read first",
  path_conflict: "not done: it already exists",
  outside_workspace: "not run: outside the workspace",
  protected: "not run: protected",
  untrusted: RESTRICTED,
  too_large: "not done: too large",
  binary: "not done: not a text file",
  is_directory: "not done: it is a folder",
  unsupported: "not run: not supported",
  unavailable: "not run: not available",
  timeout: "timed out",
  cancelled: "stopped",
  io_error: "failed: the file system reported an error",
  forbidden_tool: "not run: not allowed here",
  inner_tool_error: "failed: the tool that it called failed",
  source_not_found: "not found",
  source_too_large: "not done: too large",
  invalid_json: "not done: invalid JSON",
  invalid_expression: "not run: wrong expression",
  evaluation_error: "failed: the expression could not be evaluated",
  unknown_id: "not found",
  page_out_of_range: "no such page",
  internal_error: "failed: a defect in Toolhost",
};

/** Returns why a call did not succeed, in a few words for people: `exit 3`, `no match`; undefined if it did. */
export function failureWords(outcome: Outcome): string | undefined {
  if (outcome.ok) {
    return commandFailure(outcome.data);
  }
  const { type, message } = outcome.error;
  return type === "denied" ? deniedWords(message) : WORDS[type];
}

function deniedWords(message: string): string {
  if (message.toLowerCase().includes(SAID_NO)) {
    return REFUSED;
  }
  const [, reason] = /: refused: ([\s\S]*?)\.?$/.exec(message) ?? [];
  return reason === undefined ? "not run: not allowed" : `not run: ${shorten(oneLine(reason), MAX_REASON)}`;
}

/** Returns the failure of a command, or of the first that failed in a task with several. */
function commandFailure(data: unknown): string | undefined {
  if (!isRecord(data)) {
    return undefined;
  }
  if (Array.isArray(data["steps"])) {
    return data["steps"].map(commandFailure).find((words) => words !== undefined);
  }
  const { status, exit_code: code, signal } = data;
  switch (status) {
    case "exited":
      return typeof code === "number" && code !== 0 ? `exit ${code}` : undefined;
    case "signaled":
      return `ended by ${typeof signal === "string" ? signal : "a signal"}`;
    case "timeout":
      return "timed out";
    case "cancelled":
      return "stopped";
    case "limited":
      return "exceeded its limits";
    case "unobserved":
      return "its end was not observed";
    default:
      return undefined;
  }
}
