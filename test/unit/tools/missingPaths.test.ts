import { writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asOrdinaryUser, failed, hosts, isInMemory, openWorkspace, result, tempFolder } from "./workspace.js";

const tree = {
  ".gitignore": "build\n",
  "src/hono-base.ts": "x\n",
  "src/hono.ts": "x\n",
  "src/utils/url.ts": "x\n",
  "src/utils/deep/only.md": "x\n",
  "src/a/index.ts": "x\n",
  "src/b/index.ts": "x\n",
  "build/generated.ts": "x\n",
  ".docker/config.json": "x\n",
};

describe.each(hosts)("a path that is not there, on the %s host", (host) => {
  const cases: { name: string; path: string; hint: string }[] = [
    { name: "the only file of its name is elsewhere", path: "hono-base.ts", hint: "Did you mean src/hono-base.ts?" },
    { name: "the folder above is left out", path: "utils/url.ts", hint: "Did you mean src/utils/url.ts?" },
    { name: "in another folder", path: "lib/only.md", hint: "Did you mean src/utils/deep/only.md?" },
    {
      name: "the workspace's own name in front",
      path: "hono/src/hono.ts",
      hint: "Did you mean src/hono.ts? Paths start inside the workspace folder, without its name.",
    },
    {
      name: "the workspace's own name",
      path: "hono",
      hint: "Did you mean .? Paths start inside the workspace folder, without its name.",
    },
    { name: "Windows' separators", path: "src\\utils\\url.ts", hint: "Did you mean src/utils/url.ts?" },
    { name: "quotes", path: "`src/hono.ts`", hint: "Did you mean src/hono.ts?" },
    { name: "a line behind it", path: "src/hono.ts:10", hint: "Did you mean src/hono.ts, with offset=10?" },
    { name: "lines behind it", path: "src/hono.ts#L10-L20", hint: "Did you mean src/hono.ts, with offset=10?" },
    { name: "a diff's side in front", path: "b/src/hono.ts", hint: "Did you mean src/hono.ts?" },
    { name: "other case", path: "Src/Utils/URL.ts", hint: "Did you mean src/utils/url.ts?" },
    {
      name: "a stored result",
      path: "r0123456789ab",
      hint: "r0123456789ab is a stored result: read_result gives its pages and searches it.",
    },
    { name: "a mention", path: "@src/hono.ts", hint: "Did you mean src/hono.ts?" },
    {
      name: "wildcards",
      path: "src/utils/*.ts",
      hint: "A path takes no wildcards: find files with glob, or search some with include of grep.",
    },
    {
      name: "a slash in front",
      path: "/src/hono.ts",
      hint: "Did you mean src/hono.ts? Workspace paths begin without a slash.",
    },
    {
      name: "several of its name elsewhere",
      path: "lib/index.ts",
      hint: "The folder lib does not exist either. Use ls or grep to find the file.",
    },
    { name: "an ignored file", path: "generated.ts", hint: "ls shows what is in the workspace." },
    {
      name: "a file that may be secret",
      path: "config.json",
      hint: "ls shows what is in the workspace.",
    },
  ];
  test.each(cases)("read: $name", async ({ path, hint }) => {
    const { call } = await openWorkspace(tree, { host, name: "hono" });
    for (const as of ["owner", "model"] as const) {
      expect(failed(await call("read", { path }, { as, answer: false }))).toMatchObject({ type: "not_found", hint });
    }
  });

  test("read: a slash in front of a path whose first folder the disk has, too", async () => {
    const { call } = await openWorkspace({ ...tree, "tmp/of/this.ts": "x\n" }, { host, name: "hono" });
    expect(failed(await call("read", { path: "/tmp/of/this.ts" }, { as: "owner" }))).toMatchObject({
      // The disk of a host in memory has no /tmp.
      type: isInMemory(host) ? "not_found" : "outside_workspace",
      hint: "Did you mean tmp/of/this.ts? Workspace paths begin without a slash.",
    });
  });

  test.each<[string, object]>([
    ["edit", { path: "utils/url.ts", old_text: "x", new_text: "y" }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Update File: utils/url.ts\n@@\n-x\n+y\n*** End Patch" }],
    ["multi_edit", { edits: [{ path: "utils/url.ts", old_text: "x", new_text: "y" }] }],
    ["grep", { pattern: "x", path: "utils/url.ts" }],
  ])("%s names the file, too", async (tool, input) => {
    const { call } = await openWorkspace(tree, { host });
    expect(failed(await call(tool, input))).toMatchObject({
      type: "not_found",
      hint: "Did you mean src/utils/url.ts?",
    });
  });

  test("a folder is found by its name as well", async () => {
    const { call } = await openWorkspace(tree, { host });
    expect(failed(await call("ls", { path: "utils" }))).toMatchObject({ hint: "Did you mean src/utils?" });
  });
});

test("with several folders the other one is named", async () => {
  const second = await tempFolder({ "lib/there.ts": "x\n" });
  const { call } = await openWorkspace({ "src/a.ts": "x\n" }, { name: "one", roots: [{ name: "two", path: second }] });
  expect(failed(await call("read", { path: "one/there.ts" }))).toMatchObject({
    hint: "Did you mean two/lib/there.ts?",
  });
  expect(failed(await call("read", { path: "one/one/src/a.ts" }))).toMatchObject({
    hint: expect.stringContaining("Did you mean one/src/a.ts?") as unknown,
  });
});

test("a folder that cannot be looked into is not said to be missing", async () => {
  const { folder, call } = await openWorkspace({ "closed/a.txt": "x" });
  await chmod(folder, 0o755);
  await chmod(join(folder, "closed"), 0o311);
  const error = failed(await asOrdinaryUser(() => call("read", { path: "closed/b.txt" })));
  await chmod(join(folder, "closed"), 0o755);
  expect(error).toMatchObject({
    type: "not_found",
    hint: "The folder closed cannot be read, so its contents are unknown.",
  });
});

test("a name that is not valid UTF-8 is said to be one", async () => {
  const { folder, call } = await openWorkspace({ "a.txt": "x" });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xc3]), Buffer.from(".txt")]), "x");
  const error = failed(await call("read", { path: "bad\ufffd.txt" }));
  expect(error).toMatchObject({
    type: "not_found",
    hint: "A similar name exists, but it is not valid UTF-8, so tools cannot open it. Rename it with a command.",
  });
});

describe("a name with a line ending is quoted in answers", () => {
  const path = "nl\nname.txt";
  const shown = '"nl\\nname.txt"';
  const answers: { tool: string; input: object; text: string }[] = [
    { tool: "write", input: { path, content: "x\n" }, text: `Wrote 2 bytes to ${shown} (overwritten).` },
    { tool: "edit", input: { path, old_text: "old", new_text: "new" }, text: `Edited ${shown}: ` },
    { tool: "multi_edit", input: { edits: [{ path, old_text: "old", new_text: "new" }] }, text: `- ${shown}: ` },
    { tool: "ls", input: { path }, text: `${shown} is a file` },
    { tool: "read", input: { path, offset: 9 }, text: `past the end: ${shown} has` },
  ];
  test.each(answers)("$tool", async ({ tool, input, text }) => {
    const { call } = await openWorkspace({ [path]: "old\n" });
    const told = result(await call(tool, input)).text;
    expect(told).toContain(text);
    expect(told).not.toContain(path);
  });

  const errors: { tool: string; input: object }[] = [
    { tool: "edit", input: { path, old_text: "none of it", new_text: "new" } },
    { tool: "edit", input: { path: `${path}x`, old_text: "a", new_text: "new" } },
    { tool: "write", input: { path, content: "x", on_conflict: "error" } },
    { tool: "write", input: { path: `${path}/below`, content: "x" } },
    { tool: "read", input: { path: "folder\nwith/file" } },
    { tool: "read", input: { path: "dir\nname" } },
  ];
  test.each(errors)("error of $tool $input", async ({ tool, input }) => {
    const { call } = await openWorkspace({ [path]: "old\n", "dir\nname/x": "x" });
    const { message, hint } = failed(await call(tool, input));
    expect(`${message} ${hint ?? ""}`).not.toMatch(/nl\nname|dir\nname|folder\nwith/);
  });
});
