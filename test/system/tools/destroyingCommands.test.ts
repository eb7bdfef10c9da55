// Commands by which agents have destroyed work, and what the user edits between the command and its undo: what was
// covered comes back to the last byte, and no edit of the user is lost.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitProject, put } from "./gitProject.js";

const MINE = "mine\n";
const DIRTY = "dirty\none\ntwo\nthree\nfour\nfive\n";
/** No command touches it. */
const FAR = "docs/far.md";

/** A file that a command changed, which the user then edits; `from` if it was moved. */
interface Row {
  command: string;
  edited: string;
  from?: string;
}

const at = (edited: string, ...commands: string[]): Row[] => commands.map((command) => ({ command, edited }));

/** The user's line and what the command did are in different places of a text: an undo keeps both. */
const MERGED: Row[] = [
  ...at(
    "src/a.ts",
    "git reset -q --hard",
    "git checkout -q .",
    "git checkout -q -- src",
    "git checkout -qf HEAD",
    "git checkout -q HEAD -- .",
    "git restore .",
    "git restore --source HEAD --staged --worktree src",
    "git branch other && git switch -q --discard-changes other",
    "git stash -q",
    "git stash push -q src/a.ts",
    "git stash -q && git stash drop -q",
    "git commit -qam wip && git reset -q --hard HEAD~1",
    "git read-tree -u --reset HEAD",
    "git checkout-index -qaf",
    "git diff -- src | git apply -R",
    "cp -rf wt/src .",
    "sed -i 1d src/a.ts",
    "sed -i 's/^two$/2/' src/*.ts",
    "perl -pi -e 's/one/1/' src/a.ts src/crlf.txt",
    "python3 -c \"p='src/a.ts'; t=open(p).read(); open(p,'w').write(t.replace('one', '1'))\"",
  ),
  { command: "mv src lib", edited: "lib/a.ts", from: "src/a.ts" },
  { command: "git mv -f src/a.ts src/z.ts", edited: "src/z.ts", from: "src/a.ts" },
];

/** The user's text is in the place of what the command took: it stays, and all other files can be undone. */
const KEPT: Row[] = [
  ...at("notes.md", "git clean -fdq", "git stash -q -u", "git reset -q --hard && git clean -fdq", "shred -u notes.md"),
  ...at(".env.local", "git clean -fdxq", "rm -rf dist .env.local debug.log"),
  ...at("debug.log", "git stash -q --all", "git clean -fqX"),
  ...at(
    "src/a.ts",
    "git rm -rqf src",
    "git checkout -q --orphan fresh && git rm -rqf src package.json",
    "rm -rf src",
    "rm -rf src package.json bin new notes.md logo.png wt dist",
    "find . -name '*.ts' -delete",
    "python3 -c \"import shutil; shutil.rmtree('src')\"",
    "git ls-files -z src | xargs -0 rm -f",
    "tar czf all.tgz src bin && rm -rf src bin",
    "truncate -s 0 src/a.ts",
    "tee src/a.ts < notes.md > src/crlf.txt",
    "mv notes.md src/a.ts",
    "rm -r src; mkdir src; echo new > src/a.ts",
    "for f in src/*.*; do echo x > $f; done",
  ),
  ...at("wt/src/a.ts", "git worktree remove --force wt", "rm -rf wt"),
  ...at("logo.png", "printf x | dd of=logo.png status=none"),
];

async function run(command: string, edited: string) {
  const project = await gitProject();
  const { folder, git, state } = project;
  git("worktree", "add", "-q", "wt");
  put(folder, "src/a.ts", DIRTY);
  put(folder, FAR, "far\n");
  git("add", FAR);
  git("commit", "-qm", "far", FAR);
  const before = state();
  const { text } = await project.run(command);
  expect(text).toContain("Exit code 0");
  expect(text).not.toContain("undo does not cover");
  for (const path of [edited, FAR]) {
    const file = join(folder, path);
    put(folder, path, existsSync(file) ? Buffer.concat([readFileSync(file), Buffer.from(MINE)]) : MINE);
  }
  const mine = state();
  return { ...project, before, mine };
}

describe.skipIf(process.platform === "win32")("between a command and its undo, the user edits", () => {
  it.each(MERGED)("$edited in other lines: $command", async ({ command, edited, from = edited }) => {
    const { before, mine, state, undo, folder } = await run(command, edited);
    await undo();
    expect(state()).toEqual({ ...before, [from]: expect.anything() as string, [FAR]: mine[FAR] });
    expect(readFileSync(join(folder, from), "utf8")).toBe(DIRTY + MINE);
  });

  it.each(KEPT)("$edited in its place: $command", async ({ command, edited }) => {
    const { before, changes, files, mine, state, undo } = await run(command, edited);
    await expect(undo()).rejects.toMatchObject({
      type: "conflict",
      message: expect.stringContaining(edited) as string,
    });
    expect(state()).toEqual(mine);
    const others = (await changes.journal())
      .turns(1)
      .flatMap((turn) => turn.files)
      .flatMap(({ path, from = path }) => (path === edited || from === edited ? [] : [path]));
    if (others.length > 0) {
      const call = { session: "s", turn: "u", callId: "u", door: "api", summary: "Undo" } as const;
      const what = { session: "s", turn: "t", files: others };
      await changes.undo(call, what, files, new AbortController().signal);
    }
    expect(state()).toEqual({ ...before, [edited]: mine[edited], [FAR]: mine[FAR] });
  });
});
