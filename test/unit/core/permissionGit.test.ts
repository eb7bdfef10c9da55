import { describe, expect, test } from "vitest";
import { world } from "./permissionRig.js";

/** Configurations with which git runs a program although its subcommand only looks, or looks elsewhere. */
const RUNNING: readonly { name: string; files: Readonly<Record<string, string>> }[] = [
  { name: "core.fsmonitor", files: { ".git/config": "[core]\n\tfsmonitor = \"id > pwned; false\"\n" } },
  { name: "in other case, on the section's line, with a comment", files: { ".git/config": "[CORE] FSMonitor = id ; x\n" } },
  { name: "over two lines", files: { ".git/config": "[core]\n\tfsmonitor = \\\nid\n" } },
  { name: "include.path", files: { ".git/config": "[include]\n\tpath = more\n", ".git/more": "[core]\n\tfsmonitor = id\n" } },
  { name: "includeIf", files: { ".git/config": "[includeIf \"gitdir:/\"]\n\tpath = ../conf\n", conf: "[diff]\n\texternal = id\n" } },
  { name: "config.worktree", files: { ".git/config.worktree": "[core]\n\tfsmonitor = id\n" } },
  { name: "diff.external", files: { ".git/config": "[diff]\n\texternal = id\n" } },
  { name: "diff.x.textconv", files: { ".git/config": "[diff \"x\"]\n\ttextconv = id\n" } },
  { name: "diff.x.command", files: { ".git/config": "[diff \"x\"]\n\tcommand = id\n" } },
  { name: "filter.x.clean", files: { ".git/config": "[filter \"x\"]\n\tclean = id\n" } },
  { name: "merge.x.driver", files: { ".git/config": "[merge \"x\"]\n\tdriver = id\n" } },
  { name: "log.showSignature", files: { ".git/config": "[log]\n\tshowSignature\n" } },
  { name: "format.pretty", files: { ".git/config": "[format]\n\tpretty = %G?\n" } },
  { name: "pretty.zz", files: { ".git/config": "[pretty]\n\tzz = \"%h %G?\"\n" } },
  { name: "a promisor remote", files: { ".git/config": "[remote \"o\"]\n\tpromisor = true\n\turl = x\n" } },
  { name: "core.worktree", files: { ".git/config": "[core]\n\tworktree = /home/u\n" } },
  { name: "a hook", files: { ".git/hooks/post-index-change": "id\n" } },
  { name: "a hook in core.hooksPath", files: { ".git/config": "[core]\n\thooksPath = hooked\n", "hooked/post-index-change": "id\n" } },
  { name: "what is no configuration", files: { ".git/config": "x\n" } },
];

describe("git that only looks asks where the repository's configuration runs something", () => {
  test.each(RUNNING)("$name", async ({ files }) => {
    for (const mode of ["default", "ask"] as const) {
      expect(await world({ texts: files, mode }).explain("exec", { command: "cd src && git status" })).toMatchObject({ decision: "ask" });
    }
    expect(await world({ texts: files, mode: "plan" }).explain("exec", { command: "git diff" })).toMatchObject({ decision: "deny" });
  });

  test("and says which setting", async () => {
    const { reasons } = await world({ texts: { ".git/config": "[core]\n\tfsmonitor = id\n" } }).explain("exec", { command: "git status" });
    expect(reasons.join()).toContain("core.fsmonitor, which names a program");
  });

  test("and a rule that names the subcommand allows it", async () => {
    const rules = [{ tool: "exec", params: { command: "git status **" }, decision: "allow" }];
    const { explain } = world({ rules, texts: { ".git/config": "[filter \"nb\"]\n\tclean = nbstripout\n" } });
    expect(await explain("exec", { command: "git status -s" })).toMatchObject({ decision: "allow" });
  });
});

const HARMLESS: readonly { name: string; text: string; files?: Readonly<Record<string, string>> }[] = [
  { name: "a clone", text: "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote \"origin\"]\n\turl = https://a.b/c.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n" },
  { name: "the file system monitor of git itself", text: "[core]\n\tfsmonitor = true\n" },
  { name: "Git LFS", text: "[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n" },
  { name: "hooks of commits", text: "[core]\n\thooksPath = .githooks\n", files: { ".githooks/pre-commit": "x\n" } },
  { name: "aliases and colours", text: "[alias]\n\tst = status\n[color]\n\tui = auto\n" },
];

describe("git that only looks does not ask", () => {
  test.each(HARMLESS)("$name", async ({ text, files = {} }) => {
    expect(await world({ texts: { ".git/config": text, ...files } }).explain("exec", { command: "git status" })).toMatchObject({ decision: "allow" });
  });
});
