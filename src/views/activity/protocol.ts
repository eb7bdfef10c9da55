// What the page of an activity and its window tell each other. The page is a program of its own: of what is outside
// its folder, it imports types and our words alone.

/** How a call ended, as the page shows it. `refused`: it did not run. `unknown`: its process ended first. */
export type Look = "ok" | "failed" | "refused" | "stopped" | "running" | "unknown";

/** A call on the page. */
export interface ShownCall {
  seq: number;
  /** The index of its turn in `ShownActivity.turns`. */
  turn: number;
  /** How many calls it is within. */
  depth: number;
  tool: string;
  /** What it was about, short; empty if nothing says it. */
  subject: string;
  /** The subagent that made it. */
  agent?: string;
  look: Look;
  /** The look in words: `exit 1`. */
  words: string;
  /** Milliseconds since 1970. */
  started: number;
  /** Milliseconds; absent while it runs, and if it is not known. */
  duration?: number;
  /** Bytes of the result. */
  bytes: number;
}

/** A session, in the list of those that can be shown. */
interface ShownSession {
  id: string;
  title: string;
}

/** Everything on the page but the texts of calls. */
export interface ShownActivity {
  /** Why calls are missing; absent if none are. */
  problem?: string;
  title: string;
  sessions: readonly ShownSession[];
  /** The one that is shown; empty if all are. */
  session: string;
  turns: readonly { title: string; detail: string }[];
  /** In the order in which they began. */
  calls: readonly ShownCall[];
  /** How many earlier calls are left out. */
  earlier: number;
}

/** What a call sent and got. */
export interface ShownTexts {
  input: string;
  result?: string;
}

/** An exported activity: it stands alone, and nothing in it changes. */
export interface ExportedActivity extends ShownActivity {
  exported: string;
  /** By `ShownCall.seq`. */
  texts: Readonly<Record<string, ShownTexts>>;
}

export type ToPage =
  | { kind: "activity"; activity: ShownActivity }
  | { kind: "texts"; seq: number; texts: ShownTexts | undefined };

export type FromPage =
  | { kind: "ready" }
  | { kind: "choose"; session: string }
  | { kind: "texts"; seq: number }
  /** `calls`: the keys of those that pass the filter. */
  | { kind: "export"; calls: readonly number[] };
