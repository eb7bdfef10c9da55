import { clipStart, excerpt, keepHeadAndTail } from "../../text/clip.js";
import type { ErrorType } from "../errors.js";

/**
 * The door through which a call came in; MCP with the client's own name. `agent`: a subagent, a task or a schedule of a
 * window.
 */
export type Door = "lm" | "chat" | "palette" | "cli" | "api" | "agent" | `mcp:${string}`;

/** A call that has begun. */
export interface CallStart {
  callId: string;
  parentId: string | undefined;
  session: string;
  /** The session and the turn that it counts for. Absent: its own session, and a turn of its own. */
  root?: { session: string; turn: string };
  door: Door;
  tool: string;
  /** The input with long texts cut. */
  input: unknown;
  /** Milliseconds since 1970. */
  started: number;
}

/** One tool call as recorded. */
export interface ActivityEntry extends CallStart {
  /** Milliseconds from the call to its outcome, including the time a person took to answer a question. */
  duration: number;
  outcome: "ok" | ErrorType;
  /** Size of the result's text in bytes of UTF-8. */
  bytes: number;
  /** Why a call that returned something did not do what was asked: `exit 1`. */
  failed?: string;
  /** The result's text, or the error, with its middle cut. Absent: it is not to be kept. */
  result?: string;
}

/** Formats a call as one line of the log: no file contents, no inputs. */
export function activityLine({ door, tool, outcome, duration, bytes, callId }: ActivityEntry): string {
  return `${door} ${tool} ${outcome} ${Math.round(duration)} ms, ${bytes} bytes, call ${callId}`;
}

export interface ActivityLog {
  /** Called when a call begins that `record` will be called with. */
  began?(call: CallStart): void;
  record(entry: ActivityEntry): void;
}

/** Number of calls kept: enough to see what happened in a session, few enough not to matter. */
const KEPT_ENTRIES = 500;
/**
 * Maximum length of a text in a recorded input, in characters: enough to recognize a call, without keeping a copy of a
 * file.
 */
const KEPT_STRING = 200;
/** Maximum length of the part of a text that is masked: more than is kept, for secrets at the end of that. */
const MASKED_STRING = 5_000;
const KEPT_DEPTH = 4;
const KEPT_FIELDS = 20;
/**
 * Maximum length of a whole input as JSON, in characters; one with many branches passes the limits above and is still a
 * megabyte.
 */
const KEPT_INPUT = 8_000;
/** Maximum length of a recorded result, in characters: its beginning and its end, as a person reads it. */
const KEPT_RESULT = 4_000;

/** The latest calls without their results, in memory, oldest first. */
export class RecentActivity implements ActivityLog {
  readonly #entries: ActivityEntry[] = [];

  record({ result: _, ...entry }: ActivityEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > KEPT_ENTRIES) {
      this.#entries.shift();
    }
  }

  entries(): readonly ActivityEntry[] {
    return this.#entries;
  }
}

/** Returns a result short enough to record. */
export function rememberedResult(text: string): string {
  return keepHeadAndTail(text, KEPT_RESULT);
}

/**
 * Returns an input small enough to record: long texts, deep nesting and many fields are cut, and marked as cut.
 *
 * @param mask hides the secrets of a text
 */
export function rememberedInput(input: unknown, mask: (text: string) => string = (text) => text): unknown {
  const cut = cutValue(input, 0, mask);
  const json = JSON.stringify(cut) ?? "";
  return json.length > KEPT_INPUT ? excerpt(json, KEPT_INPUT) : cut;
}

function cutValue(value: unknown, depth: number, mask: (text: string) => string): unknown {
  if (typeof value === "string") {
    // Masked before it is cut: a part of a secret is not recognized.
    const masked = mask(value.slice(0, MASKED_STRING));
    return value.length > KEPT_STRING ? excerpt(masked + value.slice(MASKED_STRING), KEPT_STRING) : masked;
  }
  if (typeof value !== "object" || value === null) {
    // JSON has no bigint.
    return typeof value === "bigint" ? String(value) : value;
  }
  if (depth >= KEPT_DEPTH) {
    return "…";
  }
  if (Array.isArray(value)) {
    const rest = value.length - KEPT_FIELDS;
    const kept = value.slice(0, KEPT_FIELDS).map((item) => cutValue(item, depth + 1, mask));
    return rest > 0 ? [...kept, `… ${rest} more`] : kept;
  }
  const fields = Object.entries(value);
  const rest = fields.length - KEPT_FIELDS;
  const kept = fields
    .slice(0, KEPT_FIELDS)
    .map(([key, item]) => [clipStart(mask(key), KEPT_STRING), cutValue(item, depth + 1, mask)] as const);
  return Object.fromEntries(rest > 0 ? [...kept, ["…", `${rest} more`]] : kept);
}
