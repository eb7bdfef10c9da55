import type { SpawnedProcess, SpawnEvents, Spawner, SpawnRequest } from "../../core/processes/spawner.js";

/** Starts commands as child processes of this one, each in a group of its own. */
export class NodeSpawner implements Spawner {
  async start(_request: SpawnRequest, _events: SpawnEvents): Promise<SpawnedProcess> {
    throw new Error("Not built yet.");
  }
}
