import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ToolError } from "../../../src/core/errors.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { isElsewhere, NetworkLinks } from "../../../src/hosts/node/disk/networkLinks.js";

/** Looks at a path of a disk with links; returns the verdict and the names that were asked for. */
function look(links: Readonly<Record<string, string>>, path: string): { verdict: string; asked: string[] } {
  const asked: string[] = [];
  const targetOf = (name: string): string | undefined => {
    asked.push(name);
    return links[name];
  };
  try {
    new NetworkLinks(targetOf).refuse(path);
    return { verdict: "ok", asked };
  } catch (error) {
    return { verdict: error instanceof ToolError ? error.type : String(error), asked };
  }
}

describe("a path on Windows", () => {
  const links = {
    "C:/work/evil": "\\\\evil\\share",
    "C:/work/slashed": "//evil/share/x",
    "C:/work/verbatim": "\\\\?\\UNC\\evil\\share",
    "C:/work/device": "\\\\.\\UNC\\evil\\share",
    "C:/work/chain": "sub\\chain",
    "C:/work/sub/chain": "..\\evil",
    "C:/work/in": "C:\\work\\sub",
    "C:/work/long": "\\\\?\\C:\\work\\sub",
    "C:/work/rooted": "\\work\\evil",
    "C:/work/circle": "circle",
    "C:/link": "C:\\work",
    "//server/share/work/same": "\\\\SERVER\\share\\other",
    "//server/share/work/another": "\\\\server\\other\\x",
  };

  test.each([
    { path: "C:/work/a.ts", verdict: "ok" },
    { path: "C:/work/in/a.ts", verdict: "ok" },
    { path: "C:/work/long/a.ts", verdict: "ok" },
    { path: "C:/work/circle/a.ts", verdict: "ok" },
    { path: "C:/work/evil", verdict: "outside_workspace" },
    { path: "C:/work/evil/deep/a.ts", verdict: "outside_workspace" },
    { path: "C:/work/slashed/a.ts", verdict: "outside_workspace" },
    { path: "C:/work/verbatim/a.ts", verdict: "outside_workspace" },
    { path: "C:/work/device/a.ts", verdict: "outside_workspace" },
    { path: "C:/work/chain", verdict: "outside_workspace" },
    { path: "C:/work/in/chain/a.ts", verdict: "outside_workspace" },
    { path: "C:/work/rooted/a.ts", verdict: "outside_workspace" },
    { path: "C:/link/evil/a.ts", verdict: "outside_workspace" },
    { path: "//server/share/work/a.ts", verdict: "ok" },
    { path: "//server/share/work/same/a.ts", verdict: "ok" },
    { path: "//server/share/work/another/a.ts", verdict: "outside_workspace" },
  ])("$path: $verdict, and nothing is asked of another machine or below such a link", ({ path, verdict }) => {
    const looked = look(links, path);
    expect(looked.verdict).toBe(verdict);
    const top = path.startsWith("//") ? "//server/share/" : "C:/";
    expect(looked.asked.filter((name) => !name.toLowerCase().startsWith(top.toLowerCase()))).toEqual([]);
    expect(looked.asked.filter((name) => /\/(?:evil|slashed|verbatim|device|another)\//.test(name))).toEqual([]);
  });
});

test("says which link it is and what a person can do", () => {
  expect(() => new NetworkLinks((name) => (name === "C:/w/l" ? "\\\\evil\\s" : undefined)).refuse("C:/w/l/x")).toThrow(
    expect.objectContaining({
      message: "C:/w/l is a link to another machine (//evil/s), which was not contacted.",
      hint: "To work with files there, open the share as a workspace folder.",
    }) as Error,
  );
});

test("a folder that is no link is not looked at again for a second, a file always is", () => {
  const asked: string[] = [];
  let now = 0;
  const links = new NetworkLinks(
    (name) => void asked.push(name),
    () => now,
  );
  links.refuse("C:/work/a.ts");
  links.refuse("C:/work/a.ts");
  links.refuse("C:/work/b.ts");
  expect(asked).toEqual(["C:/work", "C:/work/a.ts", "C:/work/a.ts", "C:/work/b.ts"]);
  now = 1_000;
  links.refuse("C:/work/b.ts");
  expect(asked.slice(4)).toEqual(["C:/work", "C:/work/b.ts"]);
});

test.each([
  { target: "\\\\evil\\share\\.git", from: "C:\\work\\.git", elsewhere: true },
  { target: "//evil/share/.git", from: "C:/work/.git", elsewhere: true },
  { target: "//SERVER/share/other/.git", from: "\\\\server\\share\\work\\.git", elsewhere: false },
  { target: "//server/c$/other/.git", from: "//server/share/work/.git", elsewhere: true },
  { target: "C:/other/.git", from: "D:/work/.git", elsewhere: false },
  { target: "../other", from: "C:/work/.git", elsewhere: false },
])("$target in $from is on another machine: $elsewhere", ({ target, from, elsewhere }) => {
  expect(isElsewhere(target, from)).toBe(elsewhere);
});

test("the disk neither follows such a link nor looks at what it leads to when it lists a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-links-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync("//usr/bin", join(folder, "evil"));
  const here = new NodeDisk();
  const onWindows = Object.assign(new NodeDisk(), { windows: true });
  // Two slashes are one here, so that the link leads to a folder that would be seen.
  expect(await here.list(folder)).toMatchObject([{ name: "evil", link: true, kind: "directory" }]);
  expect(await onWindows.list(folder)).toMatchObject([{ name: "evil", link: true, kind: "other" }]);
  expect(onWindows.isMissing(`${folder}/evil/none`)).toBe(false);
  expect(here.isMissing(`${folder}/evil/none`)).toBe(true);
  await expect(onWindows.realPath(`${folder}/evil/env`)).rejects.toMatchObject({ type: "outside_workspace" });
});
