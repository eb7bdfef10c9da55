// node_modules as package-lock.json says, installed only when it changed.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announce, runLogged } from "./child.mjs";
import { modules, repository } from "./paths.mjs";

/** Written last, so an interrupted install is done again. */
const marker = join(modules, ".toolhost-lock");

/** Runs `npm ci` unless node_modules was installed from this very package-lock.json. */
export async function ensureDependencies() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(repository, "package-lock.json")))
    .digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8").trim() === wanted) {
    leaveRipgrepAlone();
    return;
  }
  // npm ci would empty the folder that it leads to, which is another checkout's.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error(
      `${modules} is a link to another checkout's dependencies, which are not those of this package-lock.json. Remove the link, and they are installed here.`,
    );
  }
  announce("installing dependencies (npm ci)");
  await runLogged("npm-ci", "npm", ["ci", "--no-audit", "--no-fund"], { cwd: repository });
  leaveRipgrepAlone();
  writeFileSync(marker, `${wanted}\n`);
}

/**
 * Takes ripgrep for WebAssembly off the PATH of npm's scripts: its package has a command `rg`, which sees no folder above
 * its own and would stand in for the system's in every test that runs one.
 */
function leaveRipgrepAlone() {
  for (const name of ["rg", "rg.cmd", "rg.ps1", "ripgrep", "ripgrep.cmd", "ripgrep.ps1"]) {
    rmSync(join(modules, ".bin", name), { force: true });
  }
}
