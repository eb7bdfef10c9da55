// What snapshots share, and what they look at first.
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../../../src/features/effects/snapshot.js";
import { takeSnapshot } from "../../../../src/hosts/node/effects/walk.js";
import { tempFolder } from "../../../unit/tools/workspace.js";

/** A snapshot as data, with what it says is ignored. */
function told({ folders, uncovered, repositories }: Snapshot): unknown {
  const paths = [...folders].flatMap(([path, { entries }]) =>
    [...entries.keys()].map((name) => [path, path === "" ? name : `${path}/${name}`] as const),
  );
  return {
    folders: [...folders].map(([path, { entries, isIgnored, rules }]) => [path, entries, isIgnored, rules]),
    ignored: paths.filter(([folder, path]) => folders.get(folder)?.ignores(path, false)).map(([, path]) => path),
    uncovered,
    repositories,
  };
}

const all = (folder: string, known?: Snapshot): Snapshot =>
  takeSnapshot(folder, Infinity, Infinity, undefined, { known });

describe.skipIf(process.platform === "win32")("a snapshot that shares with an earlier one what has not changed", () => {
  it.each([
    ["nothing", "true"],
    ["a text", "echo more >> src/a.ts"],
    [
      "a text of the same size and time",
      "touch -r src/a.ts /tmp/$$; printf z > src/a.ts; touch -r /tmp/$$ src/a.ts; rm /tmp/$$",
    ],
    ["a file in place of another", "printf z > src/new; mv src/new src/a.ts"],
    ["a mode", "chmod 700 src/deep/b.ts; chmod 700 lib"],
    ["another name", "ln src/a.ts lib/second.ts"],
    ["a link's target", "ln -sfn c.ts lib/link"],
    ["a name", "mv src/a.ts src/z.ts"],
    ["a folder", "mv src lib/src"],
    ["a folder in a file's place", "rm src/a.ts; mkdir src/a.ts; touch src/a.ts/x"],
    ["what is gone", "rm -r src/deep lib/c.ts"],
    ["rules", "echo '*.ts' > .gitignore"],
    ["rules of the same size", "printf 'dost\\n' > .gitignore"],
    ["rules of a folder", "echo b.ts > src/.ignore"],
    ["rules that are gone", "rm .gitignore"],
    ["a name that is no UTF-8", "printf x > $'src/\\xff'"],
    ["a repository", "git init -q lib"],
  ])("is like one that does not: %s", async (_what, command) => {
    const folder = await tempFolder({
      ...{ "src/a.ts": "a", "src/deep/b.ts": "b", "lib/c.ts": "c", "dist/x.js": "x", "dist/deep/y.js": "y" },
      ".gitignore": "dist\n",
    });
    const change = (what: string): void => void execFileSync("bash", ["-c", what], { cwd: folder });
    change("ln -s none lib/link");
    const before = all(folder);
    change(command);
    const whole = told(all(folder));
    const next = all(folder, before);
    expect(told(next)).toEqual(whole);
    // Also by way of the comparison after a command.
    const after = takeSnapshot(folder, Infinity, Infinity, before);
    expect(told(all(folder, after))).toEqual(whole);
  });

  it("shares all of it where nothing differs, and the other folders where one does", async () => {
    const folder = await tempFolder({ "a/x": "x", "b/y": "y", "top.txt": "t" });
    const before = all(folder);
    const same = all(folder, before);
    expect([...same.folders].every(([path, each]) => before.folders.get(path) === each)).toBe(true);
    execFileSync("bash", ["-c", "echo more >> b/y; echo more >> top.txt"], { cwd: folder });
    const after = takeSnapshot(folder, Infinity, Infinity, before);
    const next = all(folder, after);
    expect(["", "a", "b"].map((path) => next.folders.get(path) === before.folders.get(path))).toEqual([
      ...[false, true, false],
    ]);
    expect([...next.folders].every(([path, each]) => after.folders.get(path) === each)).toBe(true);
  });
});

it("looks at the folders that it is told to begin with when there is no time for others", async () => {
  const folder = await tempFolder({ "a/x": "x", "b/deep/y": "y", "b/other/z": "z", "top.txt": "t" });
  const leadsTo = (path: string): boolean => ["", "b", "b/deep"].includes(path);
  const { folders, uncovered } = takeSnapshot(folder, -Infinity, Infinity, undefined, {
    first: { leadsTo, until: Infinity },
  });
  expect([[...folders.keys()], [...uncovered.keys()].sort()]).toEqual([
    ["", "b", "b/deep"],
    ["a", "b/other"],
  ]);
});
