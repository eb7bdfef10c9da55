// Archives and patches that bring what no command may change unasked: they run contained, and nothing of it is kept.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { treeOf } from "../../faults/tree.js";
import { missingSandbox } from "../processes/missingSandbox.js";
import { openRig } from "./rig.js";

/** Makes files elsewhere, and an archive of them in a folder. */
async function archived(folder: string, make: (source: string) => Promise<unknown>, names: string[]): Promise<void> {
  const source = await tempFolder();
  await make(source);
  execFileSync("tar", ["cPf", join(folder, "x.tar"), "-C", source, ...names]);
}

const put = async (source: string, path: string, mode = 0o644): Promise<void> => {
  await mkdir(dirname(join(source, path)), { recursive: true });
  await writeFile(join(source, path), "planted\n");
  await chmod(join(source, path), mode);
};

describe.skipIf(missingSandbox() !== undefined)("a hostile archive", { timeout: 240_000 }, () => {
  test.each<[what: string, make: (source: string) => Promise<unknown>, names: string[], told: RegExp]>([
    ["a hook of Git", (source) => put(source, ".git/hooks/pre-commit", 0o755), [".git"], /Read-only|kept/],
    ["a file of secrets", (source) => put(source, ".env"), [".env"], /Nothing that it changed was kept: .*\.env/],
    ["what the build runs", (source) => put(source, "package.json"), ["package.json"], /kept: .*package\.json/],
    ["a link that leads out", (source) => symlink("/etc", join(source, "out")), ["out"], /kept: .*out \(a link\)/],
    ["a file that runs as its owner", (source) => put(source, "run", 0o4755), ["run"], /kept: .*run \(a set-user-id/],
    [
      "a link, and a file through it",
      async (source) => {
        await symlink("sub", join(source, "way"));
        await put(source, "sub/planted");
      },
      ["way", "sub"],
      /kept: .*way \(a link\)/,
    ],
    ["a good file beside a bad one", (source) => put(source, "a/.env"), ["a"], /kept: .*a\/\.env/],
  ])("with %s changes nothing", async (_what, make, names, said) => {
    const { folder, told } = await openRig({ "a.txt": "a\n" });
    await archived(folder, make, names);
    const before = await treeOf(folder);
    expect(await told("tar xPpf x.tar")).toMatch(said);
    expect(await treeOf(folder)).toEqual(before);
  });

  test("that is to be unpacked above the workspace leaves nothing there", async () => {
    const { folder, told } = await openRig({ "a.txt": "a\n" });
    const planted = `${basename(folder)}-planted`;
    execFileSync("tar", ["cPf", join(folder, "x.tar"), "--transform", `s,a.txt,../${planted},`, "-C", folder, "a.txt"]);
    expect(execFileSync("tar", ["tPf", join(folder, "x.tar")], { encoding: "utf8" })).toBe(`../${planted}\n`);
    await told("tar xPf x.tar");
    expect(existsSync(join(dirname(folder), planted))).toBe(false);
  });
});
