// Starts an agent from the npm registry with the entry that `toolhost connect` writes into its own configuration file.
import { execFileSync } from "node:child_process";
import { poll } from "../harness/poll.js";
import type { Start } from "../peers/agents.js";
import { installAgent } from "../peers/install.js";
import { AgentSession, environment, writeConfig } from "../peers/session.js";
import type { Build } from "./build.js";
import type { Client } from "./clients.js";

/** Where an agent runs, and whose settings it has. */
interface Place {
  folder: string;
  home: string;
}

/** Runs our command line as the agent's user would. Returns its output. */
export function toolhost({ cli }: Build, { folder, home }: Place, ...args: string[]): string {
  return execFileSync(process.execPath, [cli, "--workspace", folder, ...args], {
    env: environment(home),
    encoding: "utf8",
  });
}

/** Returns a session in which the agent's model may call our tools. @throws Error if the agent does not start */
export async function startAgent(client: Client, build: Build, place: Place): Promise<AgentSession> {
  const { agent, name, search } = client;
  if (agent.from === undefined) {
    throw new Error("it is not in the npm registry");
  }
  const start = (where: Parameters<typeof agent.start>[0]): Start => {
    const { config, ...its } = agent.start(where);
    writeConfig(place.home, { ...its, ...(config && { config }) });
    toolhost(build, place, "connect", name, "--yes");
    return its;
  };
  const program = { command: await installAgent(agent.from), args: [] };
  const session = await AgentSession.open({ ...agent, start }, program, place.folder, "Do the work.", place.home);
  if (search !== undefined) {
    try {
      // The agent does not wait for its servers before its first request.
      await poll("our tools to be found", async () => (await session.step(search.call)).text.includes(search.found));
    } catch (error) {
      session.kill();
      throw error;
    }
  }
  return session;
}

/** Returns what matters of a request: the last error in it, or its end. */
function aroundError(seen: string): string {
  const at = seen.lastIndexOf("Error (");
  return at === -1 ? seen.slice(-400) : seen.slice(at, at + 400);
}

/** @throws Error with what was seen, if it is not as it should be */
export function expect(isSo: boolean, what: string, seen: string): void {
  if (!isSo) {
    throw new Error(`${what}: not as expected; seen: ${aroundError(seen)}`);
  }
}
