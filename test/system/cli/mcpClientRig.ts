// What the tests of the tools of MCP servers at the command line share.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempFolder } from "../../unit/tools/workspace.js";
import type { BuiltCli, Finished } from "./built.js";

/** A server with two tools that does what it should. */
export const CALC = fileURLToPath(new URL("../../harness/mcp-server.mjs", import.meta.url));
/** A server that does what its argument says. */
export const HOSTILE = fileURLToPath(new URL("../../harness/hostile-mcp-server.mjs", import.meta.url));

export interface Place {
  folder: string;
  /** The variables of its state and settings. */
  env: Record<string, string>;
  /** Runs a command line in the folder. */
  run: (args: readonly string[], env?: Record<string, string>) => Promise<Finished>;
  /** Writes `.mcp.json`. */
  define: (servers: Record<string, object>) => Promise<void>;
  /** Calls a tool, and returns its outcome. */
  call: (tool: string, input: object, env?: Record<string, string>) => Promise<Outcome>;
}

interface Outcome {
  ok: boolean;
  text?: string;
  data?: Record<string, unknown>;
  media?: { mimeType: string }[];
  error?: { type: string; message: string; hint?: string };
}

/** Makes a folder with servers, and state and settings of its own. */
export async function place(cli: BuiltCli, servers: Record<string, object> = {}): Promise<Place> {
  const [folder, home] = [await tempFolder({}), await tempFolder({})];
  const own = { XDG_CONFIG_HOME: join(home, "config"), TOOLHOST_STATE: join(home, "state"), TOOLHOST_AGENT: "" };
  const run: Place["run"] = (args, env = {}) => cli.run(args, { cwd: folder, env: { ...process.env, ...own, ...env } });
  const define = (given: Record<string, object>): Promise<void> =>
    writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: given }));
  await define(servers);
  return {
    ...{ folder, env: own, run, define },
    call: async (tool, input, env) => {
      const { out } = await run(["run", tool, "--input", JSON.stringify(input), "--json"], env);
      return JSON.parse(out) as Outcome;
    },
  };
}

/** Makes the same with servers that are approved. */
export async function approvedPlace(cli: BuiltCli, servers: Record<string, object>): Promise<Place> {
  const made = await place(cli, servers);
  await made.run(["mcp", "approve", "--yes"]);
  return made;
}

/** A definition that starts a script with Node. */
export function script(path: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [path, ...args] };
}

export async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
