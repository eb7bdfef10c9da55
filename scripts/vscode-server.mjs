// Starts VS Code's server with extensions, and ends it with everything it started.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SetupError } from "./child.mjs";
import { findNode } from "./ensure-node.mjs";
import { findVSCode } from "./ensure-vscode.mjs";

/** A cold start takes about 1 s; a busy machine several. */
const START_DEADLINE_MS = 180_000;

/**
 * @typedef {object} ServerOptions
 * @property {string} dataDir where settings, extensions and logs live; created when missing
 * @property {string[]} extensions folders of extensions, loaded by symlink
 * @property {number} [port] 0 or absent: a free one
 * @property {boolean} [trust] whether folders open trusted without a question (default true)
 * @property {boolean} [driver] smoke-test driver: makes the address's `payload` count and hides toasts (default false)
 * @property {number} [grace] seconds the extension host of a window waits that went without a word (default: VS Code's
 * three hours)
 * @property {NodeJS.ProcessEnv} [env] added to the environment of the server and its extension hosts
 * @property {string[]} [through] a command, with its arguments, that runs the server's as its last arguments
 * @property {string[]} [cleanUp] folders deleted when the server has stopped, however this process ends
 */

/**
 * @typedef {object} RunningServer
 * @property {number} port
 * @property {string} origin `http://127.0.0.1:<port>`
 * @property {string} dataDir
 * @property {() => string} output what the server printed so far
 * @property {Promise<number | null>} exited its exit code once it ended
 * @property {() => Promise<void>} stop ends the server and all its descendants, then deletes `cleanUp`
 */

/**
 * Starts VS Code's server and waits until it answers.
 * @param {ServerOptions} options
 * @returns {Promise<RunningServer>}
 * @throws {SetupError} with the server's last words when it does not start
 */
export async function startVSCodeServer(options) {
  const { dataDir, port = 0, trust = true, driver = false, grace } = options;
  linkExtensions(join(dataDir, "extensions"), options.extensions);
  const mark = `TOOLHOST_SERVER=${randomUUID()}`;
  const args = [
    join(findVSCode(), "out", "server-main.js"),
    ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token", "--accept-server-license-terms"],
    ...["--server-data-dir", dataDir, "--disable-telemetry"],
    // The browser is on this machine: to compress what it is sent costs more than to send it.
    "--disable-websocket-compression",
    ...(trust ? ["--disable-workspace-trust"] : []),
    ...(driver ? ["--enable-smoke-test-driver"] : []),
    ...(grace === undefined ? [] : ["--reconnection-grace-time", String(grace)]),
  ];
  const [command = "", ...words] = [...(options.through ?? []), findNode(), ...args];
  const child = spawn(command, words, {
    // A process group of its own, so that it can be ended as a whole.
    detached: true,
    env: {
      ...serverEnvironment(),
      ...options.env,
      [mark.slice(0, mark.indexOf("="))]: mark.slice(mark.indexOf("=") + 1),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise((/** @type {(code: number | null) => void} */ resolve) => {
    child.once("close", (code) => resolve(code));
    child.once("error", () => resolve(null));
  });
  const reaper = spawn(
    process.execPath,
    [join(import.meta.dirname, "reaper.mjs"), String(child.pid), mark, ...(options.cleanUp ?? [])],
    {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  const reaped = once(reaper, "close");
  let output = "";
  const log = createWriteStream(join(dataDir, "server.log"));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      output += text;
      log.write(text);
    });
  }
  const stop = async () => {
    reaper.stdin.end();
    await reaped;
    log.end();
  };
  const bound = await portOf(child.stdout, exited);
  if (bound === undefined) {
    await stop();
    throw new SetupError(`VS Code's server did not start.\n${output.trim().split("\n").slice(-20).join("\n")}`);
  }
  return { port: bound, origin: `http://127.0.0.1:${bound}`, dataDir, output: () => output, exited, stop };
}

/**
 * Waits for the line in which the server tells its port, then for "Extension host agent started".
 * @param {import("node:stream").Readable} stdout
 * @param {Promise<number | null>} exited
 * @returns {Promise<number | undefined>} undefined when the server ended, or the deadline passed, before that
 */
function portOf(stdout, exited) {
  return new Promise((resolve) => {
    let text = "";
    const timer = setTimeout(() => resolve(undefined), START_DEADLINE_MS);
    const finish = (/** @type {number | undefined} */ port) => {
      clearTimeout(timer);
      resolve(port);
    };
    void exited.then(() => finish(undefined));
    stdout.on("data", (/** @type {string} */ chunk) => {
      text += chunk;
      const port = /Server bound to [^:\s]+:(\d+)/.exec(text)?.[1];
      if (port !== undefined && text.includes("Extension host agent started")) finish(Number(port));
    });
  });
}

/** @returns {NodeJS.ProcessEnv} our environment without what a surrounding VS Code terminal would pass on */
function serverEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|VITEST|NODE_OPTIONS$|NODE_ENV$)/.test(name)),
  );
}

/**
 * Puts symlinks to `folders` where the server looks for installed extensions. It scans that place itself on the first
 * start of a data folder and keeps a list from then on, which is brought up to date here.
 * @param {string} place
 * @param {string[]} folders
 */
function linkExtensions(place, folders) {
  mkdirSync(place, { recursive: true });
  const listFile = join(place, "extensions.json");
  /** @type {{ identifier: { id: string } }[] | undefined} */
  let list = existsSync(listFile) ? JSON.parse(readFileSync(listFile, "utf8")) : undefined;
  for (const folder of folders) {
    const { publisher, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const id = `${publisher}.${name}`;
    for (const entry of readdirSync(place)) {
      if (entry.startsWith(`${id}-`) && lstatSync(join(place, entry)).isSymbolicLink()) rmSync(join(place, entry));
    }
    const link = `${id}-${version}`;
    symlinkSync(folder, join(place, link), "dir");
    list = list?.filter((entry) => entry.identifier.id.toLowerCase() !== id.toLowerCase());
    list?.push(
      Object.assign(
        { identifier: { id } },
        { version, location: { $mid: 1, path: join(place, link), scheme: "file" }, relativeLocation: link },
      ),
    );
  }
  if (list !== undefined) writeFileSync(listFile, JSON.stringify(list));
}
