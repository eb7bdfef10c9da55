// The other agents, from the npm registry, outside the checkout: about 2 GB, once.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { announce, runLogged } from "../../scripts/child.mjs";
import type { Agent } from "./agents.js";

/** Where agents, their homes and the workspace are. */
export const cache = process.env["TOOLHOST_PEERS"] ?? join(homedir(), ".cache", "toolhost-peers");

/**
 * Installs an agent, if its version is not there yet.
 *
 * @returns its program
 * @throws SetupError if npm cannot install it
 */
export async function installAgent({ package: name, version, bin }: NonNullable<Agent["from"]>): Promise<string> {
  const folder = join(cache, "agents", `${bin}-${version}`);
  const program = join(folder, "node_modules", ".bin", bin);
  if (!existsSync(program)) {
    announce(`installing ${name} ${version} into ${folder}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-audit", "--no-fund", `${name}@${version}`];
    await runLogged(`peers-${bin}`, "npm", args, { cwd: folder });
  }
  return program;
}
