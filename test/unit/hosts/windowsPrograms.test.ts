// Which file a name leads to where endings are added to it, as Windows does by PATHEXT.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NodePrograms } from "../../../src/hosts/node/programs.js";

let root: string;

beforeEach(() => {
  root = realpathSync.native(mkdtempSync(join(tmpdir(), "pathext-")));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Finds a name in `first` and `second`, which have these files. */
async function found(name: string, files: readonly string[], pathExt: string | undefined): Promise<string | undefined> {
  for (const folder of ["first", "second"]) {
    mkdirSync(join(root, folder));
  }
  files.forEach((file) => writeFileSync(join(root, file), "x", { mode: 0o755 }));
  const path = ["first", "second"].map((folder) => join(root, folder)).join(delimiter);
  const [file] = await new NodePrograms(
    () => path,
    () => pathExt,
  ).find(name, root);
  return file?.slice(root.length + 1).replaceAll("\\", "/");
}

test.each([
  ["an .exe", "git", ["second/git.exe"], ".COM;.EXE", "second/git.exe"],
  ["a .cmd before a program further on", "npm", ["first/npm.cmd", "second/npm.exe"], ".EXE;.CMD", "first/npm.cmd"],
  ["what PATHEXT adds", "git", ["first/git.py", "second/git.exe"], ".COM;.EXE;.BAT;.CMD;.PY", "first/git.py"],
  ["what PATHEXT adds, with blanks of no use", "git", ["first/git.rb"], ";;.RB;", "first/git.rb"],
  ["the usual ones without PATHEXT", "git", ["first/git.bat"], undefined, "first/git.bat"],
  ["the usual ones where PATHEXT leaves them out", "git", ["first/git.exe", "second/git.py"], ".PY", "first/git.exe"],
  ["a name with its ending", "git.exe", ["first/git.exe.py", "second/git.exe"], ".EXE;.PY", "second/git.exe"],
  ["nothing that PATHEXT does not name", "git", ["first/git.py"], ".COM;.EXE", undefined],
  ["no path by PATHEXT", "git", ["first/git.x"], ".\\..\\..\\x;/x;.:x", undefined],
])("finds %s", async (_, name, files, pathExt, expected) => {
  expect(await found(name, files, pathExt)).toBe(expected);
});

test("adds no ending elsewhere", async () => {
  writeFileSync(join(root, "git.exe"), "x", { mode: 0o755 });
  const here = new NodePrograms(() => root, undefined);
  expect((await here.find("git", root)).length).toBe(process.platform === "win32" ? 1 : 0);
});
