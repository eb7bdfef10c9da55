// What a repository that somebody made may have git tell of other places, each seen with git 2.39: no command that only
// looks prints it unasked.
import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn, type Git } from "./realGit.js";
import { openWorkspace, plant, tempFolder, type TestWorkspace } from "../../unit/tools/workspace.js";

const CANARY = "CANARY-OF-ANOTHER-PLACE";

interface Place {
  workspace: TestWorkspace;
  folder: string;
  git: Git;
  /** A folder outside the workspace with a file `secret`, and a repository `private` that has it, too. */
  outside: string;
  put: (files: Record<string, string>) => Promise<void>;
  link: (path: string, target: string) => Promise<void>;
}

interface Case {
  name: string;
  make: (place: Place) => Promise<unknown>;
  command: string;
}

const linked = (path: string, command = "git status"): Case => ({
  name: `${path} is a link`,
  make: async ({ link, outside }) => link(path, join(outside, "secret")),
  command,
});

const CASES: readonly Case[] = [
  linked(".git/info/grafts", "git log"),
  linked(".git/objects/info/alternates", "git log"),
  linked(".git/shallow", "git log"),
  linked(".git/packed-refs", "git log"),
  {
    name: "a rebase whose list is a link",
    make: async ({ put, link, outside }) => {
      await put({
        ".git/rebase-merge/interactive": "",
        ".git/rebase-merge/head-name": "refs/heads/main",
        ".git/rebase-merge/git-rebase-todo": "",
      });
      await link(".git/rebase-merge/done", join(outside, "secret"));
    },
    command: "git status",
  },
  {
    name: "a bisection whose start is a link",
    make: async ({ put, link, outside }) => {
      await put({ ".git/BISECT_LOG": "" });
      await link(".git/BISECT_START", join(outside, "secret"));
    },
    command: "git status",
  },
  {
    name: "a link to a secret of the workspace",
    make: async ({ link, folder }) => link(".git/info/grafts", join(folder, ".env")),
    command: "git log",
  },
  {
    name: "a folder of git's own that is a link",
    make: async ({ link, outside }) => {
      await plant(outside, { "info/grafts": `${CANARY}\n` });
      await link(".git/info", join(outside, "info"));
    },
    command: "git log",
  },
  {
    name: "blame.ignoreRevsFile",
    make: async ({ git, outside }) => git("config", "blame.ignoreRevsFile", join(outside, "secret")),
    command: "git blame a.txt",
  },
  {
    name: "a .git that leads to another repository",
    make: async ({ folder, put, outside }) => {
      await rm(join(folder, ".git"), { recursive: true });
      await put({ ".git": `gitdir: ${join(outside, "private/.git")}\n` });
    },
    command: "git show HEAD:p.txt",
  },
  {
    name: "a .git that is a link to another repository's",
    make: async ({ folder, link, outside }) => {
      await rm(join(folder, ".git"), { recursive: true });
      await link(".git", join(outside, "private/.git"));
    },
    command: "git show HEAD:p.txt",
  },
  {
    name: "commondir",
    make: async ({ put, outside }) => put({ ".git/commondir": `${join(outside, "private/.git")}\n` }),
    command: "git log --all -p",
  },
  {
    name: "alternates",
    make: async ({ put, outside }) =>
      put({
        ".git/objects/info/alternates": `${join(outside, "private/.git/objects")}\n`,
        ".git/refs/heads/x": gitIn(join(outside, "private"))("rev-parse", "HEAD"),
      }),
    command: "git show x:p.txt",
  },
  {
    name: "alternates of alternates",
    make: async ({ put, outside }) =>
      put({
        ".git/objects/info/alternates": "../../more\n",
        "more/info/alternates": `${join(outside, "private/.git/objects")}\n`,
        ".git/refs/heads/x": gitIn(join(outside, "private"))("rev-parse", "HEAD"),
      }),
    command: "git show x:p.txt",
  },
  {
    name: "-C behind a link",
    make: async ({ link, outside }) => link("out", join(outside, "private/sub")),
    command: "git -C out/.. show HEAD:p.txt",
  },
  {
    name: "files compared where there is no repository",
    make: async ({ folder }) => rm(join(folder, ".git"), { recursive: true }),
    command: "git diff src .",
  },
  {
    name: "files compared where what seems a repository is none",
    make: async ({ folder }) => rm(join(folder, ".git/HEAD")),
    command: "git diff src .",
  },
  {
    name: "files compared from a repository within",
    make: async ({ put, folder }) => {
      await put({ "in/x.txt": "x\n", "other/.env": `${CANARY}\n` });
      gitIn(join(folder, "in"))("init", "-q");
    },
    command: "cd in && git diff . ../other",
  },
  {
    name: "a repository above what seems one",
    make: async ({ git, put, outside }) => {
      await put({ "a.txt": "second\n" });
      git("config", "diff.external", `cat ${join(outside, "secret")}; true`);
      await put({ "src/.git/x": "" });
    },
    command: "cd src && git diff",
  },
  {
    name: "hidden files that .git/info/exclude brings back to ripgrep",
    make: async ({ put }) => put({ ".git/info/exclude": "!.env\n" }),
    command: "rg CANARY",
  },
];

async function placeOf({ make }: Case): Promise<Place> {
  const outside = await tempFolder({ secret: `${CANARY}\n`, "private/p.txt": `${CANARY}\n`, "private/sub/x": "x\n" });
  const other = gitIn(join(outside, "private"));
  other("init", "-q", "-b", "main");
  other("add", ".");
  other("commit", "-qm", "first");
  const workspace = await openWorkspace({ "a.txt": "first\n", "src/a.ts": "x\n", ".env": `KEY=${CANARY}\n` });
  const { folder } = workspace;
  const git = gitIn(folder);
  git("init", "-q", "-b", "main");
  git("add", "a.txt", "src");
  git("commit", "-qm", "first");
  const place: Place = {
    workspace,
    folder,
    git,
    outside,
    put: async (files) => plant(folder, files),
    link: async (path, target) => {
      await rm(join(folder, path), { recursive: true, force: true });
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await symlink(target, join(folder, path));
    },
  };
  await make(place);
  return place;
}

describe.skipIf(process.platform === "win32")("a repository that leads elsewhere", () => {
  it.each(CASES)("tells nothing of it unasked, and does for a person: $name", async (each) => {
    const { workspace } = await placeOf(each);
    expect(JSON.stringify(await workspace.call("exec", { command: each.command }, { as: "model" }))).not.toContain(
      CANARY,
    );
    // So that this is a test at all.
    expect(JSON.stringify(await workspace.call("exec", { command: each.command }, { as: "owner" }))).toContain(CANARY);
  });

  it.each([".ignore", ".git/info/exclude"])(
    "has ripgrep find no hidden file that %s above the workspace brings back",
    async (name) => {
      const above = await tempFolder({
        ".git/HEAD": "ref: refs/heads/main\n",
        [name]: "!.env\n",
        "ws/.env": `KEY=${CANARY}\n`,
      });
      const workspace = await openWorkspace({ "a.txt": "x\n" }, { roots: [{ name: "in", path: join(above, "ws") }] });
      const search = async (as: "model" | "owner"): Promise<string> =>
        JSON.stringify(await workspace.call("exec", { command: "rg CANARY", workdir: "in" }, { as }));
      expect(await search("model")).not.toContain(CANARY);
      expect(await search("owner")).toContain(CANARY);
    },
  );

  it.each(["git status", "git log", "git diff HEAD -- .", "git diff"])(
    "runs in a working tree and a submodule of its own: %s",
    async (command) => {
      const { workspace, git, folder } = await placeOf({ name: "", command, make: async () => undefined });
      git("worktree", "add", "-q", join(folder, "tree"));
      for (const workdir of [".", "tree"]) {
        expect(await workspace.call("exec", { command, workdir }, { as: "model" })).toMatchObject({ ok: true });
      }
    },
  );

  it("runs in a working tree whose repository lies outside the workspace", async () => {
    const { workspace, folder, outside } = await placeOf({ name: "", command: "", make: async () => undefined });
    gitIn(join(outside, "private"))("worktree", "add", "-q", join(folder, "tree"));
    expect(
      await workspace.call("exec", { command: "git log --oneline", workdir: "tree" }, { as: "model" }),
    ).toMatchObject({ ok: true });
  });

  it("shows what a copy borrows from its folder's repository, and nothing of what that one borrows itself", async () => {
    const outside = await tempFolder({ "private/p.txt": `${CANARY}\n`, "origin/o.txt": "of the folder\n" });
    const [other, origin] = [gitIn(join(outside, "private")), gitIn(join(outside, "origin"))];
    for (const git of [other, origin]) {
      git("init", "-q", "-b", "main");
      git("add", ".");
      git("commit", "-qm", "first");
    }
    const objects = join(outside, "origin/.git/objects");
    const copy = await tempFolder();
    gitIn(copy)("init", "-q", "-b", "main");
    await plant(copy, {
      ".git/objects/info/alternates": `${objects}\n`,
      ".git/refs/heads/own": origin("rev-parse", "HEAD"),
      ".git/refs/heads/other": other("rev-parse", "HEAD"),
    });
    const workspace = await openWorkspace({}, { roots: [{ name: "copy", path: copy, borrows: objects }] });
    const shown = async (what: string, as: "model" | "owner"): Promise<string> =>
      JSON.stringify(await workspace.call("exec", { command: `git show ${what}`, workdir: "copy" }, { as }));
    expect(await shown("own:o.txt", "model")).toContain("of the folder");
    await plant(objects, { "info/alternates": `${join(outside, "private/.git/objects")}\n` });
    expect(await shown("other:p.txt", "model")).not.toContain(CANARY);
    expect(await shown("other:p.txt", "owner")).toContain(CANARY);
  });
});
