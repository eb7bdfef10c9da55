import type { Differences } from "../../../features/effects/compare.js";

/** What the thread that takes snapshots is asked. */
export type SnapshotRequest =
  | { kind: "take"; id: number; folders: readonly string[]; milliseconds: number }
  | { kind: "compare"; id: number; snapshot: number; milliseconds: number }
  | { kind: "drop"; snapshot: number };

/** What it answers. A snapshot has the number of the request to take it. */
export interface SnapshotAnswer {
  id: number;
  /** To `compare`: by folder. */
  differences?: (Differences & { real: string })[];
  /** Why there is no answer. */
  failed?: string;
}
