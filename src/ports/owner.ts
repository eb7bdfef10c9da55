/** A process, distinguishable from a later one with the same pid. */
export interface Owner {
  pid: number;
  /** Differs between processes with the same pid: its start time, for example. */
  started: string;
}

/** Whether a process is still running; `unknown` if that cannot be determined from here. */
export type Liveness = "alive" | "gone" | "unknown";
