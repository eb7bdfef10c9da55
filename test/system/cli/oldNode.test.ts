import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refuseOldNode } from "../../../scripts/refuse-old-node.mjs";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();

/** The command line on a Node that says it has another version. */
async function runOn(version: string): Promise<{ code: number | null; out: string; err: string }> {
  const folder = await tempFolder();
  const preload = join(folder, "version.cjs");
  await writeFile(
    preload,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
  );
  const { code, out, err } = await cli.run(["read", "--help"], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: `--require ${preload}` },
  });
  return { code, out, err };
}

test.each(["18.20.8", "20.20.2", "22.12.0"])(
  "on Node %s the command line says in one sentence how to go on",
  async (version) => {
    expect(await runOn(version)).toEqual({
      code: 2,
      out: "",
      err: `toolhost needs Node 22.13 or later, and this is Node ${version}. Install a newer one from https://nodejs.org, then run the command again.\n`,
    });
  },
);

test.each(["22.13.0", "23.0.0", "24.21.0"])("on Node %s it runs", async (version) => {
  expect(await runOn(version)).toMatchObject({ code: 0, err: "" });
});

test("it is the first that dist/cli.js does", async () => {
  const script = await readFile(cli.script, "utf8");
  expect(script.startsWith(`#!/usr/bin/env node\n${refuseOldNode}`)).toBe(true);
});
