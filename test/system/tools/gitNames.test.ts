// Real git: names that it prints for other commands, of files that are not there, or in quotes.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn } from "./realGit.js";
import { openWorkspace, type TestWorkspace } from "../../unit/tools/workspace.js";

const READS_LINES = 'while read -r f; do cat "$f"; done';

interface Case {
  name: string;
  command: string;
  /** Committed; `OUT` is a file outside. */
  tracked: string;
  /** Deleted again, and in a commit. */
  gone?: "deleted" | "committed";
  /** Leads to the file outside. */
  link?: string;
}

const CASES: readonly Case[] = [
  {
    name: "in quotes, with another ending",
    command: `git ls-files '*.ts' | ${READS_LINES}`,
    tracked: "ä.ts",
    link: '"\\303\\244.ts"',
  },
  {
    name: "in quotes, in another folder",
    command: `git ls-files src | ${READS_LINES}`,
    tracked: "src/ä.ts",
    link: '"src/\\303\\244.ts"',
  },
  {
    name: "in quotes, of a file that is not there",
    command: `git ls-files src | ${READS_LINES}`,
    tracked: "src/ä.ts",
    gone: "deleted",
    link: '"src/\\303\\244.ts"',
  },
  { name: "of the index", command: "git ls-files | xargs cat", tracked: "a OUT", gone: "deleted" },
  { name: "of the index, by the shell", command: "cat $(git ls-files)", tracked: "a OUT", gone: "deleted" },
  {
    name: "of the index, by its ending",
    command: "git ls-files '*.txt' | xargs cat",
    tracked: "a OUT",
    gone: "deleted",
  },
  {
    name: "of the index, by a search",
    command: "git grep --cached -l needle | xargs cat",
    tracked: "a OUT",
    gone: "deleted",
  },
  { name: "of what was deleted", command: "git diff --name-only | xargs cat", tracked: "a OUT", gone: "deleted" },
  { name: "of a commit", command: "git diff --name-only HEAD~1 | xargs cat", tracked: "a OUT", gone: "committed" },
  {
    name: "of a commit, by a search",
    command: "git grep -l needle HEAD~1 | xargs cat",
    tracked: "a OUT",
    gone: "committed",
  },
];

async function repository({ tracked, gone, link }: Case, outside: string): Promise<TestWorkspace> {
  const workspace = await openWorkspace({ "b.txt": "x\n", "src/b.ts": "x\n" });
  const git = gitIn(workspace.folder);
  const put = (path: string): string => {
    const at = join(workspace.folder, path);
    mkdirSync(dirname(at), { recursive: true });
    return at;
  };
  const name = tracked.replace("OUT", outside);
  writeFileSync(put(name), "needle\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "one");
  if (gone !== undefined) {
    rmSync(join(workspace.folder, name.split("/")[0] ?? ""), { recursive: true });
  }
  if (gone === "committed") {
    git("commit", "-qam", "two");
  }
  if (link !== undefined) {
    symlinkSync(outside, put(link));
  }
  return workspace;
}

const decide = async ({ pipeline }: TestWorkspace, command: string): Promise<unknown> =>
  pipeline.explain(
    "exec",
    { command },
    { door: "api", session: "s", signal: new AbortController().signal, authority: "model" },
  );

describe.skipIf(process.platform === "win32")("a name that git prints for another command", () => {
  it.each(CASES)("asks: $name", async (each) => {
    const elsewhere = await openWorkspace({ "x.txt": "OUTSIDE\n" });
    const workspace = await repository(each, join(elsewhere.folder, "x.txt"));
    const env = { PATH: process.env["PATH"], HOME: elsewhere.folder };
    // It proves nothing if the file outside would not have been read.
    expect(
      spawnSync("/bin/bash", ["-c", each.command], { cwd: workspace.folder, env, encoding: "utf8" }).stdout,
    ).toContain("OUTSIDE");
    expect(await decide(workspace, each.command)).toMatchObject({ decision: "ask" });
  });

  it.each([
    "git ls-files '*.txt' | xargs cat",
    "git ls-files src -z | xargs -0 cat",
    "cat $(git ls-files '*.txt')",
    "git diff --name-only -z HEAD | xargs -0 cat",
    "git ls-files | xargs cat",
    "git grep -l x -- src | xargs cat",
  ])("does not ask for ordinary names: %s", async (command) => {
    const workspace = await repository({ name: "", command, tracked: "docs/ä.md", gone: "deleted" }, "");
    expect(await decide(workspace, command)).toMatchObject({ decision: "allow" });
  });
});
