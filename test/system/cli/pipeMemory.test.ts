import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, memoryProbe } from "./built.js";

const cli = builtCli();

test("a pipe of 200 MB on the command line takes less than 100 MB of memory more than one of 30 MB, and that than one of a line", async () => {
  const cwd = await tempFolder();
  const { preload, file } = await memoryProbe(await tempFolder(), true);
  const peak = async (bytes: number): Promise<number> => {
    const input = {
      tool_name: "exec",
      tool_input: { command: `yes 'a line of thirty-two characters' | head -c ${bytes}` },
      path: `${bytes}.log`,
    };
    const done = await cli.run(["run", "pipe", "--input", JSON.stringify(input)], {
      cwd,
      env: { ...process.env, NODE_OPTIONS: `--require ${preload}` },
    });
    expect([done.code, done.err]).toEqual([0, ""]);
    expect((await stat(join(cwd, ".toolhost/context", `${bytes}.log`))).size).toBe(bytes);
    return Number(await readFile(file, "utf8"));
  };
  const least = await peak(30_000_000);
  expect(Math.round((least - (await peak(30))) / 1e6)).toBeLessThan(100);
  expect(Math.round(((await peak(200_000_000)) - least) / 1e6)).toBeLessThan(100);
});
