import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { NodePrograms } from "./programs.js";

/** How long Node may take to say the version of a script, in ms. */
const PATIENCE = 10_000;

/** Returns the user's own Node; undefined if there is none, or if it is too old for the command line. */
export async function usersNode(script: string): Promise<string | undefined> {
  const [node] = await new NodePrograms(() => process.env["PATH"] ?? "").find("node", homedir());
  if (node === undefined) {
    return undefined;
  }
  try {
    await promisify(execFile)(node, [script, "--version"], { cwd: homedir(), timeout: PATIENCE });
    return node;
  } catch {
    return undefined;
  }
}
