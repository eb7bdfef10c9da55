import { describe, expect, test } from "vitest";
import { world } from "./permissionRig.js";

/** Configurations with which git runs a program although its subcommand only looks, or looks elsewhere. */
const RUNNING: readonly { name: string; files: Readonly<Record<string, string>> }[] = [
  { name: "core.fsmonitor", files: { ".git/config": '[core]\n\tfsmonitor = "id > pwned; false"\n' } },
  {
    name: "in other case, on the section's line, with a comment",
    files: { ".git/config": "[CORE] FSMonitor = id ; x\n" },
  },
  { name: "over two lines", files: { ".git/config": "[core]\n\tfsmonitor = \\\nid\n" } },
  {
    name: "include.path",
    files: { ".git/config": "[include]\n\tpath = more\n", ".git/more": "[core]\n\tfsmonitor = id\n" },
  },
  {
    name: "includeIf",
    files: { ".git/config": '[includeIf "gitdir:/"]\n\tpath = ../conf\n', conf: "[diff]\n\texternal = id\n" },
  },
  { name: "config.worktree", files: { ".git/config.worktree": "[core]\n\tfsmonitor = id\n" } },
  { name: "diff.external", files: { ".git/config": "[diff]\n\texternal = id\n" } },
  { name: "diff.x.textconv", files: { ".git/config": '[diff "x"]\n\ttextconv = id\n' } },
  { name: "diff.x.command", files: { ".git/config": '[diff "x"]\n\tcommand = id\n' } },
  { name: "filter.x.clean", files: { ".git/config": '[filter "x"]\n\tclean = id\n' } },
  { name: "merge.x.driver", files: { ".git/config": '[merge "x"]\n\tdriver = id\n' } },
  { name: "log.showSignature", files: { ".git/config": "[log]\n\tshowSignature\n" } },
  { name: "format.pretty", files: { ".git/config": "[format]\n\tpretty = %G?\n" } },
  { name: "pretty.zz", files: { ".git/config": '[pretty]\n\tzz = "%h %G?"\n' } },
  { name: "a promisor remote", files: { ".git/config": '[remote "o"]\n\tpromisor = true\n\turl = x\n' } },
  {
    name: "an extension of Git LFS",
    files: {
      ".git/config": '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n[lfs "extension.Evil"]\n\tclean = ./evil\n',
    },
  },
  { name: "a transfer of Git LFS", files: { ".git/config": '[lfs "customtransfer.x"]\n\tpath = ./evil\n' } },
  { name: "gpg.program", files: { ".git/config": "[gpg]\n\tprogram = ./evil\n" } },
  { name: "gpg.ssh.program", files: { ".git/config": '[gpg "ssh"]\n\tprogram = ./evil\n' } },
  { name: "a format whose signature stands behind a sign", files: { ".git/config": "[format]\n\tpretty = %+G?\n" } },
  {
    name: "a `.git` that leads nowhere after a million spaces",
    files: { ".git": `gitdir: x${" ".repeat(900_000)}:\n:` },
  },
  { name: "core.worktree", files: { ".git/config": "[core]\n\tworktree = /home/u\n" } },
  { name: "a hook", files: { ".git/hooks/post-index-change": "id\n" } },
  {
    name: "a hook in core.hooksPath",
    files: { ".git/config": "[core]\n\thooksPath = hooked\n", "hooked/post-index-change": "id\n" },
  },
  { name: "a tag that is a flag", files: { ".git/refs/tags/--output=x": "0\n" } },
  {
    name: "a branch that is one, packed",
    files: { ".git/packed-refs": "# pack-refs\n0123 refs/heads/a\n0123 refs/heads/--output=.git/config\n" },
  },
  { name: "HEAD on one", files: { ".git/HEAD": "ref: refs/heads/-x\n" } },
  { name: "refs kept in another way", files: { ".git/config": "[extensions]\n\trefStorage = reftable\n" } },
  { name: "what is no configuration", files: { ".git/config": "x\n" } },
];

describe("git that only looks asks where the repository's configuration runs something", () => {
  test.each(RUNNING)("$name", async ({ files }) => {
    for (const mode of ["default", "ask"] as const) {
      expect(await world({ texts: files, mode }).explain("exec", { command: "cd src && git status" })).toMatchObject({
        decision: "ask",
      });
    }
    expect(await world({ texts: files, mode: "plan" }).explain("exec", { command: "git diff" })).toMatchObject({
      decision: "deny",
    });
  });

  test("and says which setting", async () => {
    const { reasons } = await world({ texts: { ".git/config": "[core]\n\tfsmonitor = id\n" } }).explain("exec", {
      command: "git status",
    });
    expect(reasons.join()).toContain("core.fsmonitor, which names a program");
  });

  test("and a rule that names the subcommand allows it", async () => {
    const rules = [{ tool: "exec", params: { command: "git status **" }, decision: "allow" }];
    const { explain } = world({ rules, texts: { ".git/config": '[filter "nb"]\n\tclean = nbstripout\n' } });
    expect(await explain("exec", { command: "git status -s" })).toMatchObject({ decision: "allow" });
  });
});

const HARMLESS: readonly { name: string; text: string; files?: Readonly<Record<string, string>> }[] = [
  {
    name: "a clone",
    text: '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote "origin"]\n\turl = https://a.b/c.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
  },
  { name: "the file system monitor of git itself", text: "[core]\n\tfsmonitor = true\n" },
  {
    name: "Git LFS",
    text: '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\tprocess = git-lfs filter-process\n\trequired = true\n',
  },
  { name: "hooks of commits", text: "[core]\n\thooksPath = .githooks\n", files: { ".githooks/pre-commit": "x\n" } },
  { name: "aliases and colours", text: "[alias]\n\tst = status\n[color]\n\tui = auto\n" },
];

describe("git that only looks does not ask", () => {
  test.each(HARMLESS)("$name", async ({ text, files = {} }) => {
    expect(
      await world({ texts: { ".git/config": text, ...files } }).explain("exec", { command: "git status" }),
    ).toMatchObject({ decision: "allow" });
  });
});

const HEADER = "# pack-refs with: peeled fully-peeled sorted \n";
const DESCRIBED = [
  "git log $(git describe --tags --abbrev=0)..HEAD",
  'git show "$(git describe --tags --abbrev=0)"',
  't=$(git describe --tags); git log "$t"..HEAD',
];

describe("a tag that git describe prints for another command", () => {
  test.each([
    { name: "annotated", files: { ".git/packed-refs": `${HEADER}01 refs/heads/main\n23 refs/tags/v1\n^45\n` } },
    { name: "not packed, so that it may be annotated", files: { ".git/refs/tags/v1": "23\n" } },
    { name: "in a folder", files: { ".git/refs/tags/a/v1": "23\n" } },
    {
      name: "packed by a git that does not say whether it is annotated",
      files: { ".git/packed-refs": "# pack-refs with: peeled \n23 refs/tags/v1\n" },
    },
  ])("asks: $name", async ({ files }) => {
    const { explain } = world({ texts: files });
    for (const command of DESCRIBED) {
      expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
    }
    expect(await explain("exec", { command: "git describe --tags --always" })).toMatchObject({ decision: "allow" });
  });

  test.each([
    { name: "there is none", files: { ".git/packed-refs": `${HEADER}01 refs/heads/main\n` } },
    {
      name: "none is annotated",
      files: { ".git/packed-refs": `${HEADER}01 refs/heads/main\n23 refs/tags/v1\n45 refs/tags/v2\n` },
    },
  ])("does not ask: $name", async ({ files }) => {
    for (const command of DESCRIBED) {
      expect(await world({ texts: files }).explain("exec", { command })).toMatchObject({ decision: "allow" });
    }
  });
});

const url = (address: string): string =>
  `[remote "origin"]\n\turl = ${address}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;

/** Configurations with a password or token in an address. */
const WITH_CREDENTIALS = [
  url("https://me:hunter2@example.com/a.git"),
  url("https://x-access-token:ghs_abc@github.com/a/b"),
  url("https://ghp_0123456789@github.com/a/b.git"),
  url("https://0123456789abcdef0123456789@dev.azure.com/a"),
  url("ssh://me:pw@example.com/a"),
  url("https://a.b/c?private_token=x"),
  `${url("https://a.b/c")}\tpushurl = https://me:pw@a.b/c\n`,
  '[url "https://me:pw@a.b/"]\n\tinsteadOf = https://a.b/\n',
  '[branch "main"]\n\tremote = https://me:pw@a.b/c\n',
];
const WITHOUT = [
  url("https://example.com/a.git"),
  url("git@github.com:a/b.git"),
  url("ssh://git@github.com/a/b.git"),
  url("https://myorg@dev.azure.com/myorg/x/_git/y"),
  url("../other"),
  url("https://a.b:8443/c@d"),
];
const PRINTS_ADDRESSES = [
  "git remote -v",
  "git remote get-url origin",
  "git remote get-url --all origin",
  "git config --get remote.origin.url",
  "git config remote.origin.url",
  "git config get remote.origin.url",
  "cd src && git remote -v",
  "git config branch.main.remote",
];

describe("git that prints the address of a remote", () => {
  test.each(WITH_CREDENTIALS)("asks: %j", async (text) => {
    const rules = [{ tool: "exec", params: { command: "git remote **" }, decision: "allow" }];
    for (const command of PRINTS_ADDRESSES) {
      const { decision, reasons } = await world({ rules, texts: { ".git/config": text } }).explain("exec", { command });
      expect([command, decision]).toEqual([command, "ask"]);
      expect(reasons.join()).not.toMatch(/hunter2|pw@|ghs_|ghp_|0123/);
    }
  });

  test.each(WITHOUT)("does not ask: %j", async (text) => {
    for (const command of PRINTS_ADDRESSES) {
      expect([
        command,
        (await world({ texts: { ".git/config": text } }).explain("exec", { command })).decision,
      ]).toEqual([command, "allow"]);
    }
  });

  test("is any that lists what it may be", async () => {
    for (const command of [
      "git config --list",
      "git config -l",
      "git config --get-regexp remote",
      "git config --get-urlmatch http https://a.b",
      "git ls-remote --get-url",
      "git remote show origin",
      "git remote show -n origin",
    ]) {
      expect([command, (await world().explain("exec", { command })).decision]).toEqual([command, "ask"]);
    }
  });
});

test.each([
  "git for-each-ref --sort=signature",
  "git for-each-ref --sort -*signature:grade",
  "git branch --sort=-signature:key",
  "git tag --sort signature",
  "git tag -l --format='%(signature:grade)'",
  "git for-each-ref --format '%(if)%(*signature)%(then)x%(end)'",
  "git shortlog --group=format:%G?",
  "git shortlog --group format:%G?",
])("%s asks: it runs gpg", async (command) => {
  expect(await world().explain("exec", { command })).toMatchObject({ decision: "ask" });
});

test.each([
  "git for-each-ref --sort=-committerdate",
  "git branch --sort=-authordate --format='%(refname)'",
  "git tag --sort version:refname",
  "git shortlog -sn --group=author",
])("%s does not", async (command) => {
  expect(await world().explain("exec", { command })).toMatchObject({ decision: "allow" });
});
