// VS Code's own server and workbench, from the npm registry alone (the code-server package carries them).
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announce, runLogged, SetupError } from "./child.mjs";
import { cache } from "./paths.mjs";

/** Carries VS Code 1.139.1 with its built-in extensions and GitHub Copilot Chat 0.67. */
const CODE_SERVER = "4.139.1";

const folder = join(cache, `code-server-${CODE_SERVER}`);
const marker = join(folder, ".complete");
const partial = join(cache, `code-server-partial`);

/** @param {string} base the folder of the install */
const vscodeIn = (base) => join(base, "node_modules", "code-server", "lib", "vscode");

/**
 * @returns {string} the folder of VS Code's server (`out/server-main.js` is in it)
 * @throws {SetupError} when setup has not run yet
 */
export function findVSCode() {
  if (!existsSync(marker))
    throw new SetupError("VS Code's server is missing: run `npm test` or `node scripts/setup.mjs e2e` once.");
  return vscodeIn(folder);
}

/** Downloads VS Code's server unless it is there; an interrupted download starts over. Callers hold the setup lock. */
export async function ensureVSCode() {
  if (!existsSync(marker)) await download();
  copyFileSync(
    join(import.meta.dirname, "spdlog.cjs"),
    join(vscodeIn(folder), "node_modules", "@vscode", "spdlog", "index.js"),
  );
}

async function download() {
  announce("downloading VS Code 1.139.1 (once; about 600 MB on disk)");
  rmSync(folder, { recursive: true, force: true });
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, "package.json"), '{ "private": true }\n');
  // No install script runs: they would compile bindings that a test server does not need.
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
  await runLogged("vscode", "npm", ["install", ...quiet, `code-server@${CODE_SERVER}`], { cwd: partial });
  await runLogged("vscode-modules", "npm", ["install", "--omit=dev", ...quiet], { cwd: vscodeIn(partial) });
  // TypeScript for the language service.
  await runLogged("vscode-extensions", "npm", ["install", "--omit=dev", ...quiet], {
    cwd: join(vscodeIn(partial), "extensions"),
  });
  writeFileSync(join(partial, ".complete"), `${CODE_SERVER}\n`);
  renameSync(partial, folder);
  for (const other of readdirSync(cache)) {
    if (other.startsWith("code-server-") && other !== `code-server-${CODE_SERVER}`)
      rmSync(join(cache, other), { recursive: true, force: true });
  }
}
