// Whatever the files of a workspace's state are like: reading goes on, what is damaged is moved aside once, and that is
// said.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Recovered } from "../../../src/features/changes/journal/types.js";
import { KnowledgeStores } from "../../../src/hosts/node/state/knowledgeStore.js";
import { workspaceStateFolder } from "../../../src/hosts/node/state/stateFolder.js";
import { WorkspaceStates, type WorkspaceState } from "../../../src/hosts/node/state/workspaceState.js";
import { builtCli } from "../cli/built.js";
import { told, turn, user } from "../../unit/features/sessions/rig.js";
import type { StoredSessions } from "../../../src/features/sessions/storedSessions.js";
import { asOrdinaryUser, tempFolder } from "../../unit/tools/workspace.js";

const PAGE = 4096;
const cli = builtCli();

function statesOf(folder: string, notices: string[] = []): WorkspaceStates {
  const states = new WorkspaceStates({
    folders: () => [folder],
    look: () => Promise.resolve(undefined),
    foldCase: false,
    onNotice: (notice) => void notices.push(notice),
    onRecovered: () => undefined,
  });
  onTestFinished(() => states.close());
  return states;
}

/** A state with something of everything in it, closed. */
async function filledState(): Promise<{ folder: string; path: string }> {
  const folder = await tempFolder();
  const path = join(workspaceStateFolder([folder]), "state.db");
  const states = statesOf(folder);
  const state = await states.current();
  for (let number = 0; number < 40; number++) {
    await turn(state.sessions as StoredSessions, `session ${number}`, "t", [user(`message ${number} `.repeat(200))]);
    state.ledger.note("s", `/a/${number}`, { version: String(number), text: `text ${number} `.repeat(300) });
  }
  await state.ledger.flush();
  states.close();
  // It is closed when nothing is left to be written, one round later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(statSync(path).size).toBeGreaterThan(10 * PAGE);
  return { folder, path };
}

/** Everything that is kept works, on whatever there is. */
async function useAll(state: WorkspaceState): Promise<void> {
  expect(state.ledger.check("s", "/new", { version: "1" })).toBe("unread");
  state.ledger.note("s", "/new", { version: "1" });
  expect(state.ledger.check("s", "/new", { version: "1" })).toBe("same");
  await state.ledger.flush();
  await turn(state.sessions as StoredSessions, "new", "t1", [user("hello")]);
  expect(await told(state.sessions as StoredSessions, "new")).toEqual([user("hello")]);
  await state.sessions.list(5);
}

const garbage = (path: string, from: number, to: number): void => {
  const bytes = readFileSync(path);
  randomFillSync(bytes, from, Math.min(to, bytes.length) - from);
  writeFileSync(path, bytes);
};
const emptied = (path: string): void => {
  rmSync(path, { force: true });
  mkdirSync(join(path, "something"), { recursive: true });
};
const otherProgram = (path: string): void => {
  const version = new DatabaseSync(path).prepare("PRAGMA user_version").get()?.["user_version"];
  rmSync(path);
  const other = new DatabaseSync(path);
  other.exec(`CREATE TABLE notes (text); PRAGMA user_version = ${String(version)}`);
  other.close();
};

const MOVED =
  /^Toolhost's state was damaged and has been replaced; earlier changes can no longer be undone, and earlier sessions are gone\. The damaged file was kept as .*state\.db\.corrupt-/;

const damages: { name: string; damage: (path: string) => void; moved: "file" | "nothing" }[] = [
  { name: "garbage behind a whole header", damage: (path) => garbage(path, PAGE, 1e9), moved: "file" },
  {
    name: "garbage behind the first half",
    damage: (path) => garbage(path, statSync(path).size / 2, 1e9),
    moved: "file",
  },
  { name: "garbage in the header", damage: (path) => garbage(path, 0, 100), moved: "file" },
  {
    name: "zeros behind a whole header",
    damage: (path) => writeFileSync(path, readFileSync(path).fill(0, PAGE)),
    moved: "file",
  },
  { name: "a file cut off in the middle", damage: (path) => truncateSync(path, 3 * PAGE), moved: "file" },
  { name: "a file cut off in its header", damage: (path) => truncateSync(path, 60), moved: "file" },
  { name: "a file of no length", damage: (path) => truncateSync(path, 0), moved: "nothing" },
  { name: "no file", damage: (path) => rmSync(path), moved: "nothing" },
  { name: "a folder in its place", damage: emptied, moved: "file" },
  { name: "a folder in place of its log", damage: (path) => emptied(`${path}-wal`), moved: "file" },
  {
    name: "garbage in its log",
    damage: (path) => writeFileSync(`${path}-wal`, randomFillSync(Buffer.alloc(10 * PAGE))),
    moved: "nothing",
  },
  { name: "another program's tables", damage: otherProgram, moved: "file" },
  {
    name: "garbage in the lock",
    damage: (path) => writeFileSync(join(path, "../open.lock"), "no lock ".repeat(1_000)),
    moved: "nothing",
  },
  { name: "a folder in place of the lock", damage: (path) => emptied(join(path, "../open.lock")), moved: "nothing" },
  { name: "a folder in place of the mark", damage: (path) => emptied(`${path}.suspect`), moved: "nothing" },
];

describe("a damaged state", () => {
  test.each(damages)("with $name stops nothing", async ({ damage, moved }) => {
    const { folder, path } = await filledState();
    damage(path);
    const notices: string[] = [];
    const states = statesOf(folder, notices);
    // Damage that no statement of the start meets fails the call that meets it, and no other.
    await useAll(await states.current()).catch(async (error: unknown) => {
      expect(error).toMatchObject({ type: "io_error", message: `${path}: Toolhost's state is damaged.` });
      await useAll(await states.current());
    });
    expect((await states.current()).reason).toBeUndefined();
    const again = await statesOf(folder, notices).current();
    expect(await told(again.sessions as StoredSessions, "new")).toEqual([user("hello")]);
    expect(notices).toEqual(moved === "file" ? [expect.stringMatching(MOVED)] : []);
    expect(readdirSync(join(path, "..")).filter((name) => /^state\.db\.corrupt-[^.]*Z$/.test(name))).toHaveLength(
      moved === "file" ? 1 : 0,
    );
  });

  test("that is damaged while it is open is moved aside with the next call", async () => {
    const { folder, path } = await filledState();
    const notices: string[] = [];
    const states = statesOf(folder, notices);
    const before = await states.current();
    garbage(path, PAGE, 1e9);
    // What is in memory hides a part of it; the whole does not.
    await expect((async () => before.sessions.list(50))()).rejects.toMatchObject({
      type: "io_error",
      message: `${path}: Toolhost's state is damaged.`,
      hint: "The next call moves it aside and starts a new one. Try again.",
    });
    const state = await states.current();
    await useAll(state);
    expect(notices).toEqual([expect.stringMatching(MOVED)]);
    expect(await states.current()).toBe(state);
  });

  test("of a newer Toolhost, or kept by another process, is left alone", async () => {
    const { folder, path } = await filledState();
    const other = new DatabaseSync(path);
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const busy = await statesOf(folder).current();
    expect(busy.reason?.message).toBe(`${path}: another process is busy with Toolhost's state.`);
    await useAll(busy);
    other.exec("ROLLBACK; PRAGMA user_version = 99");
    other.close();
    const notices: string[] = [];
    const newer = await statesOf(folder, notices).current();
    expect(newer.reason?.message).toMatch(/was written by a newer Toolhost/);
    await useAll(newer);
    expect(notices).toEqual([]);
  });

  test("that may not be opened is told, and reading goes on", async () => {
    const { folder, path } = await filledState();
    chmodSync(path, 0o000);
    chmodSync(join(path, ".."), 0o500);
    const reason = await asOrdinaryUser(async () => {
      const state = await statesOf(folder).current();
      await useAll(state);
      return state.reason;
    });
    chmodSync(join(path, ".."), 0o700);
    expect(reason?.message).toMatch(/Toolhost's state cannot be (written|kept there)/);
  });

  test("that cannot be kept leaves no rejection behind", async () => {
    const { folder } = await filledState();
    const states = new WorkspaceStates({
      folders: () => [folder],
      look: () => Promise.resolve(undefined),
      foldCase: false,
      onNotice: () => undefined,
      onRecovered: () => undefined,
    });
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const failing = new WorkspaceStates({
      folders: () => {
        throw new Error("no folders");
      },
      look: () => Promise.resolve(undefined),
      foldCase: false,
      onNotice: () => undefined,
      onRecovered: () => undefined,
    });
    expect(() => failing.current()).toThrow("no folders");
    failing.close();
    await states.current();
    states.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(rejections).toEqual([]);
  });
});

describe("a damaged search index", () => {
  test.each(damages)("with $name is made again", async ({ damage }) => {
    const folder = await tempFolder();
    const stores = new KnowledgeStores(() => [folder]);
    const store = await stores.current();
    store.transaction(() => {
      for (let number = 0; number < 400; number++) {
        store.run(
          "INSERT INTO files (path, area, size, modified, checked, chunks, hash) VALUES (?, 'context', 1, 1, 1, 1, ?)",
          `path ${number} `.repeat(20),
          String(number),
        );
      }
    });
    store.close();
    const path = join(workspaceStateFolder([folder]), "knowledge-2.db");
    damage(path);
    const again = new KnowledgeStores(() => [folder]);
    onTestFinished(() => again.close());
    const read = async (): Promise<unknown> => (await again.current()).all("SELECT * FROM files");
    await read().catch(() => again.renew());
    expect(await read()).toEqual(expect.any(Array));
  });
});

test("a search index that is closed is not opened again by a search that goes on", async () => {
  const folder = await tempFolder();
  const stores = new KnowledgeStores(() => [folder]);
  await stores.current();
  stores.close();
  await expect(stores.current()).rejects.toMatchObject({
    type: "unavailable",
    message: expect.stringContaining("closed") as string,
  });
});

test("the command line reads on, says once what was moved aside, and prints no stack", async () => {
  const { folder, path } = await filledState();
  writeFileSync(join(folder, "a.txt"), "hello\n");
  garbage(path, PAGE, 1e9);
  const run = (...words: string[]): ReturnType<typeof cli.run> => cli.run(["--workspace", folder, ...words]);
  const first = await run("read", "a.txt");
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining("hello") as string });
  expect(first.err).toMatch(/^[^\n]*Toolhost's state was damaged and has been replaced; [^\n]*\n$/);
  expect(await run("edit", "a.txt", "--old-text", "hello", "--new-text", "bye")).toMatchObject({ code: 0, err: "" });
  expect(await run("undo", "--list")).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("a.txt") as string,
  });
});

describe("at the start of a window", () => {
  test("a state that was closed stays closed, and one of a process that was killed is opened", async () => {
    const { folder, path } = await filledState();
    await statesOf(folder).recoverLeft();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const killed = spawnSync(process.execPath, ["--no-warnings", "-e", KILLED, path]);
    expect([killed.signal, existsSync(`${path}-wal`)]).toEqual(["SIGKILL", true]);
    const recovered: Recovered[] = [];
    const states = new WorkspaceStates({
      folders: () => [folder],
      look: () => Promise.resolve(undefined),
      foldCase: false,
      onNotice: (notice) => expect.fail(notice),
      onRecovered: (told) => void recovered.push(...told),
    });
    onTestFinished(() => states.close());
    await states.recoverLeft();
    expect(recovered.map(({ call }) => call.tool)).toEqual(["edit"]);
  });

  /** A process that dies in the middle of a change. */
  const KILLED = `
    const { DatabaseSync } = require("node:sqlite");
    const db = new DatabaseSync(process.argv[1]);
    db.exec("INSERT INTO calls (session, turn, call_id, tool, door, summary, at, pending, owner_pid, owner_started) VALUES ('s', 't', 'c', 'edit', 'lm', '', 1, 1, " + process.pid + ", '')");
    process.kill(process.pid, "SIGKILL");`;
});
