// Toolhost in a VS Code in the browser, for a person to try.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SetupError } from "./child.mjs";
import { cache, repository } from "./paths.mjs";
import { build } from "./stages.mjs";
import { startVSCodeServer } from "./vscode-server.mjs";

/** The same on each start, since the browser keeps VS Code's state by address; another when it is taken. */
const PREFERRED_PORT = 4680;

/** Printed below the address. */
const HOW_TO_TRY = `
With no model you can already type into the chat (Ctrl+Alt+I), with "No model (tools only)" below its input:
  @toolhost /tools
  @toolhost /run grep {"pattern": "greet"}
  @toolhost /run edit {"path": "src/greet.ts", "old_text": "Hello", "new_text": "Welcome"}

To have a conversation, give VS Code a model, any of these:
  - sign in to GitHub Copilot: the icon at the bottom right of the window; or
  - bring your own: F1, "Chat: Manage Language Models", "Add Models". "Custom Endpoint" is any OpenAI-compatible
    server, a local Ollama included.
Then choose the model below the chat's input and type @toolhost and a request, or ask Copilot's agent, which has
Toolhost's tools too.

The same tools on the command line: node dist/cli.js --workspace <folder> grep greet

The folder is a throw-away copy of a sample. Settings are kept in .vscode-test/start-data. Every folder counts as
trusted here, so that tools work at once. Ctrl+C ends it.`;

/**
 * Runs until Ctrl+C.
 * @param {{ checkOnly: boolean }} options checkOnly: stop as soon as the address answers
 * @returns {Promise<number>} the exit code
 */
export async function start({ checkOnly }) {
  if ((await build()).failed > 0) throw new SetupError("The build failed, see above.");
  const base = mkdtempSync(join(tmpdir(), "toolhost-start-"));
  const folder = join(base, "sample");
  cpSync(join(repository, "test", "fixtures", "sample"), folder, { recursive: true });
  const dataDir = checkOnly ? join(base, "data") : join(cache, "start-data");
  mkdirSync(dataDir, { recursive: true });
  const server = await startVSCodeServer({
    dataDir,
    extensions: [repository],
    port: !checkOnly && (await isFree(PREFERRED_PORT)) ? PREFERRED_PORT : 0,
    cleanUp: [base],
  });
  try {
    const url = `${server.origin}/?folder=${encodeURIComponent(folder)}`;
    console.log(`Toolhost is running in VS Code: ${url}`);
    if (checkOnly) return await answers(url);
    console.log(HOW_TO_TRY);
    openInBrowser(url);
    const ended = await Promise.race([signal(), server.exited.then(() => "server")]);
    if (ended !== "server") return 0;
    console.error(`VS Code's server ended by itself. Its log: ${join(dataDir, "server.log")}`);
    return 1;
  } finally {
    await server.stop();
  }
}

/** @param {string} url @returns {Promise<number>} 0 when VS Code's page comes from there */
async function answers(url) {
  const response = await fetch(url);
  if (response.ok && (await response.text()).includes("vscode-workbench")) return 0;
  console.error(`${url} answered ${response.status}, not with VS Code.`);
  return 1;
}

/** @returns {Promise<string>} the signal that asks us to end */
function signal() {
  return new Promise((resolve) => {
    for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.once(name, () => resolve(name));
  });
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Opens the address where there is a display; where that fails, the printed address is enough. @param {string} url */
function openInBrowser(url) {
  const opener =
    process.platform === "darwin"
      ? "open"
      : process.env.DISPLAY || process.env.WAYLAND_DISPLAY
        ? "xdg-open"
        : undefined;
  if (opener === undefined) return;
  const child = spawn(opener, [url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
