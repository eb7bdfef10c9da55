// Outlives a process that started a server, to end the server and its files when that process ends in any way.
// Arguments: the server's process group, the mark that all its descendants carry in their environment, folders to
// delete. Waits for the end of stdin, which the operating system closes even when the starter was killed.
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { markedProcesses } from "./marked-processes.mjs";

/** VS Code's server ends its extension hosts within this time when asked; what is left then is killed. */
const GRACE_MS = 500;
const POLL_MS = 20;

const [group = "", mark = "", ...folders] = process.argv.slice(2);

process.stdin.resume();
process.stdin.on("error", () => {});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
await new Promise((resolve) => process.stdin.once("close", resolve));

signalGroup("SIGTERM");
const deadline = Date.now() + GRACE_MS;
while (signalGroup(0) && Date.now() < deadline) await delay(POLL_MS);
signalGroup("SIGKILL");
// Terminals and commands run in process groups of their own.
for (const pid of markedProcesses(mark)) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });

/** @param {NodeJS.Signals | 0} signal @returns {boolean} whether any process of the group still ran */
function signalGroup(signal) {
  try {
    process.kill(-Number(group), signal);
    return true;
  } catch {
    return false;
  }
}
