// A folder with tools of the user's own, and `toolhost tools` in it.
import { tempFolder } from "../../unit/tools/workspace.js";
import type { BuiltCli, Finished } from "./built.js";

export interface ToolsFolder {
  folder: string;
  /** The folder of its state. */
  state: string;
  /** Runs `toolhost tools` without a terminal: nothing can be asked. */
  tools: (args: string[], env?: NodeJS.ProcessEnv) => Promise<Finished>;
  /** Runs any command in the same way. */
  run: (args: string[], env?: NodeJS.ProcessEnv) => Promise<Finished>;
}

/** Makes a folder of these files, with a state of its own. */
export async function openToolsFolder(cli: BuiltCli, files: Record<string, string>): Promise<ToolsFolder> {
  const folder = await tempFolder(files);
  const state = await tempFolder();
  const run: ToolsFolder["run"] = (args, env = {}) =>
    cli.run(args, {
      cwd: folder,
      detached: true,
      env: { ...process.env, XDG_STATE_HOME: state, TOOLHOST_STATE: state, ...env },
    });
  return { folder, state, run, tools: (args, env) => run(["tools", ...args], env) };
}
