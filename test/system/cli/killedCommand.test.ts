// The whole program is killed while a command runs: what the command changed until then can be undone all the same.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync } from "node:fs";
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { poll } from "../../harness/poll.js";
import { tempFolder } from "../../unit/tools/workspace.js";
import { builtCli, type Finished } from "./built.js";
import { bare, INITIALIZE, toolCall, type BareClient } from "./mcpRig.js";

const cli = builtCli();
const FILES = {
  ".gitignore": ".env*\ndist/\n",
  "src/a.ts": "tracked\n",
  "src/deep/b.ts": "tracked, too\n",
  "dirty.txt": "committed\n",
  "user.txt": "one\n",
};

interface Killed {
  folder: string;
  /** Runs a command of the command line in the folder. */
  run: (...args: string[]) => Promise<Finished>;
  content: (path: string) => Promise<string | undefined>;
}

/** Starts a command in a repository by `toolhost mcp`, and kills that when it is time. */
async function killDuring(
  command: string,
  isTime: (folder: string, snapshots: () => string[]) => boolean,
  flags: readonly string[] = ["--allow-all"],
): Promise<Killed> {
  const folder = await tempFolder(FILES);
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init", "-q");
  git("add", ...Object.keys(FILES));
  git("-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qm", "first");
  await writeFile(join(folder, "dirty.txt"), "not committed\n");
  await writeFile(join(folder, "notes.md"), "untracked\n");
  await writeFile(join(folder, ".env.local"), "KEY=ignored\n");
  const state = await tempFolder();
  const before = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = state;
  onTestFinished(() => void (process.env["TOOLHOST_STATE"] = before));
  // In a view nothing would change before the command's end: test/system/faults/killViews has that.
  const client: BareClient = bare(cli, folder, flags, { ...process.env, TOOLHOST_SANDBOX: "read" });
  client.send(INITIALIZE);
  await client.hear("the answer", ({ id }) => id === 0);
  client.send(toolCall(1, "exec", { command, timeout: 900 }));
  while (!isTime(folder, () => snapshotsIn(state)) && !client.said().some(({ id }) => id === 1)) {
    await setImmediate();
  }
  client.child.kill("SIGKILL");
  await client.ended;
  return {
    folder,
    run: (...args) => cli.run(args, { cwd: folder, detached: true }),
    content: (path) => readFile(join(folder, path), "utf8").catch(() => undefined),
  };
}

function copiesIn(state: string): string[] {
  return readdirSync(state, { recursive: true, encoding: "utf8" }).filter((path) => /[0-9a-f]{64}$/.test(path));
}

function snapshotsIn(state: string): string[] {
  return readdirSync(state, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".snapshot"))
    .map((path) => join(state, path));
}

test("what it deleted, changed and made is listed and undone; what the user changed since is theirs", async () => {
  const { folder, run, content } = await killDuring(
    "rm -rf src notes.md .env.local; echo changed > dirty.txt; echo made > made.txt; chmod 600 user.txt; touch done; sleep 1000",
    (at, snapshots) => existsSync(join(at, "done")) && snapshots().length > 0,
  );
  const killed = Date.now();
  // What changed within two seconds may still be the command's: its end takes a moment, too.
  await poll("a later moment", () => Date.now() > killed + 2_500);
  await writeFile(join(folder, "user.txt"), "one\nby the user\n");
  await writeFile(join(folder, "made.txt"), "by the user, too\n");
  const listed = await run("undo", "--list");
  expect(listed.err).toMatch(
    /^toolhost: Toolhost was killed while a command ran \(Run rm -rf src.*\)\. What it had changed is in the list of changes, and can be undone\. Not covered by undo: /,
  );
  for (const path of ["src/a.ts", "src/deep/b.ts", "notes.md", ".env.local", "dirty.txt", "done"]) {
    expect(listed.out).toContain(`${path}  `);
  }
  expect(listed.out).toContain("Toolhost was killed while the command ran.");
  expect(listed.out).not.toMatch(/(?:user|made)\.txt {2}/);
  expect(listed.out).toMatch(/Not covered by undo: .*made\.txt \(it may have changed since\)/);
  expect((await run("undo")).code).toBe(0);
  const paths = ["src/a.ts", "src/deep/b.ts", "notes.md", ".env.local", "dirty.txt", "user.txt", "made.txt", "done"];
  expect(await Promise.all(paths.map(content))).toEqual([
    ...["tracked\n", "tracked, too\n", "untracked\n", "KEY=ignored\n", "not committed\n"],
    ...["one\nby the user\n", "by the user, too\n", undefined],
  ]);
  // Once.
  const again = await run("undo", "--list");
  expect(again.err).toBe("");
  expect(again.out.match(/Toolhost was killed/g)).toHaveLength(1);
});

test("what the user deletes, moves, makes and commits after the kill is not the command's", async () => {
  const { folder, run, content } = await killDuring(
    "echo changed > dirty.txt; touch done; sleep 1000",
    (at, snapshots) => existsSync(join(at, "done")) && snapshots().length > 0,
  );
  const mine = await tempFolder({ "lib/mine.txt": "mine\n", "lib/sub/x": "x\n" });
  const killed = Date.now();
  await poll("a later moment", () => Date.now() > killed + 2_500);
  renameSync(join(mine, "lib"), join(folder, "lib"));
  renameSync(join(folder, "user.txt"), join(folder, "user2.txt"));
  renameSync(join(folder, "src"), join(folder, "source"));
  rmSync(join(folder, "notes.md"));
  mkdirSync(join(folder, "new"));
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-qam", "mine"], { cwd: folder });
  const listed = await run("undo", "--list");
  expect(listed.out).toContain("dirty.txt  +1 −1");
  expect(listed.out).not.toMatch(/git reset|HEAD/);
  expect(listed.out.split("\n").filter((line) => / {2}(?:new|deleted|moved)/.test(line))).toEqual([]);
  expect((await run("undo")).code).toBe(0);
  expect(await content("dirty.txt")).toBe("not committed\n");
  for (const path of ["lib/mine.txt", "lib/sub/x", "user2.txt", "source/deep/b.ts", "new"]) {
    expect([path, existsSync(join(folder, path))]).toEqual([path, true]);
  }
  for (const path of ["user.txt", "src", "notes.md"]) {
    expect([path, existsSync(join(folder, path))]).toEqual([path, false]);
  }
});

test("what a tool did to a file in the meantime, and the user after it, is left alone", async () => {
  const { folder, run, content } = await killDuring(
    "echo changed > dirty.txt; rm notes.md; touch done; sleep 1000",
    (at, snapshots) => existsSync(join(at, "done")) && snapshots().length > 0,
  );
  const killed = Date.now();
  // In another folder than what the command deleted: the time of that is known by its folder alone.
  await run("edit", "--path", "src/a.ts", "--old-text", "tracked", "--new-text", "edited");
  await poll("a later moment", () => Date.now() > killed + 2_500);
  await writeFile(join(folder, "src/a.ts"), "edited\nby the user\n");
  // Whether the edit's process recorded the command before its own change or after it.
  const [, id = ""] = /^ +(\d+) {2}exec /m.exec((await run("undo", "--list")).out) ?? [];
  expect((await run("undo", "--id", id)).code).toBe(0);
  expect([await content("src/a.ts"), await content("notes.md")]).toEqual(["edited\nby the user\n", "untracked\n"]);
});

test("a recovery that is killed itself is made by the next process", async () => {
  const { folder, run, content } = await killDuring(
    "rm notes.md; touch done; sleep 1000",
    (at, snapshots) => existsSync(join(at, "done")) && snapshots().length > 0,
  );
  const state = process.env["TOOLHOST_STATE"] ?? "";
  const [stored = ""] = snapshotsIn(state);
  const before = statSync(stored).mtimeMs;
  const first = cli.start(["undo", "--list"], { cwd: folder, stdio: "ignore" });
  // It has taken the snapshot over.
  while (existsSync(stored) && first.exitCode === null) {
    await setImmediate();
  }
  first.kill("SIGKILL");
  expect(snapshotsIn(state).map((path) => statSync(path).mtimeMs)).toEqual(first.exitCode === null ? [before] : []);
  await run("undo", "--list");
  expect((await run("undo")).code).toBe(0);
  expect(await content("notes.md")).toBe("untracked\n");
  expect(snapshotsIn(state)).toEqual([]);
});

test("an undo waits for another process that is recording what was left", async () => {
  const { folder, run, content } = await killDuring(
    "rm notes.md; touch done; sleep 1000",
    (at, snapshots) => existsSync(join(at, "done")) && snapshots().length > 0,
  );
  const [stored = ""] = snapshotsIn(process.env["TOOLHOST_STATE"] ?? "");
  const first = cli.start(["undo", "--list"], { cwd: folder, stdio: "ignore" });
  const ended = new Promise((resolve) => first.once("close", resolve));
  while (existsSync(stored) && first.exitCode === null) {
    await setImmediate();
  }
  first.kill("SIGSTOP");
  const undone = run("undo");
  // Both look at once from here on: the first has taken the snapshot over, and the other finds none.
  await poll("the second one's start", () => readdirSync("/proc").some((pid) => isUndoIn(pid, folder)));
  first.kill("SIGCONT");
  expect([await ended, (await undone).code]).toEqual([0, 0]);
  expect(await content("notes.md")).toBe("untracked\n");
});

/** Whether a process is `toolhost undo` in a folder. */
function isUndoIn(pid: string, folder: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, "utf8").endsWith("\0undo\0") && readlinkSync(`/proc/${pid}/cwd`) === folder
    );
  } catch {
    return false;
  }
}

test.each([1, 2, 3])(
  "one that runs unasked, since it can be undone, is undone from its first moment on (%i)",
  async () => {
    const isChanged = (at: string): boolean => readFileSync(join(at, "notes.md"), "utf8") !== "untracked\n";
    const { run, content } = await killDuring("cp dirty.txt notes.md", isChanged, []);
    // It was killed before the comparison, or while what it found was recorded, or after that.
    expect((await run("undo")).code).toBe(0);
    expect(await content("notes.md")).toBe("untracked\n");
  },
);

test("a snapshot that is not whole is not used, which is said once", async () => {
  const { folder, run, content } = await killDuring(
    "rm notes.md; touch done; sleep 1000",
    (at, snapshots) => existsSync(join(at, "done")) && snapshots().length > 0,
  );
  for (const path of snapshotsIn(process.env["TOOLHOST_STATE"] ?? "")) {
    await writeFile(path, (await readFile(path)).subarray(0, 100));
  }
  const listed = await run("undo", "--list");
  expect([listed.code, listed.err]).toEqual([
    0,
    "toolhost: Toolhost was killed while the command ran. What it had changed is not known: the note about it cannot be read.\n",
  ]);
  expect((await run("undo", "--list")).err).toBe("");
  expect(await content("notes.md")).toBeUndefined();
  await rm(folder, { recursive: true });
});

test("a command that has ended leaves nothing behind", async () => {
  const folder = await tempFolder({ "a.txt": "a\n" });
  const state = await tempFolder();
  const before = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = state;
  onTestFinished(() => void (process.env["TOOLHOST_STATE"] = before));
  await chmod(join(folder, "a.txt"), 0o644);
  const client = bare(cli, folder, ["--allow-all"]);
  client.send(INITIALIZE);
  client.send(toolCall(1, "exec", { command: "echo b > a.txt; rm a.txt; sleep 0.3" }));
  const answer = await client.hear("the answer", ({ id }) => id === 1);
  expect(JSON.stringify(answer.result)).toContain("Changed: D a.txt");
  expect(snapshotsIn(state)).toEqual([]);
  // Copies of what files contained before earlier commands are gone while it still runs.
  for (const id of [2, 3, 4, 5]) {
    client.send(toolCall(id, "exec", { command: `echo ${id} > b.txt; sleep 0.3` }));
    await client.hear("the answer", (message) => message.id === id);
  }
  expect(copiesIn(state).length).toBeLessThanOrEqual(2);
  client.child.stdin?.end();
  await client.ended;
  const left = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((path) => /commands\/./.test(path));
  expect(left).toEqual([]);
});
