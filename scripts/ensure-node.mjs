// Node 24, which the VS Code server needs, whatever Node the machine has.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { announce, firstOutput, runLogged, SetupError } from "./child.mjs";
import { cache, modules } from "./paths.mjs";

const WANTED = /^v24\./;
const platformPackage = `node-${process.platform}-${process.arch}`;
const executable = process.platform === "win32" ? "bin/node.exe" : "bin/node";

/** The npm package `node` puts it here in its install script, which an npm configuration may forbid. */
const fromInstallScript = join(modules, "node", executable);
const fallbackFolder = join(cache, "node");
const fromFallback = join(fallbackFolder, "node_modules", platformPackage, executable);

/**
 * @returns {string} the Node 24 executable
 * @throws {SetupError} when setup has not run yet
 */
export function findNode() {
  const found = [fromInstallScript, fromFallback].find((file) => existsSync(file));
  if (found === undefined)
    throw new SetupError("Node 24 is missing: run `npm test` or `node scripts/setup.mjs e2e` once.");
  return found;
}

/**
 * Makes sure that a Node 24 runs, downloading the platform's own package when the install script was blocked.
 * @returns {Promise<string>} its path
 */
export async function ensureNode() {
  for (const candidate of [fromInstallScript, fromFallback]) {
    if (WANTED.test((await firstOutput(candidate, ["--version"])) ?? "")) return candidate;
  }
  const version = String(JSON.parse(readFileSync(join(modules, "node", "package.json"), "utf8")).version);
  announce(`downloading Node ${version} (${platformPackage})`);
  mkdirSync(fallbackFolder, { recursive: true });
  writeFileSync(join(fallbackFolder, "package.json"), '{ "private": true }\n');
  await runLogged(
    "node",
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${platformPackage}@${version}`],
    { cwd: fallbackFolder },
  );
  if (WANTED.test((await firstOutput(fromFallback, ["--version"])) ?? "")) return fromFallback;
  throw new SetupError(
    `Node 24 does not run on this machine (${process.platform}-${process.arch}); tried ${fromInstallScript} and ${fromFallback}.`,
  );
}

/**
 * The environment of everything after the bootstrap: Node 24 and this checkout's binaries come first.
 * @param {string} node the Node 24 executable
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnvironment(node) {
  return { ...process.env, PATH: [dirname(node), join(modules, ".bin"), process.env.PATH ?? ""].join(delimiter) };
}
