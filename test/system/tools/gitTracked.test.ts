import { describe, expect, it } from "vitest";
import { gitIn } from "./realGit.js";
import { openWorkspace, plant, type TestWorkspace } from "../../unit/tools/workspace.js";

const SECRET = "PASSWORD=hunter2";

/** A repository that tracks secrets, and had one that is gone from its last commit. */
async function repository(): Promise<TestWorkspace> {
  const workspace = await openWorkspace({
    ".env": `${SECRET}\n`,
    "a.txt": "one\n",
    "src/a.ts": "one\n",
    "src/conf/prod.pem": `${SECRET}\n`,
    "src/conf/x.ts": "x\n",
    "docs/b.md": "x\n",
  });
  const git = gitIn(workspace.folder);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "add: env");
  await plant(workspace.folder, { "a.txt": "two\n", "src/a.ts": "two\n" });
  git("commit", "-qam", "second");
  git("tag", "v1");
  await plant(workspace.folder, { "a.txt": "three\n" });
  // A file is only taken for unchanged when its time is before the index's.
  await Promise.all([".env", "src/conf/prod.pem"].map((path) => workspace.date(path, 1_500_000_000_000)));
  git("status");
  return workspace;
}

/** Print the secret, or may. */
const ASKS = [
  "git show 'HEAD^{/add: env}:.env'",
  "git cat-file -p 'HEAD^{/add: env}:.env'",
  "git show HEAD:.env",
  "git show :.env",
  "git cat-file -p HEAD:.env",
  "git cat-file -p 'HEAD~1:./.env'",
  "cd src && git show HEAD:.env",
  "cd src && git cat-file -p HEAD:src/conf/prod.pem",
  "git grep PASSWORD",
  "git grep -l PASSWORD",
  "git grep -c PASSWORD HEAD",
  "git grep -h PASSWORD v1 -- src",
  "git grep -e PASSWORD",
  "git grep --cached PASS",
  "cd src && git grep PASS",
  "git -C src grep PASS",
  "git grep PASS -- '*.pem'",
  "git grep PASS -- 's*'",
  "git grep PASS src",
  "git grep -- PASS",
  "git show HEAD~1",
  "git show v1~1",
  "git show -U0 --stat HEAD~1",
  "git show --stat -p HEAD",
  "git show HEAD~1 HEAD:a.txt",
  "git show HEAD~1 -- .",
  "git show HEAD~1 -- src/conf",
  "git log -p",
  "git log -p -- .",
  "git log -p -1 --stat",
  "git log -S hunter2",
  "git log -G hunter",
  "git log -L 1,1:.env",
  "git log --cc",
  "git log -U1",
  "git log -m",
  "git whatchanged -p",
  "git reflog -p",
  "git log --patch-with-stat",
  "git log -p HEAD~1..HEAD",
  "git diff HEAD~1",
  "git diff HEAD~1 HEAD",
  "git diff --cached",
  "git diff HEAD",
  "git diff v1 -- .",
  "git diff v1...HEAD",
  "git diff -p --stat HEAD~1",
  "git diff --word-diff v1",
  "git diff v1:src HEAD:src",
  "git diff v1 -- /*",
  "git diff-tree -p HEAD~1 HEAD",
  "git diff --check HEAD~1",
  "git diff HEAD -- src/conf/*",
  "git stash show -p",
  "git stash list -p",
  "git range-diff v1...HEAD",
  "git status -v",
  "git diff HEAD -- ':!.env'",
  "git show HEAD ':(exclude)src'",
];

/** Print nothing of one, although one is tracked. */
const RUNS = [
  "git status",
  "git log --oneline -5",
  "git log --stat",
  "git log --format=%H%n%s --name-only -3",
  "git log -3 --author=a --grep=env",
  "git diff",
  "git diff --stat HEAD~1",
  "git diff --name-only HEAD~1 HEAD",
  "git show --stat HEAD",
  "git show --name-only v1~1",
  "git show HEAD:src/a.ts",
  "git show HEAD:./a.txt",
  "git show HEAD -- src/a.ts docs",
  "git diff HEAD -- src/a.ts",
  "git diff HEAD src/a.ts",
  "git diff HEAD~1 -- docs",
  "git log -p -- src/a.ts",
  "git log -p -2 -- docs a.txt",
  "git grep -n one -- docs",
  "git grep one src/a.ts docs",
  "git grep -n one -- '*.ts'",
  "cd src && git grep one -- a.ts",
  "cd docs && git grep x -- .",
  "git cat-file -p HEAD",
  "git cat-file -t HEAD",
  "git blame src/a.ts",
  "git stash list",
  "git reflog -3",
  "git ls-files",
  "git ls-tree -r HEAD",
  "git diff HEAD -- ':!.env' ':!src/conf'",
  "git diff HEAD -- . ':(exclude).env' ':!src/conf/prod.pem'",
  "git diff HEAD~1 HEAD -- docs",
];

describe.skipIf(process.platform === "win32")("a repository that tracks secrets", () => {
  it("has git ask before it prints one, and not before it prints others", async () => {
    const { pipeline } = await repository();
    const decide = async (command: string): Promise<string> =>
      (
        await pipeline.explain(
          "exec",
          { command },
          { door: "api", session: "s", signal: new AbortController().signal, authority: "model" },
        )
      ).decision;
    expect(await Promise.all(ASKS.map(async (command) => [command, await decide(command)]))).toEqual(
      ASKS.map((command) => [command, "ask"]),
    );
    expect(await Promise.all(RUNS.map(async (command) => [command, await decide(command)]))).toEqual(
      RUNS.map((command) => [command, "allow"]),
    );
  });

  it("prints none by a command that runs unasked", async () => {
    const { call } = await repository();
    for (const command of [...ASKS, ...RUNS]) {
      const outcome = await call("exec", { command }, { as: "model" });
      expect(JSON.stringify(outcome), command).not.toContain(SECRET);
    }
  });

  it("is asked about once a secret has changes that are not staged", async () => {
    const workspace = await repository();
    const run = async (command: string): Promise<boolean> =>
      (await workspace.call("exec", { command }, { as: "model" })).ok;
    expect(await run("git diff")).toBe(true);
    await plant(workspace.folder, { ".env": `${SECRET}3\n` });
    expect(await run("git diff")).toBe(false);
    expect(await run("git diff -- src")).toBe(true);
    expect(await run("git diff --stat")).toBe(true);
  });

  it("says which it is, and how to leave it out", async () => {
    const workspace = await repository();
    const { reasons } = await workspace.pipeline.explain(
      "exec",
      { command: "git grep x" },
      { door: "api", session: "s", signal: new AbortController().signal, authority: "model" },
    );
    expect(reasons.join()).toContain(
      "May print `.env`, which Git tracks: name other files after `--`, or exclude it with `':!.env'`",
    );
  });

  it("is not needed for one that is in no commit", async () => {
    const workspace = await openWorkspace({ ".env": "x\n", ".gitignore": ".env\n", "a.txt": "x\n" });
    const git = gitIn(workspace.folder);
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "x");
    for (const command of [
      "git diff",
      "git log -p",
      "git show HEAD",
      "git grep x",
      "git diff HEAD",
      "git show v1 || true",
      "git stash show -p || true",
    ]) {
      expect((await workspace.call("exec", { command }, { as: "model" })).ok, command).toBe(true);
    }
  });
});
