import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, memoryProbe } from "./built.js";

const cli = builtCli();
/** Megabytes. */
const LIMIT = 100;

test("a pipe of 200 MB on the command line takes less than 100 MB of memory more than one of 30 MB, and that than one of a line", async () => {
  const cwd = await tempFolder();
  const { preload, file } = await memoryProbe(await tempFolder());
  let runs = 0;
  const peak = async (bytes: number): Promise<number> => {
    const input = {
      tool_name: "exec",
      tool_input: { command: `yes 'a line of thirty-two characters' | head -c ${bytes}` },
      path: `${++runs}.log`,
    };
    const done = await cli.run(["run", "pipe", "--input", JSON.stringify(input)], {
      cwd,
      env: { ...process.env, NODE_OPTIONS: `--require ${preload}` },
    });
    expect([done.code, done.err]).toEqual([0, ""]);
    expect((await stat(join(cwd, ".toolhost/context", `${runs}.log`))).size).toBe(bytes);
    return Number(await readFile(file, "utf8"));
  };
  /** Returns the megabytes that a pipe takes more than that: the least of three runs, since a busy machine only adds garbage. */
  const more = async (bytes: number, than: number): Promise<number> => {
    let least = Infinity;
    for (let run = 0; run < 3 && least >= LIMIT; run++) {
      least = Math.min(least, Math.round(((await peak(bytes)) - than) / 1e6));
    }
    return least;
  };
  const line = await peak(30);
  expect(await more(30_000_000, line)).toBeLessThan(LIMIT);
  expect(await more(200_000_000, await peak(30_000_000))).toBeLessThan(LIMIT);
});
