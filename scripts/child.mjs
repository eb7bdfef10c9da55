// Child processes of the scripts: one short line for people, the full output in a log file.
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, readFileSync } from "node:fs";
import { join, delimiter } from "node:path";
import { once } from "node:events";
import { logs, modules } from "./paths.mjs";

/** A failure a person can act on: its message is shown alone, without a stack. */
export class SetupError extends Error {}

/** Lines of a failed child's log that are worth showing; the path of the whole log follows. */
const TAIL_LINES = 20;

/** @param {string} text one short line that says what happens now */
export function announce(text) {
  console.log(`toolhost: ${text}`);
}

/**
 * The environment for npm and other programs of the machine: without what `npm run` added for this checkout
 * (a nested npm would take it for its own) and without this checkout's binaries, which `npm ci` replaces.
 * @returns {NodeJS.ProcessEnv}
 */
export function machineEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    if (/^npm_(package|lifecycle|command$|config_(local_prefix|noproxy)$)/.test(name) || name === "INIT_CWD")
      delete env[name];
  }
  env.PATH = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(modules))
    .join(delimiter);
  return env;
}

/**
 * Runs a program to its end, its output in `.vscode-test/logs/<log>.log`.
 * @param {string} log name of the log file
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @throws {SetupError} with the last lines of the log and its path when the program fails or cannot start
 */
export async function runLogged(log, command, args, options = {}) {
  mkdirSync(logs, { recursive: true });
  const file = join(logs, `${log}.log`);
  const out = createWriteStream(file);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? machineEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    // npm is a .cmd file there, which only a shell can start.
    shell: process.platform === "win32",
  });
  child.stdout.pipe(out, { end: false });
  child.stderr.pipe(out, { end: false });
  /** @type {string} */
  const outcome = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? "" : `exit code ${code ?? signal}`));
  });
  out.end();
  await once(out, "finish");
  if (outcome !== "")
    throw new SetupError(`\`${[command, ...args].join(" ")}\` failed (${outcome}).\n${logTail(file)}`);
}

/**
 * @param {string} file a log file
 * @returns {string} its last lines, then where to read the rest
 */
function logTail(file) {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return [...lines.slice(-TAIL_LINES).map((line) => `  ${line}`), `Full log: ${file}`].join("\n");
}

/**
 * @param {string} command an executable
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string | undefined>} what it printed, trimmed; undefined when it does not run
 */
export function firstOutput(command, args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.on("data", (chunk) => (text += String(chunk)));
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => resolve(code === 0 ? text.trim() : undefined));
  });
}
