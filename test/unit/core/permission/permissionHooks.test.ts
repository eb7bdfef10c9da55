import { describe, expect, test } from "vitest";
import { world } from "./permissionRig.js";

const hooksPath = (path: string): string => `[core]\n\thooksPath = ${path}\n`;

/** Where repositories say that their hooks or configuration lie, and files and folders of these. */
const GUARDED: readonly { name: string; texts: Readonly<Record<string, string>>; paths: readonly string[] }[] = [
  {
    name: "a folder",
    texts: { ".git/config": hooksPath("tools/hooks") },
    paths: ["tools/hooks/pre-commit", "tools/hooks/lib/x.sh", "./src/../tools/Hooks/pre-commit"],
  },
  {
    name: "a folder by its absolute path",
    texts: { ".git/config": hooksPath("/work/tools/hooks/") },
    paths: ["tools/hooks/pre-commit"],
  },
  { name: "the last of several", texts: { ".git/config": hooksPath("a") + hooksPath("./b//c") }, paths: ["b/c/x"] },
  {
    name: "an included configuration, beside one in a home folder",
    texts: { ".git/config": "[include]\n\tpath = more\n\tpath = ~/x\n", ".git/more": hooksPath("h") },
    paths: ["h/pre-push"],
  },
  {
    name: "a working tree's configuration",
    texts: { ".git/config": "[core]\n\tbare = false\n", ".git/config.worktree": hooksPath("h") },
    paths: ["h/x"],
  },
  {
    name: "the top itself",
    texts: { ".git/config": hooksPath(".") },
    paths: ["pre-commit", "post-index-change", "commit-msg"],
  },
  {
    name: "a linked working tree",
    texts: {
      "tree/.git": "gitdir: /work/.git/worktrees/tree\n",
      ".git/worktrees/tree/commondir": "../..\n",
      ".git/config": hooksPath("h"),
    },
    paths: ["tree/h/x", "h/x"],
  },
  {
    name: "a submodule's configuration",
    texts: { "sub/.git": "gitdir: ../.git/modules/sub\n", ".git/modules/sub/config": hooksPath("h") },
    paths: ["sub/h/x"],
  },
  {
    name: "a repository around one",
    texts: { ".git/config": hooksPath("sub/h"), "sub/.git/config": "" },
    paths: ["sub/h/x"],
  },
  {
    name: "git's folder under another name",
    texts: { ".git": "gitdir: ./.bare\n", ".bare/config": "[core]\n\tbare = false\n", ".bare/HEAD": "x\n" },
    paths: [".bare/config", ".bare/hooks/pre-commit"],
  },
  {
    name: "a bare repository, as of a working tree elsewhere",
    texts: {
      "tree/.git": "gitdir: ../store/worktrees/tree\n",
      "store/worktrees/tree/commondir": "../..\n",
      "store/HEAD": "x\n",
      "store/objects/x": "",
    },
    paths: ["store/config", "store/hooks/x"],
  },
];

describe("what Git runs by its configuration is protected", () => {
  test.each(GUARDED)("$name", async ({ texts, paths }) => {
    const rules = [
      { tool: "write", decision: "allow" },
      { tool: "exec", params: { command: "mkdir **" }, decision: "allow" },
      { tool: "exec", params: { command: "cp **" }, decision: "allow" },
    ];
    const files = ["a.txt", "src/a.ts", ...paths.filter((path) => !/^\.\/|^\.bare|^store/.test(path))];
    const { explain } = world({ files, texts, rules });
    for (const path of paths) {
      expect(await explain("write", { path, content: "x" }), path).toMatchObject({ decision: "ask" });
      expect((await explain("write", { path, content: "x" })).reasons.join(), path).toMatch(
        /protected: (?:Git |.* Git )/,
      );
      expect(
        await explain("apply_patch", {
          patch: `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${path}\n@@\n-x\n+y\n*** End Patch`,
        }),
        path,
      ).toMatchObject({ decision: "ask" });
      expect(await explain("exec", { command: `cp a.txt ${path}` }), path).toMatchObject({ decision: "ask" });
      expect(await explain("exec", { command: `echo x > ${path}` }), path).toMatchObject({ decision: "ask" });
    }
  });

  test("also when its folder is moved or made", async () => {
    const { explain } = world({
      files: ["tools/x"],
      texts: { ".git/config": hooksPath("tools/hooks") },
      rules: [
        { tool: "exec", params: { command: "cp **" }, decision: "allow" },
        { tool: "exec", params: { command: "mv **" }, decision: "allow" },
      ],
    });
    expect(await explain("exec", { command: "cp -r a tools/hooks" })).toMatchObject({ decision: "ask" });
    expect(await explain("exec", { command: "cp -r a tools" })).toMatchObject({ decision: "ask" });
  });

  test("and a rule that names that very file allows it", async () => {
    const rules = [{ tool: "write", params: { path: "tools/hooks/pre-commit" }, decision: "allow" }];
    const { explain } = world({ rules, files: ["a.txt"], texts: { ".git/config": hooksPath("tools/hooks") } });
    expect(await explain("write", { path: "tools/hooks/pre-commit", content: "x" })).toMatchObject({
      decision: "allow",
    });
    expect(await explain("write", { path: "tools/hooks/pre-push", content: "x" })).toMatchObject({ decision: "ask" });
  });
});

/** Files next to such folders. */
const FREE: readonly [path: string, config: string][] = [
  ["src/a.ts", hooksPath("tools/hooks")],
  ["tools/hooks2/a", hooksPath("tools/hooks")],
  ["tools/hooks", hooksPath("")],
  ["a.txt", hooksPath(".")],
  ["src/pre-commit", hooksPath(".")],
  ["a.txt", hooksPath("/elsewhere")],
  ["a.txt", hooksPath("~/hooks")],
  ["a.txt", "no configuration"],
  ["a.txt", hooksPath("..")],
];

test.each(FREE)("%s is no such file (%j)", async (path, config) => {
  const { explain } = world({ files: ["x"], texts: { ".git/config": config } });
  expect(await explain("write", { path, content: "x" })).toMatchObject({ decision: "allow" });
});
