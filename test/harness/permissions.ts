// Tests may run as root, whom no permission stops. What is started through this is stopped by them like anybody else.
import { spawnSync } from "node:child_process";

/** Root without the rights to pass over the permissions of files. */
const SETPRIV = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"] as const;

/** @returns a prefix (command and arguments) to run a command with; empty if it is not needed or not available */
export function boundByPermissions(): string[] {
  const [command, ...args] = SETPRIV;
  return process.geteuid?.() === 0 && spawnSync(command, [...args, "true"]).status === 0 ? [...SETPRIV] : [];
}
