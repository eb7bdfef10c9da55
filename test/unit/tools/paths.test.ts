import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failed, openWorkspace, result, tempFolder } from "./workspace.js";

/** The fields a tool needs besides its path. */
const rest: Record<string, object> = {
  read: {},
  ls: {},
  grep: { pattern: "x" },
  glob: { pattern: "*" },
  write: { content: "x" },
  edit: { old_text: "secret", new_text: "changed" },
};

const hostile: { name: string; path: (outside: string) => string; type: string }[] = [
  { name: "nothing", path: () => "", type: "invalid_input" },
  { name: "NUL", path: () => "a.txt\0.png", type: "invalid_input" },
  { name: "10 MB", path: () => "a/".repeat(5_000_000), type: "invalid_input" },
  { name: "half a surrogate pair", path: () => "\ud800", type: "invalid_input" },
  { name: "the parent", path: () => "..", type: "outside_workspace" },
  { name: "up and away", path: () => "../../../../../../etc/passwd", type: "outside_workspace" },
  { name: "down and up", path: () => "src/../../x", type: "outside_workspace" },
  { name: "through a file that is not there", path: () => "none/../../x", type: "outside_workspace" },
  { name: "the root", path: () => "/", type: "outside_workspace" },
  { name: "an absolute path", path: () => "/etc/passwd", type: "outside_workspace" },
  { name: "a neighbour whose name begins alike", path: () => "../ws2/x", type: "outside_workspace" },
  { name: "an address of a file", path: () => "file:///etc/passwd", type: "outside_workspace" },
  { name: "an address with escapes", path: () => "file:///%65tc/passwd", type: "outside_workspace" },
  { name: "another machine's file", path: () => "file://host/etc/passwd", type: "invalid_input" },
  { name: "a web address", path: () => "https://example.com/a", type: "invalid_input" },
  { name: "UNC", path: () => "\\\\host\\share\\x", type: "invalid_input" },
  { name: "a device path", path: () => "//./pipe/x", type: "invalid_input" },
  { name: "a Windows path", path: () => "C:\\Windows\\win.ini", type: "invalid_input" },
  { name: "home", path: () => "~/.ssh/id_rsa", type: "invalid_input" },
  { name: "a link to a file outside", path: () => "to-file", type: "outside_workspace" },
  { name: "a link to a folder outside", path: () => "to-folder", type: "outside_workspace" },
  { name: "below a link to outside", path: () => "to-folder/secret.txt", type: "outside_workspace" },
  { name: "not yet there, below a link to outside", path: () => "to-folder/new/file.txt", type: "outside_workspace" },
  { name: "a link to a link to outside", path: () => "to-link", type: "outside_workspace" },
  { name: "outside by its real path", path: (outside) => join(outside, "secret.txt"), type: "outside_workspace" },
];

describe.each(Object.keys(rest))("%s refuses", (tool) => {
  test.each(hostile)("$name", async ({ path, type }) => {
    const outside = await tempFolder({ "secret.txt": "secret" });
    const { folder, call, asked } = await openWorkspace({ "src/a.txt": "x" });
    await symlink(join(outside, "secret.txt"), join(folder, "to-file"));
    await symlink(outside, join(folder, "to-folder"));
    await symlink("to-folder", join(folder, "to-link"));
    for (const as of ["owner", "model"] as const) {
      // Never a yes: it would really write there.
      const error = failed(await call(tool, { path: path(outside), ...rest[tool] }, { as, answer: false }));
      // A model's user is asked about what lies outside.
      expect(error.type).toBe(as === "model" && type === "outside_workspace" ? "denied" : type);
      expect(error.message.length).toBeLessThan(400);
      expect(error.hint).toBeTruthy();
    }
    expect(asked.every(({ reasons }) => reasons.some((reason) => reason.includes("lies outside the workspace")))).toBe(
      true,
    );
    expect(asked).toHaveLength(type === "outside_workspace" ? 1 : 0);
  });
});

describe("several folders", () => {
  test("a path begins with its folder", async () => {
    const second = await tempFolder({ "f.txt": "second" });
    const { folder, call } = await openWorkspace(
      { "f.txt": "first" },
      { name: "one", roots: [{ name: "two", path: second }] },
    );
    expect(result(await call("read", { path: "one/f.txt" })).text).toBe("1\tfirst");
    expect(result(await call("read", { path: "two/f.txt" })).text).toBe("1\tsecond");
    expect(result<{ path: string }>(await call("read", { path: join(folder, "f.txt") })).data.path).toBe("one/f.txt");
    expect(failed(await call("read", { path: "f.txt" }))).toMatchObject({
      type: "not_found",
      hint: expect.stringContaining("one, two") as string,
    });
    expect(failed(await call("read", { path: "two/../one/f.txt.bak" })).message).toBe(
      "one/f.txt.bak: there is no such file or folder.",
    );
    expect(failed(await call("read", { path: "two/../../f.txt" })).type).toBe("outside_workspace");
    await symlink("nowhere", join(second, "broken"));
    expect(failed(await call("read", { path: "two/broken" })).message).toBe(
      "two/broken is a link whose target does not exist.",
    );
  });

  test("a link from one folder of the workspace to another is inside", async () => {
    const second = await tempFolder({ "f.txt": "second" });
    const { folder, call } = await openWorkspace({}, { name: "one", roots: [{ name: "two", path: second }] });
    await symlink(join(second, "f.txt"), join(folder, "link"));
    expect(result(await call("read", { path: "one/link" })).text).toBe("1\tsecond");
  });

  test("a link to a folder that was let in beside is inside", async () => {
    const beside = await tempFolder({ "f.txt": "beside" });
    const { folder, call } = await openWorkspace({}, { roots: [{ name: "x", path: beside, beside: true }] });
    await symlink(join(beside, "f.txt"), join(folder, "link"));
    expect(result(await call("read", { path: "link" })).text).toBe("1\tbeside");
    expect(result<{ path: string }>(await call("read", { path: join(beside, "f.txt") })).data.path).toBe(
      join(beside, "f.txt"),
    );
  });
});

describe("input of any shape", () => {
  const inputs: unknown[] = [
    undefined,
    null,
    1,
    "x",
    [],
    [{}],
    { path: 1 },
    { path: {} },
    { path: ["a", "b"] },
    { path: "a", nosuch: 1 },
    { path: "x".repeat(10_000_000) },
    { path: "a", ["__proto__"]: {} },
    { constructor: "x" },
  ];
  test.each(Object.keys(rest))("%s names what is wrong in a few words", async (tool) => {
    const { call } = await openWorkspace();
    for (const input of inputs) {
      const outcome = await call(tool, input);
      expect(outcome.ok).toBe(false);
      expect(JSON.stringify(outcome).length).toBeLessThan(1500);
    }
  });
});
