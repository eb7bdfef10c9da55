// node_modules as package-lock.json says, installed only when it changed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announce, runLogged } from "./child.mjs";
import { modules, repository } from "./paths.mjs";

/** Written last, so an interrupted install is done again. */
const marker = join(modules, ".toolhost-lock");

/** Runs `npm ci` unless node_modules was installed from this very package-lock.json. */
export async function ensureDependencies() {
  const wanted = createHash("sha256").update(readFileSync(join(repository, "package-lock.json"))).digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8").trim() === wanted) return;
  announce("installing dependencies (npm ci)");
  await runLogged("npm-ci", "npm", ["ci", "--no-audit", "--no-fund"], { cwd: repository });
  writeFileSync(marker, `${wanted}\n`);
}
