// Gets everything a command needs onto this machine, then runs the command under Node 24.
// Runs on a bare Node 20 with no node_modules: only node: modules and neighbours that keep to them.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { SetupError } from "./child.mjs";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureDependencies } from "./ensure-dependencies.mjs";
import { ensureNode, projectEnvironment } from "./ensure-node.mjs";
import { ensureOtherProject, ensureProject } from "./ensure-project.mjs";
import { ensureVSCode } from "./ensure-vscode.mjs";
import { repository } from "./paths.mjs";
import { withSetupLock } from "./setup-lock.mjs";
import { ensureWine } from "./windows/ensure-wine.mjs";

const PARENT_CHECK_MS = 500;

/** What each command needs beyond the dependencies. */
const commands = {
  start: [ensureVSCode],
  test: [ensureVSCode, ensureChromium, ensureProject],
  check: [],
  integration: [ensureVSCode, ensureChromium, ensureProject],
  e2e: [ensureVSCode, ensureChromium],
  bench: [ensureVSCode, ensureChromium, ensureProject, ensureOtherProject],
  peers: [],
  agents: [ensureVSCode, ensureChromium],
  windows: [ensureWine],
  desktop: [],
  "test:desktop": [],
};

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main([name, ...rest]) {
  const needs = Object.entries(commands).find(([command]) => command === name)?.[1];
  if (name === undefined || needs === undefined) {
    throw new SetupError(`Usage: node scripts/setup.mjs <${Object.keys(commands).join("|")}> [arguments]`);
  }
  let node = "";
  await withSetupLock(async () => {
    // Side by side: each waits for the network most of its time. All have ended before the lock is given up.
    const ended = await Promise.allSettled([
      ensureDependencies().then(async () => (node = await ensureNode())),
      ...needs.map((ensure) => ensure()),
    ]);
    for (const each of ended) if (each.status === "rejected") throw each.reason;
  });
  const child = spawn(node, [join(import.meta.dirname, "commands.mjs"), name, ...rest], {
    cwd: repository,
    env: projectEnvironment(node),
    stdio: "inherit",
  });
  // Ctrl+C reaches the child by itself (same terminal): only wait for it. Other signals are passed on.
  process.on("SIGINT", () => {});
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event !== undefined) endWithParent(() => child.kill("SIGTERM"));
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

/**
 * npm passes a signal on to its shell, and the shell to nobody: only the loss of the parent tells.
 * @param {() => void} end
 */
function endWithParent(end) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_CHECK_MS);
  timer.unref();
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
