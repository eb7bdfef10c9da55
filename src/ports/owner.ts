/** A process, told from a later one with the same number. */
export interface Owner {
  pid: number;
  /** Something that is another for every process of this number: its start time, say. */
  started: string;
}

/** Whether a process still runs; `unknown` where that cannot be seen from here. */
export type Liveness = "alive" | "gone" | "unknown";
