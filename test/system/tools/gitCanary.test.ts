import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { gitDefence } from "../../../src/hosts/node/gitDefence.js";
import { gitIn, type Git } from "./realGit.js";
import { openWorkspace, plant, result, tempFolder, type TestWorkspace } from "../../unit/tools/workspace.js";

/** What git is asked for: each only looks. */
const LOOKING = [
  "git status",
  "git diff",
  "git diff --cached",
  "git diff HEAD~1",
  "git log -2 -p",
  "git log -1 --format=%H",
  "git log -S second",
  "git show HEAD",
  "git blame a.txt",
  "git grep -n second",
  "git ls-files -m",
  "git ls-files -o",
  "git describe --always --dirty",
  "git stash list",
  "git for-each-ref",
  "git cat-file -p HEAD:a.txt",
  "git check-attr -a a.txt",
  "git submodule status",
  "git branch -vv",
  "git rev-parse HEAD",
  "git grep --recurse-submodules second",
  "git diff --submodule=diff",
  "git help log",
];

/** A repository that a test makes hostile. */
interface Repository {
  folder: string;
  git: Git;
  /** A program that leaves a mark when it runs, and then fails or prints what it was given. */
  evil: string;
  plant: (files: Record<string, string>) => Promise<void>;
}

interface Hostile {
  name: string;
  make: (repository: Repository) => Promise<void> | void;
  /** Further commands that run it. */
  runs?: readonly string[];
  /** What stops it where permission did not see it. */
  stoppedBy: "the environment" | "permission alone";
}

const set =
  (...settings: [name: string, value?: string][]) =>
  ({ git, evil }: Repository): void =>
    settings.forEach(([name, value = evil]) => git("config", name, value));

const HOSTILE: readonly Hostile[] = [
  { name: "core.fsmonitor", make: set(["core.fsmonitor"]), stoppedBy: "the environment" },
  {
    name: "include.path",
    make: async ({ git, evil, plant: put }) => {
      await put({ ".git/more": `[core]\n\tfsmonitor = ${evil}\n` });
      git("config", "include.path", "more");
    },
    stoppedBy: "the environment",
  },
  {
    name: "includeIf",
    make: async ({ git, evil, plant: put }) => {
      await put({ conf: `[core]\n\tfsmonitor = ${evil}\n` });
      git("config", "includeIf.gitdir:/.path", "../conf");
    },
    stoppedBy: "the environment",
  },
  {
    name: "the configuration of a working tree",
    make: async ({ git, evil, plant: put }) => {
      git("config", "extensions.worktreeConfig", "true");
      await put({ ".git/config.worktree": `[core]\n\tfsmonitor = ${evil}\n` });
    },
    stoppedBy: "the environment",
  },
  { name: "diff.external", make: set(["diff.external"]), stoppedBy: "permission alone" },
  {
    name: "diff.x.textconv",
    make: async (repository) => {
      await repository.plant({ ".gitattributes": "*.txt diff=x\n" });
      set(["diff.x.textconv"])(repository);
    },
    stoppedBy: "permission alone",
  },
  {
    name: "diff.x.command",
    make: async (repository) => {
      await repository.plant({ ".git/info/attributes": "*.txt diff=x\n" });
      set(["diff.x.command"])(repository);
    },
    stoppedBy: "permission alone",
  },
  {
    name: "filter.x.clean",
    make: async (repository) => {
      await repository.plant({ ".git/info/attributes": "*.txt filter=x\n" });
      set(["filter.x.clean"])(repository);
    },
    stoppedBy: "permission alone",
  },
  {
    name: "filter.x.process",
    make: async (repository) => {
      await repository.plant({ ".git/info/attributes": "*.txt filter=x\n" });
      set(["filter.x.process"])(repository);
    },
    stoppedBy: "permission alone",
  },
  {
    name: "the hook post-index-change",
    make: ({ plant: put }) => hook(put, ".git/hooks"),
    stoppedBy: "the environment",
  },
  {
    name: "core.hooksPath with a hook that is committed",
    make: async ({ git, plant: put }) => {
      await hook(put, ".githooks");
      git("add", ".githooks");
      git("config", "core.hooksPath", ".githooks");
      git("commit", "-qm", "hooks");
      await put({ "a.txt": "third\n" });
    },
    stoppedBy: "the environment",
  },
  {
    name: "log.showSignature",
    make: (repository) => {
      sign(repository);
      set(["log.showSignature", "true"], ["gpg.program"])(repository);
    },
    stoppedBy: "the environment",
  },
  {
    name: "format.pretty",
    make: (repository) => {
      sign(repository);
      set(["format.pretty", "%G?"], ["gpg.program"])(repository);
    },
    stoppedBy: "the environment",
  },
  {
    name: "pretty.zz",
    make: (repository) => {
      sign(repository);
      set(["pretty.zz", "%G?"], ["gpg.program"])(repository);
    },
    runs: ["git log --format=zz"],
    stoppedBy: "the environment",
  },
  {
    name: "a signature of SSH",
    make: (repository) => {
      sign(repository, "SSH SIGNATURE");
      set(["log.showSignature", "true"], ["gpg.ssh.program"], ["gpg.ssh.allowedSignersFile", "a.txt"])(repository);
    },
    stoppedBy: "the environment",
  },
  {
    name: "man.viewer",
    make: set(["man.viewer", "evil"], ["man.evil.cmd"]),
    runs: ["git log --help"],
    stoppedBy: "permission alone",
  },
  {
    name: "a promisor remote by SSH",
    make: (repository) => {
      lose(repository);
      set(
        ["core.repositoryformatversion", "1"],
        ["extensions.partialClone", "o"],
        ["remote.o.promisor", "true"],
        ["remote.o.url", "ssh://h/x"],
        ["core.sshCommand"],
      )(repository);
    },
    stoppedBy: "the environment",
  },
  {
    name: "a promisor remote by ext",
    make: (repository) => {
      lose(repository);
      set(
        ["core.repositoryformatversion", "1"],
        ["extensions.partialClone", "o"],
        ["remote.o.promisor", "true"],
        ["remote.o.url", `ext::${repository.evil} x`],
        ["protocol.ext.allow", "always"],
      )(repository);
    },
    stoppedBy: "the environment",
  },
  {
    name: "a promisor remote that is a program's",
    make: (repository) => {
      lose(repository);
      set(
        ["core.repositoryformatversion", "1"],
        ["extensions.partialClone", "o"],
        ["remote.o.promisor", "true"],
        ["remote.o.url", "."],
        ["remote.o.uploadpack"],
      )(repository);
    },
    stoppedBy: "the environment",
  },
  {
    name: "a nested repository's core.fsmonitor",
    make: async (repository) => {
      const inner = await nest(repository);
      inner("config", "core.fsmonitor", repository.evil);
    },
    stoppedBy: "the environment",
  },
  {
    name: "a nested repository's filter",
    make: async (repository) => {
      const inner = await nest(repository);
      await repository.plant({ "inner/.git/info/attributes": "* filter=x\n" });
      inner("config", "filter.x.clean", repository.evil);
    },
    stoppedBy: "permission alone",
  },
  {
    name: "a nested repository's hook",
    make: async (repository) => {
      await nest(repository);
      await hook(repository.plant, "inner/.git/hooks");
    },
    stoppedBy: "the environment",
  },
  {
    name: "a submodule's configuration in .git/modules",
    make: async (repository) => {
      const inner = await nest(repository);
      inner("config", "core.fsmonitor", repository.evil);
      repository.git("submodule", "absorbgitdirs", "inner");
      await repository.plant({ "inner/x.txt": "third\n" });
    },
    stoppedBy: "the environment",
  },
  {
    name: "a folder that is a bare repository",
    make: async ({ folder, evil, git, plant: put }) => {
      execFileSync("git", ["init", "-q", "--bare", join(folder, "bare")]);
      git("--git-dir=bare", "config", "core.bare", "false");
      git("--git-dir=bare", "config", "core.worktree", "..");
      git("--git-dir=bare", "config", "core.fsmonitor", evil);
      await put({});
    },
    runs: ["cd bare && git status"],
    stoppedBy: "the environment",
  },
];

async function hook(put: Repository["plant"], folder: string): Promise<void> {
  await put({ [`${folder}/post-index-change`]: '#!/bin/sh\nexec "$CANARY"\n' });
}

/** Makes the last commit one with a signature. */
function sign({ folder, git }: Repository, kind = "PGP SIGNATURE"): void {
  const signed = git("cat-file", "commit", "HEAD").replace(
    "\n\n",
    `\ngpgsig -----BEGIN ${kind}-----\n \n U1NIU0lH\n -----END ${kind}-----\n\n`,
  );
  const id = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
    cwd: folder,
    input: signed,
    encoding: "utf8",
  }).trim();
  git("update-ref", "HEAD", id);
}

/** Takes away an object of the last commit but one, as if it had never been fetched. */
function lose({ folder, git }: Repository): void {
  const id = git("rev-parse", "HEAD~1:a.txt").trim();
  rmSync(join(folder, ".git/objects", id.slice(0, 2), id.slice(2)));
}

/** A repository in a folder that the outer one has as a submodule. @returns its git */
async function nest({ folder, git, plant: put }: Repository): Promise<Git> {
  const inner = join(folder, "inner");
  await put({ "inner/x.txt": "first\n", "inner/same.txt": "same\n" });
  const innerGit = gitIn(inner);
  innerGit("init", "-q");
  innerGit("add", ".");
  innerGit("commit", "-qm", "first");
  await put({ ".gitmodules": '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n' });
  git("add", "inner", ".gitmodules");
  git("commit", "-qm", "inner");
  git("config", "submodule.inner.url", "./inner");
  await put({ "inner/x.txt": "second\n" });
  return innerGit;
}

interface Canary {
  workspace: TestWorkspace;
  /** Whether a program of the repository ran since this was asked last. */
  sang: () => boolean;
}

/** Two commits, of which each test gets a copy: git takes longer to make them. */
let start: string;

beforeAll(async () => {
  start = await mkdtemp(join(tmpdir(), "toolhost-canary-"));
  const git = gitIn(start);
  git("init", "-q");
  await plant(start, { "a.txt": "first\n", "b.txt": "same\n" });
  git("add", ".");
  git("commit", "-qm", "first");
  await plant(start, { "a.txt": "second\n" });
  git("commit", "-qam", "second");
  return () => rm(start, { recursive: true, force: true });
});

async function hostile({ make }: Hostile): Promise<Canary> {
  const aside = await tempFolder({ "evil.sh": '#!/bin/sh\ntouch "$(dirname "$0")/ran"\nexit 1\n' });
  const evil = join(aside, "evil.sh");
  await chmod(evil, 0o755);
  const workspace = await openWorkspace();
  const { folder } = workspace;
  const git = gitIn(folder);
  await cp(start, folder, { recursive: true, preserveTimestamps: true });
  // The index knows files by their inodes: git would take the copies for changed ones until something looks.
  git("update-index", "-q", "--refresh");
  await plant(folder, { "a.txt": "first\nthird\n" });
  await make({
    folder,
    git,
    evil,
    plant: async (files) => {
      const filled = Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path, text.replace("$CANARY", evil)]),
      );
      await plant(folder, filled);
      await Promise.all(
        Object.keys(filled)
          .filter((path) => path.endsWith("/post-index-change"))
          .map((path) => chmod(join(folder, path), 0o755)),
      );
    },
  });
  // git looks at it again and notes that in the index.
  await workspace.date("b.txt", 1_000_000_000_000);
  const mark = join(aside, "ran");
  const sang = (): boolean => {
    const ran = existsSync(mark);
    rmSync(mark, { force: true });
    return ran;
  };
  sang();
  return { workspace, sang };
}

/** Runs commands as one of which nobody was asked, without asking permission. */
async function runUnasked({ workspace }: Canary, commands: readonly string[]): Promise<string> {
  const workdir = await workspace.files.resolve(".");
  const made = await workspace.processes.start(
    {
      command: commands.map((command) => `(${command})`).join("\n"),
      workdir,
      env: {},
      interactive: false,
      title: "t",
      unasked: true,
    },
    false,
    { session: "s", callId: "c" },
  );
  await made.ended;
  return made.output(0).text;
}

describe.skipIf(process.platform === "win32")("a repository that names programs", () => {
  it.each(HOSTILE)("runs none of them through permission: $name", async (each) => {
    const canary = await hostile(each);
    for (const command of [...LOOKING, ...(each.runs ?? [])]) {
      await canary.workspace.call("exec", { command }, { as: "model" });
      expect(canary.sang(), command).toBe(false);
    }
  });

  it.each(HOSTILE)("is stopped by $stoppedBy, and runs what it names for a person: $name", async (each) => {
    const canary = await hostile(each);
    await runUnasked(canary, [...LOOKING, ...(each.runs ?? [])]);
    expect(canary.sang()).toBe(each.stoppedBy === "permission alone");
    // So that this is a test at all. Some commands write the index even so.
    await canary.workspace.date("b.txt", 1_100_000_000_000);
    if (existsSync(join(canary.workspace.folder, "inner/same.txt"))) {
      await canary.workspace.date("inner/same.txt", 1_100_000_000_000);
    }
    await canary.workspace.call(
      "exec",
      { command: [...LOOKING, ...(each.runs ?? [])].map((command) => `(${command})`).join("\n") },
      { as: "owner" },
    );
    expect(canary.sang()).toBe(true);
  });
});

describe.skipIf(process.platform === "win32")("git that nobody was asked about", () => {
  /** Without times, and names of results. */
  // git blame gives the time now for lines that are not committed.
  const steady = (text: string): string =>
    text
      .replace(/^\[.*?\]\n/, "")
      .replace(/read_result \w+/, "")
      .replace(/(?<=Not Committed Yet )[\d-]+ [\d:]+/g, "now");

  it("goes into no repository that is not tracked", async () => {
    const inner: Hostile = {
      name: "",
      make: async ({ folder, evil, plant: put }) => {
        await put({ "x/y.txt": "x\n" });
        const git = gitIn(join(folder, "x"));
        git("init", "-q");
        git("config", "core.fsmonitor", evil);
      },
      stoppedBy: "the environment",
    };
    const canary = await hostile(inner);
    await canary.workspace.call(
      "exec",
      { command: [...LOOKING, "git status --ignored -uall"].map((command) => `(${command})`).join("\n") },
      { as: "owner" },
    );
    expect(canary.sang()).toBe(false);
  });

  it("prints what it prints for a person", async () => {
    const { workspace } = await hostile({
      name: "",
      make: (repository) => {
        repository.git("config", "core.hooksPath", "hooks");
        repository.git("config", "log.date", "iso");
      },
      stoppedBy: "the environment",
    });
    const run = async (command: string, as: "owner" | "model"): Promise<string> =>
      steady(result<unknown>(await workspace.call("exec", { command }, { as })).text);
    for (const command of [
      ...LOOKING,
      "git config --list --name-only",
      "git config core.hooksPath",
      "git rev-parse --git-path hooks",
    ]) {
      expect(await run(command, "model"), command).toBe(await run(command, "owner"));
    }
  });
});

describe("the environment of git that nobody was asked about", () => {
  it("keeps the settings that the user's has", () => {
    const env = {
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "a.b",
      GIT_CONFIG_VALUE_0: "c",
      GIT_CONFIG_KEY_1: "d.e",
      GIT_CONFIG_VALUE_1: "f",
    };
    const defence = gitDefence(env, "git status");
    expect(defence).not.toHaveProperty("GIT_CONFIG_KEY_1");
    expect(defence).toMatchObject({ GIT_CONFIG_KEY_2: "core.fsmonitor", GIT_CONFIG_VALUE_2: "false" });
    const { GIT_CONFIG_COUNT: count } = defence;
    expect(defence).toHaveProperty(`GIT_CONFIG_VALUE_${Number(count) - 1}`);
    expect(defence).not.toHaveProperty(`GIT_CONFIG_VALUE_${count}`);
  });

  it.each(["git config core.hooksPath", "cd src; git -C . config --get x.y", "git rev-parse --git-path hooks"])(
    "answers with no setting of ours: %s",
    (command) => {
      expect(gitDefence({}, command)).not.toHaveProperty("GIT_CONFIG_COUNT");
      expect(gitDefence({}, command)).toHaveProperty("GIT_OPTIONAL_LOCKS");
    },
  );

  it.each([
    "git log --format=%+G? -- config",
    "git status; git config x.y",
    "g\\it log; git config x.y",
    "'git' log && git config x.y",
    "git config $(git log)",
    "git config x.y | xargs git show",
    "git for-each-ref --sort=signature config",
  ])("stays as it is where git does more than to answer: %s", (command) => {
    expect(gitDefence({}, command)).toHaveProperty("GIT_CONFIG_COUNT");
  });
});
