// Commands and their undo in repositories that are no ordinary ones: what a command changed is told, every byte comes
// back, the user's edits stay, and nothing of the repository itself is changed by us.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ThreadSnapshots } from "../../../src/hosts/node/effects/threadSnapshots.js";
import { effectsFolder, PATIENT } from "../features/effects/worker.js";
import { result, tempFolder } from "../../unit/tools/workspace.js";
import { gitProject, MODEL, put, type GitProject } from "./gitProject.js";
import { gitIn } from "./realGit.js";

/** An object of Git LFS, as it is where git-lfs is not installed. */
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`;

interface Kind {
  what: string;
  /** Makes the project what it is. @returns the folder of the repository's own files, if that is elsewhere */
  make: (project: GitProject) => string | undefined | Promise<string | undefined>;
  /** Whether `src` has so many files that it is told as a folder. */
  isManyFiles?: boolean;
}

const nothing = (..._done: unknown[]): undefined => undefined;

/** A thread of its own looks for Git when it starts. */
function projectOfItsOwn(): Promise<GitProject> {
  return gitProject({ snapshots: new ThreadSnapshots(effectsFolder, () => undefined, PATIENT) });
}

const KINDS: Kind[] = [
  { what: "an ordinary one", make: nothing },
  {
    what: "a HEAD that is no ref",
    make: ({ folder }) => nothing(writeFileSync(join(folder, ".git/HEAD"), "\0broken\n")),
  },
  {
    what: "an index that is cut off",
    make: ({ folder }) => nothing(truncateSync(join(folder, ".git/index"), 100)),
  },
  { what: "an index of version 4", make: ({ git }) => nothing(git("update-index", "--index-version", "4")) },
  { what: "an index in two files", make: ({ git }) => nothing(git("update-index", "--split-index")) },
  {
    what: "objects in a pack",
    make: ({ git }) => nothing(git("gc", "-q")),
  },
  {
    what: "objects of SHA-256",
    make: ({ folder, git }) => {
      rmSync(join(folder, ".git"), { recursive: true });
      git("init", "-q", "--object-format=sha256");
      git("add", ".");
      git("commit", "-qm", "first");
      return undefined;
    },
  },
  {
    what: "a linked working tree",
    make: async ({ folder, git }) => {
      const main = join(await tempFolder(), "main");
      const linked = join(await tempFolder(), "linked");
      git("clone", "-q", folder, main);
      gitIn(main)("worktree", "add", "-q", "--detach", linked);
      rmSync(join(folder, ".git"), { recursive: true });
      renameSync(join(linked, ".git"), join(folder, ".git"));
      rmSync(linked, { recursive: true });
      git("worktree", "repair");
      git("reset", "-q");
      return join(main, ".git");
    },
  },
  {
    what: "a submodule in it",
    isManyFiles: true,
    make: async ({ folder, git }) => {
      const other = await tempFolder({ "lib.c": "int x;\n", "deep/y.c": "int y;\n" });
      const inOther = gitIn(other);
      inOther("init", "-q");
      inOther("add", ".");
      inOther("commit", "-qm", "first");
      git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "src/sub");
      git("commit", "-qm", "sub");
      put(folder, "src/sub/lib.c", "int changed;\n");
      put(folder, "src/sub/new.c", "int untracked;\n");
      // The submodule's repository is in the folder of ours.
      return undefined;
    },
  },
  {
    what: "files that Git LFS keeps, and no git-lfs",
    make: ({ folder, git }) => {
      put(folder, "src/big.bin", POINTER);
      git("add", ".");
      git("commit", "-qm", "pointer");
      put(folder, ".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
      for (const [name, value] of [
        ["required", "true"],
        ["clean", "git-lfs-that-is-not-there clean -- %f"],
        ["smudge", "git-lfs-that-is-not-there smudge -- %f"],
        ["process", "git-lfs-that-is-not-there filter-process"],
      ] as const) {
        git("config", `filter.lfs.${name}`, value);
      }
      // As it is where git-lfs has been: Git keeps the pointer, and the file has the contents.
      put(folder, "src/checked-out.bin", Buffer.alloc(12_345, 7));
      return undefined;
    },
  },
  {
    what: "a sparse checkout",
    make: ({ git }) => {
      git("checkout", "-q", "package.json");
      git("sparse-checkout", "set", "src");
      return undefined;
    },
  },
  {
    what: "a sparse index",
    make: ({ git }) => {
      git("checkout", "-q", "package.json");
      git("sparse-checkout", "set", "--sparse-index", "src");
      return undefined;
    },
  },
  {
    what: "core.autocrlf",
    make: ({ folder, git }) => {
      git("config", "core.autocrlf", "true");
      put(folder, "src/both.txt", "one\r\ntwo\nthree\r\n");
      put(folder, "src/windows.txt", "one\r\ntwo\r\n");
      git("add", ".");
      git("commit", "-qm", "crlf");
      // As Git itself writes them.
      rmSync(join(folder, "src"), { recursive: true });
      git("checkout", "-q", "src");
      expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toContain("\r\n");
      return undefined;
    },
  },
  {
    what: "attributes for line ends and encodings",
    make: ({ folder, git }) => {
      put(folder, ".gitattributes", "*.ts text eol=crlf\n*.u16 working-tree-encoding=UTF-16LE eol=crlf\n");
      put(folder, "src/wide.u16", Buffer.from("wide\r\n", "utf16le"));
      git("add", "--renormalize", ".");
      git("add", ".");
      git("commit", "-qm", "attributes");
      rmSync(join(folder, "src"), { recursive: true });
      git("checkout", "-q", "src");
      return undefined;
    },
  },
  {
    what: "no Git on the PATH",
    make: async () => {
      const programs = await tempFolder();
      for (const name of ["bash", "rm", "sed", "echo", "cat", "mkdir", "mkfifo", "env"]) {
        execFileSync("ln", ["-s", execFileSync("which", [name], { encoding: "utf8" }).trim(), join(programs, name)]);
      }
      vi.stubEnv("PATH", programs);
      onTestFinished(() => void vi.unstubAllEnvs());
      return undefined;
    },
  },
];

/** Runs a command that nobody can be asked about. */
async function unasked({ call }: GitProject, command: string): Promise<void> {
  result(await call("exec", { command }, { as: "model", mode: "default", session: MODEL.session, turn: MODEL.turn }));
}

/** Everything in a folder, as one hash. */
function hashOf(folder: string): string {
  const hash = createHash("sha256");
  const add = (below: string): void => {
    for (const name of readdirSync(join(folder, below)).toSorted()) {
      const path = join(below, name);
      const info = lstatSync(join(folder, path));
      hash.update(`${path}\0${info.mode}\0${info.isFile() ? `${info.mtimeMs}\0` : ""}`);
      if (info.isDirectory()) {
        add(path);
      } else if (info.isFile()) {
        hash.update(readFileSync(join(folder, path)));
      }
    }
  };
  add("");
  return hash.digest("hex");
}

/** The state of the repository's own files. */
function repositoryOf({ folder }: GitProject, elsewhere: string | undefined): string {
  const own = join(folder, ".git");
  const here = lstatSync(own).isDirectory() ? hashOf(own) : readFileSync(own, "utf8");
  return [here, ...(elsewhere === undefined ? [] : [hashOf(elsewhere)])].join(" ");
}

describe.skipIf(process.platform === "win32").each(KINDS)("with $what", ({ make, isManyFiles = false }) => {
  it("what a command destroyed comes back, and the repository is left alone", async () => {
    const project = await projectOfItsOwn();
    const { folder, run, state, undo } = project;
    const elsewhere = await make(project);
    const [before, repository] = [state(), repositoryOf(project, elsewhere)];
    const gone = Object.keys(before).filter((path) => path.startsWith("src/") && !path.endsWith("/"));
    expect(gone.length).toBeGreaterThan(2);
    const { text, data } = await run("rm -rf src notes.md; echo made > made.txt; echo more >> package.json");
    expect(text).not.toContain("undo does not cover");
    expect(data.changed?.files?.map(({ path, change }) => `${change} ${path}`).toSorted()).toEqual(
      [
        "changed package.json",
        "created made.txt",
        ...[...(isManyFiles ? ["src/"] : gone), "notes.md"].map((path) => `deleted ${path}`),
      ].toSorted(),
    );
    put(folder, "docs/mine.md", "mine\n");
    await undo();
    expect(state()).toEqual({ ...before, "docs/mine.md": expect.anything() as string });
    expect(repositoryOf(project, elsewhere)).toBe(repository);
  });

  it("a command that runs unasked is undone, too", async () => {
    const project = await projectOfItsOwn();
    const { state, undo } = project;
    const elsewhere = await make(project);
    const [before, repository] = [state(), repositoryOf(project, elsewhere)];
    await unasked(project, "sed -i s/two/2/ src/a.ts");
    expect(state()).not.toEqual(before);
    await undo();
    expect(state()).toEqual(before);
    expect(repositoryOf(project, elsewhere)).toBe(repository);
  });
});

/** In these Git commits nothing. */
const BROKEN = new Set(["a HEAD that is no ref", "an index that is cut off", "no Git on the PATH"]);

describe.skipIf(process.platform === "win32").each(KINDS.filter(({ what }) => !BROKEN.has(what)))(
  "with $what",
  ({ make }) => {
    it("what Git did to refs is told with the commands that take it back", async () => {
      const project = await projectOfItsOwn();
      const { folder, git, run } = project;
      await make(project);
      put(folder, "src/a.ts", "another\n");
      const refs = (): string => [git("rev-parse", "HEAD"), git("for-each-ref"), git("stash", "list")].join();
      const before = refs();
      const commit =
        "git -c user.name=t -c user.email=t@localhost -c filter.lfs.required=false commit -qm more src/a.ts";
      const { text, data } = await run(`${commit}; git tag more; git branch side`);
      expect(refs()).not.toBe(before);
      const told = data.changed?.git ?? [];
      expect(text).toContain(`Git: ${told.join(", ")}`);
      for (const line of told) {
        const command = / \((git .+?) takes that back/.exec(line)?.[1] ?? expect.fail(line);
        execFileSync("bash", ["-c", command], { cwd: folder, stdio: "ignore" });
      }
      expect(refs()).toBe(before);
      expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toMatch(/^another\r?\n$/);
    });
  },
);

describe.skipIf(process.platform === "win32")("a repository whose objects are gone", () => {
  const broken = async (): Promise<GitProject> => {
    const project = await projectOfItsOwn();
    rmSync(join(project.folder, ".git/objects"), { recursive: true });
    mkdirSync(join(project.folder, ".git/objects"));
    return project;
  };

  it("is no reason to lose what runs unasked since it can be undone", async () => {
    const project = await broken();
    const { state, undo } = project;
    const before = state();
    await unasked(project, "sed -i s/two/2/ src/a.ts && mv src/deep/b.ts src/c.ts && cp src/a.ts src/crlf.txt");
    expect(state()).not.toEqual(before);
    await undo();
    expect(state()).toEqual(before);
  });

  it("names what cannot be brought back, and brings back the rest", async () => {
    const { run, state, undo } = await broken();
    const before = state();
    const { text } = await run("rm -rf src notes.md dist");
    expect(text).toContain("undo does not cover: src/a.ts (its earlier contents were not kept)");
    await undo();
    expect(state()).toEqual(Object.fromEntries(Object.entries(before).filter(([path]) => !path.startsWith("src/"))));
  });
});

describe.skipIf(process.platform === "win32")("a bare repository as the folder", () => {
  it("is files like any others", async () => {
    const project = await projectOfItsOwn();
    const { folder, run, state, undo } = project;
    const bare = await tempFolder();
    project.git("clone", "-q", "--bare", folder, join(bare, "b"));
    for (const name of readdirSync(folder)) {
      rmSync(join(folder, name), { recursive: true });
    }
    cpSync(join(bare, "b"), folder, { recursive: true });
    const before = state();
    const { text } = await run("rm -rf hooks description objects; echo x >> config; git update-ref -d refs/heads/main");
    expect(text).not.toContain("undo does not cover");
    await undo();
    expect(state()).toEqual(before);
    expect(existsSync(join(folder, "HEAD"))).toBe(true);
  });
});
