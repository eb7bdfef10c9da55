// What Git commands do to refs and stashes, and that the commands that are told take it back.
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { gitProject, put } from "./gitProject.js";

const SHA = "[0-9a-f]{10}";

/** A repository with two commits, a branch, a tag and two stashes. */
async function history() {
  const project = await gitProject();
  const { folder, git } = project;
  git("checkout", "-q", "package.json");
  git("branch", "side");
  git("tag", "-a", "v1", "-m", "v1");
  git("notes", "add", "-m", "note");
  put(folder, "src/a.ts", "1\n");
  git("commit", "-qam", "second");
  for (const text of ["stash one", "stash two"]) {
    put(folder, "docs/guide.md", text);
    git("stash", "-q");
  }
  /** Everything but files. */
  const refs = (): string =>
    [
      git("rev-parse", "--abbrev-ref", "HEAD"),
      git("for-each-ref", "--format=%(refname) %(objectname)"),
      git("stash", "list", "--format=%H"),
    ].join("\n");
  return { ...project, refs };
}

/** Runs the commands that a result says take things back, as a person would. */
function takeBack(folder: string, told: readonly string[] = [], form = /\((git .+?) takes that back/): void {
  for (const line of told) {
    const command = form.exec(line)?.[1] ?? expect.fail(`no command: ${line}`);
    execFileSync("bash", ["-c", command], { cwd: folder, stdio: ["ignore", "ignore", "ignore"] });
  }
}

describe.skipIf(process.platform === "win32")("what Git did besides files", () => {
  it.each<[command: string, ...told: string[]]>([
    ["git reset -q --hard HEAD~1", `HEAD of main moved from ${SHA} to ${SHA} \\(git reset ${SHA} takes that back\\)`],
    ["echo x > src/a.ts; git commit -qam third", `HEAD of main moved from ${SHA} to ${SHA} \\(git reset ${SHA} `],
    ["git commit -q --amend -m other", `HEAD of main moved from ${SHA} to ${SHA} \\(git reset ${SHA} `],
    [
      "git checkout -q side; echo x > n; git add n; git commit -qm n; git checkout -q main; git rebase -q side",
      `HEAD of main moved .*`,
      `branch side moved .* \\(git branch -f side ${SHA} `,
    ],
    ["git branch -qD side", `branch side \\(${SHA}\\) was deleted \\(git branch side ${SHA} takes that back\\)`],
    ["git pack-refs --all && git branch -qD side", `branch side \\(${SHA}\\) was deleted .*`],
    ["git branch -m side other", "branch side was renamed to other \\(git branch -m other side takes that back\\)"],
    ["git branch new", "branch new is new \\(git branch -D new takes that back\\)"],
    [
      "git branch 'x;touch${IFS}pwned'",
      "branch x;touch\\${IFS}pwned is new \\(git branch -D 'x;touch\\${IFS}pwned' takes that back\\)",
    ],
    ["git checkout -q side", "HEAD moved from main to side \\(git checkout main takes that back\\)"],
    ["git checkout -q HEAD~1", `HEAD moved from main to ${SHA} \\(git checkout main takes that back\\)`],
    ["git checkout -qb other", "HEAD moved from main to other .*", "branch other is new \\(git branch -D other .*"],
    ["git tag -d v1", `tag v1 \\(${SHA}\\) was deleted \\(git tag v1 ${SHA} takes that back\\)`],
    ["git tag -f v1 HEAD", `tag v1 moved from ${SHA} to ${SHA} \\(git tag -f v1 ${SHA} takes that back\\)`],
    ["git tag v2", "tag v2 is new \\(git tag -d v2 takes that back\\)"],
    [
      "git update-ref -d refs/notes/commits",
      `refs/notes/commits \\(${SHA}\\) was deleted \\(git update-ref refs/notes/commits ${SHA} .*`,
    ],
    ["git stash drop -q", `stash ${SHA} was dropped \\(git stash store ${SHA} takes that back\\)`],
    ["git stash clear", `stash ${SHA} was dropped .*`, `stash ${SHA} was dropped .*`],
    ["git stash pop -q", `stash ${SHA} was dropped .*`],
    [
      "git checkout -q side; echo 2 > src/a.ts; git commit -qam conflict; git merge -q main",
      "a merge is in progress \\(git merge --abort takes that back\\)",
    ],
  ])("is told with what takes it back: %s", async (command, ...told) => {
    const { folder, refs, run } = await history();
    const before = refs();
    const { text, data } = await run(command);
    const git = data.changed?.git ?? [];
    expect(git).toEqual(told.map((each) => expect.stringMatching(new RegExp(`^${each}`)) as string));
    expect(text).toContain(`Git: ${git.join(", ")}`);
    if (command.includes("merge")) {
      takeBack(folder, git);
      return;
    }
    expect(refs()).not.toBe(before);
    takeBack(folder, git);
    expect(refs()).toBe(before);
  });

  it("of a stash, before and after an undo of its files, which says so", async () => {
    const { changes, folder, refs, run, state, undo } = await history();
    put(folder, "src/a.ts", "dirty\n");
    const [before, files] = [refs(), state()];
    const first = await run("git stash -q");
    takeBack(folder, first.data.changed?.git);
    expect([refs(), state()]).toEqual([before, files]);
    const { data } = await run("git stash -q");
    const [told = ""] = data.changed?.git ?? [];
    const [turn] = (await changes.journal()).turns(1);
    expect(turn?.calls.at(-1)?.notes).toEqual([`Undo does not take back what else Git did: ${told}.`]);
    await undo();
    takeBack(folder, [told], /once the files are undone, (git [^)]+)/);
    expect([refs(), state()]).toEqual([before, files]);
  });

  it("of a checkout, after an undo of its files, by commands that overwrite none", async () => {
    const { changes, folder, git, refs, run, state, undo } = await history();
    git("checkout", "-q", "side");
    put(folder, "src/a.ts", "another on side\n");
    git("rm", "-q", "src/deep/b.ts");
    git("commit", "-qam", "on side");
    git("checkout", "-q", "main");
    const [before, files, status] = [refs(), state(), git("status", "--short")];
    await run("git checkout -q side");
    const [turn] = (await changes.journal()).turns(1);
    const notes = turn?.calls.at(-1)?.notes ?? [];
    await undo();
    takeBack(folder, notes, /once the files are undone, (git [^)]+)/);
    expect([refs(), state(), git("status", "--short")]).toEqual([before, files, status]);
  });

  it("in a repository below, and that a repository is gone", async () => {
    const { folder, git, run } = await history();
    git("init", "-q", "sub");
    put(folder, "sub/x", "x");
    git("-C", "sub", "add", ".");
    git("-C", "sub", "commit", "-qm", "x");
    const { data } = await run("cd sub && git tag v9");
    expect(data.changed?.git).toEqual(["sub: tag v9 is new (git -C sub tag -d v9 takes that back)"]);
    expect((await run("rm -rf sub/.git")).data.changed?.git).toEqual([
      "sub: the repository's own files (.git) are gone",
    ]);
  });

  it.each(["git gc -q", "git add .; git config a.b c", "git stash list > list"])(
    "is not told where it is nothing: %s",
    async (command) => {
      const { run } = await history();
      expect((await run(command)).data.changed?.git).toEqual([]);
    },
  );
});
