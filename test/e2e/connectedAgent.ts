// An agent of another system, started as its configuration says.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** Its side of `toolhost mcp`. */
export interface ConnectedAgent {
  /** Sends a request, and returns the line that answers it. */
  ask: (method: string, params: object) => Promise<string>;
  /** Ends it as agents do. */
  end: () => void;
}

/** Returns the servers in a configuration in Claude Code's form. */
export function serversIn(file: string): Record<string, Entry> {
  return (JSON.parse(readFileSync(file, "utf8")) as { mcpServers: Record<string, Entry> }).mcpServers;
}

/**
 * Starts Toolhost as a configuration says.
 *
 * @param home the user's home, as the window has it
 */
export async function startConnected(
  file: string,
  { folder, home, title }: { folder: string; home: string; title: string },
): Promise<ConnectedAgent> {
  const { command, args, env } = serversIn(file)["toolhost"] ?? { command: "", args: [] };
  const { XDG_STATE_HOME: _, TOOLHOST_STATE: __, ...others } = process.env;
  const agent = spawn(command, args, { cwd: folder, env: { ...others, HOME: home, ...env } });
  const answers = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
  let last = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    const id = last++;
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    // Notes on the list of tools may come in between.
    for (;;) {
      const { value, done } = (await answers.next()) as IteratorResult<string, undefined>;
      if (done || (JSON.parse(value) as { id?: number }).id === id) {
        return String(value);
      }
    }
  };
  const clientInfo = { name: "x", title, version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return { ask, end: () => agent.stdin.end() };
}
