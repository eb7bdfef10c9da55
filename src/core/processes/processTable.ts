import type { CommandRequest, ManagedProcess, ProcessOwner, Processes } from "../../ports/processes.js";
import type { Results } from "../../ports/results.js";
import type { Spawner } from "./spawner.js";

/** What the table is made of. */
export interface ProcessTableParts {
  spawner: Spawner;
  /** Where whole outputs go; without it an answer's head and tail is all that is kept. */
  results?: Results;
}

/** Every process of this window. */
export class ProcessTable implements Processes {
  constructor(readonly parts: ProcessTableParts) {}

  async start(_request: CommandRequest, _background: boolean, _owner: ProcessOwner): Promise<ManagedProcess> {
    throw new Error("Not built yet.");
  }

  find(_id: string): ManagedProcess | undefined {
    return undefined;
  }

  wasKnown(_id: string): boolean {
    return false;
  }

  list(): ManagedProcess[] {
    return [];
  }

  /** Ends all that run and all that they left running; for the end of the window. */
  async closeAll(): Promise<void> {}
}
