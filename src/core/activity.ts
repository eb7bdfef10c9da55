import { excerpt } from "../text/clip.js";
import { isRecord } from "./jsonSchema.js";
import type { ErrorType } from "./errors.js";

/** Where a call came in. */
export type Door = "lm" | "chat" | "palette" | "cli" | "mcp" | "api";

/** One tool call, as it is remembered. */
export interface ActivityEntry {
  callId: string;
  parentId: string | undefined;
  session: string;
  door: Door;
  tool: string;
  /** The input with long texts cut. */
  input: unknown;
  /** Milliseconds since 1970. */
  started: number;
  /** Milliseconds, from the call to its outcome, the time to answer a question included. */
  duration: number;
  outcome: "ok" | ErrorType;
  /** Characters of the result's text. */
  characters: number;
}

export interface ActivityLog {
  record(entry: ActivityEntry): void;
}

/** Enough for a person to see what happened in a session, little enough to forget about. */
const KEPT_ENTRIES = 500;
/** An input is remembered to recognise a call, not to keep a copy of a file. */
const KEPT_STRING = 200;
const KEPT_DEPTH = 4;
const KEPT_FIELDS = 20;

/** The latest calls in memory, oldest first. */
export class RecentActivity implements ActivityLog {
  readonly #entries: ActivityEntry[] = [];
  readonly #onRecord: ((entry: ActivityEntry) => void) | undefined;

  constructor(onRecord?: (entry: ActivityEntry) => void) {
    this.#onRecord = onRecord;
  }

  record(entry: ActivityEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > KEPT_ENTRIES) {
      this.#entries.shift();
    }
    this.#onRecord?.(entry);
  }

  entries(): readonly ActivityEntry[] {
    return this.#entries;
  }
}

/** An input small enough to remember: long texts, deep nesting and many fields are cut, and say so. */
export function rememberedInput(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    return value.length > KEPT_STRING ? excerpt(value, KEPT_STRING) : value;
  }
  if (depth >= KEPT_DEPTH && typeof value === "object" && value !== null) {
    return "…";
  }
  if (Array.isArray(value)) {
    return value.slice(0, KEPT_FIELDS).map((item) => rememberedInput(item, depth + 1));
  }
  if (isRecord(value)) {
    const fields = Object.entries(value).slice(0, KEPT_FIELDS);
    return Object.fromEntries(fields.map(([key, item]) => [key.slice(0, KEPT_STRING), rememberedInput(item, depth + 1)]));
  }
  return value;
}
