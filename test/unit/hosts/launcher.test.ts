import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeLauncher, refreshLauncher } from "../../../src/hosts/node/state/launcher.js";
import { tempFolder } from "../tools/workspace.js";

test("what agents start leads to the version that was there last, also once the one before is gone", async () => {
  const folder = await tempFolder();
  vi.stubEnv("TOOLHOST_STATE", join(folder, "state"));
  const [old, now] = ["old.js", "now.js"].map((name) => join(folder, name)) as [string, string];
  // Nobody was connected yet.
  refreshLauncher(old);
  expect(existsSync(join(folder, "state"))).toBe(false);
  const launcher = makeLauncher(old);
  writeFileSync(now, 'console.log("now", process.argv.slice(2).join())');
  refreshLauncher(now);
  expect(execFileSync(process.execPath, [launcher, "mcp", "--plan"], { encoding: "utf8" })).toBe("now mcp,--plan\n");
  vi.unstubAllEnvs();
});
