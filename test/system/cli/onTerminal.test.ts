// What a terminal is given of files and names: nothing that it would obey. Programs get it as it is.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli } from "./built.js";

const cli = builtCli();
const HOSTILE = "a\x1b]0;owned\x07b\x1b[31mc\u009b2Jd\u202ee";

function onTerminal(folder: string, args: readonly string[]): string {
  const line = ["node", cli.script, "--workspace", folder, ...args].map((word) => `'${word}'`).join(" ");
  return spawnSync("script", ["-qec", line, "/dev/null"], {
    encoding: "utf8",
    input: "",
    env: { ...process.env, PATH: `${join(process.execPath, "..")}:${process.env.PATH ?? ""}` },
  }).stdout;
}

// util-linux's `script` gives a command a terminal; other systems have another `script`.
describe.skipIf(process.platform !== "linux")("a terminal", () => {
  it.each([
    ["read", ["read", "f.txt"]],
    ["grep", ["grep", "owned"]],
    ["context_read", ["context", "read", "f.md"]],
    ["an error that quotes its input", ["run", "read", "--input", JSON.stringify({ path: "no\x1b[31m\u009b" })]],
    ["a result of a program", ["run", "read", "--input", '{"path":"f.txt"}', "--json"]],
  ])("obeys nothing of what is shown: %s", async (_what, args) => {
    const folder = await tempFolder();
    await mkdir(join(folder, ".toolhost/context"), { recursive: true });
    await writeFile(join(folder, "f.txt"), `${HOSTILE}\n`);
    await writeFile(join(folder, ".toolhost/context/f.md"), `${HOSTILE}\n`);
    const shown = onTerminal(folder, args);
    expect(shown).toMatch(/owned|no/);
    expect(/[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202e]/.exec(shown)).toBeNull();
  });

  it("is told apart from a program, which gets what there is", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "f.txt"), `${HOSTILE}\n`);
    expect((await cli.run(["--workspace", folder, "read", "f.txt"])).out).toContain(HOSTILE);
  });
});
