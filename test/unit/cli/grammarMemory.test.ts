import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { tempFolder } from "../tools/workspace.js";
import { builtCli, memoryProbe } from "./built.js";

const cli = builtCli();

test("deciding on a command takes no memory for compiling the grammar a second time", async () => {
  const { preload, file } = await memoryProbe(await tempFolder());
  const folder = await tempFolder({ "a.txt": "x\n" });
  const env = { ...process.env, TOOLHOST_AGENT: "1", NODE_OPTIONS: `--require=${preload}` };
  const { out, code } = await cli.run(["--workspace", folder, "exec", "cat a.txt && grep -n x a.txt | head -20 && ls"], { env });
  expect(out).toContain("a.txt");
  expect(code).toBe(0);
  // Without the flags it has 570 MB.
  expect(Number(await readFile(file, "utf8"))).toBeLessThan(250_000_000);
});
