// Sessions where the workspace's state is not as it should be, and when its folders change.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { unkeptSessions } from "../../../../src/features/sessions/unkeptSessions.js";
import { JOURNAL_SCHEMA } from "../../../../src/features/changes/journal/schema.js";
import { LEDGER_SCHEMA } from "../../../../src/features/changes/journal/schema.js";
import { openStore } from "../../../../src/hosts/node/state/store.js";
import { workspaceStateFolder } from "../../../../src/hosts/node/state/stateFolder.js";
import { WorkspaceStates } from "../../../../src/hosts/node/state/workspaceState.js";
import type { StoredSessions } from "../../../../src/features/sessions/storedSessions.js";
import { asOrdinaryUser, tempFolder } from "../../../unit/tools/workspace.js";
import { start, told, turn, user } from "../../../unit/features/sessions/rig.js";

function statesOf(folders: () => string[], notices: string[] = []): WorkspaceStates {
  const states = new WorkspaceStates({
    folders,
    look: () => Promise.resolve(undefined),
    foldCase: false,
    onNotice: (notice) => void notices.push(notice),
    onRecovered: () => undefined,
  });
  onTestFinished(() => states.close());
  return states;
}

const logOf = async (folder: string, notices?: string[]): Promise<StoredSessions> =>
  (await statesOf(() => [folder], notices).current()).sessions as StoredSessions;

const databaseOf = (folder: string): string => {
  const state = workspaceStateFolder([folder]);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  return join(state, "state.db");
};

/** They work, for this process alone, and say so. */
async function expectInMemory(folder: string, reason: RegExp): Promise<void> {
  const log = await logOf(folder);
  expect(await log.problem()).toMatch(/^Sessions are not stored and end with this process\. /);
  expect(await log.problem()).toMatch(reason);
  await turn(log, "session", "t1", [user("kept for now")]);
  expect(await told(log, "session")).toEqual([user("kept for now")]);
  expect((await (await logOf(folder)).list(5)).total).toBe(0);
}

it("are written down, for every process", async () => {
  const folder = await tempFolder();
  const log = await logOf(folder);
  expect(await log.problem()).toBeUndefined();
  await turn(log, "session", "t1", [user("hello")]);
  expect(await told(await logOf(folder), "session")).toEqual([user("hello")]);
});

it("join a state that an earlier version wrote", async () => {
  const folder = await tempFolder();
  const old = await openStore({ folders: [folder], migrations: [JOURNAL_SCHEMA + LEDGER_SCHEMA] });
  old.store?.run("INSERT INTO reads (session, absolute, version, at) VALUES ('s', '/a', 'v', 1)");
  old.store?.close();
  const log = await logOf(folder);
  await turn(log, "session", "t1", [user("hello")]);
  expect(await told(log, "session")).toEqual([user("hello")]);
  const database = new DatabaseSync(databaseOf(folder));
  expect({ ...database.prepare("SELECT session, absolute, version FROM reads").get() }).toEqual({
    session: "s",
    absolute: "/a",
    version: "v",
  });
  database.close();
});

it("are in memory where a newer Toolhost wrote the state", async () => {
  const folder = await tempFolder();
  const database = new DatabaseSync(databaseOf(folder));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expectInMemory(folder, /written by a newer Toolhost \(version 99 .*Update Toolhost\./);
});

it("are in memory where the state's folder cannot be written", async () => {
  const folder = await tempFolder();
  const before = process.env["TOOLHOST_STATE"];
  const locked = join(folder, "locked");
  mkdirSync(locked);
  chmodSync(locked, 0o555);
  process.env["TOOLHOST_STATE"] = join(locked, "state");
  try {
    await asOrdinaryUser(() => expectInMemory(folder, /cannot be kept there/));
  } finally {
    process.env["TOOLHOST_STATE"] = before;
  }
});

it("are in memory where another process keeps the state to itself while it is opened", async () => {
  const folder = await tempFolder();
  await turn(await logOf(folder), "session", "t1", [user("written down")]);
  const other = new DatabaseSync(databaseOf(folder));
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const log = await logOf(folder);
  expect(await log.problem()).toMatch(
    /^Sessions are not stored and end with this process\. .*another process is busy with Toolhost's state\./,
  );
  await turn(log, "another", "t2", [user("kept for now")]);
  expect(await told(log, "another")).toEqual([user("kept for now")]);
  other.exec("ROLLBACK");
  expect((await (await logOf(folder)).list(5)).sessions.map(({ id }) => id)).toEqual(["session"]);
});

it("begin anew where the state is damaged, which is said", async () => {
  const folder = await tempFolder();
  writeFileSync(databaseOf(folder), "no database at all, ".repeat(500));
  const notices: string[] = [];
  const log = await logOf(folder, notices);
  expect(await log.problem()).toBeUndefined();
  expect(notices).toEqual([
    expect.stringMatching(
      /damaged and has been replaced; .*earlier sessions are gone\. The damaged file was kept as .*corrupt-/,
    ),
  ]);
  await turn(log, "session", "t1", [user("hello")]);
  expect(await told(await logOf(folder), "session")).toEqual([user("hello")]);
});

it("say that another process is busy with the state, and lose neither order nor the end of a turn", async () => {
  const folder = await tempFolder();
  const log = await logOf(folder);
  await log.beginTurn(start("session", "t1"));
  await log.append("session", "t1", user("before"));
  const other = new DatabaseSync(databaseOf(folder));
  onTestFinished(() => other.close());
  other.exec("BEGIN EXCLUSIVE");
  const busy = {
    type: "unavailable",
    message: expect.stringContaining("another process is busy with Toolhost's state") as string,
  };
  await expect(log.append("session", "t1", user("lost"))).rejects.toMatchObject(busy);
  await expect(log.beginTurn(start("another", "t2"))).rejects.toMatchObject(busy);
  await expect(log.endTurn("session", "t1")).rejects.toMatchObject(busy);
  // Reading goes on while somebody writes.
  expect(await told(log, "session")).toEqual([user("before")]);
  expect((await log.status("session")).state).toBe("idle");
  other.exec("ROLLBACK");
  await turn(log, "another", "t2", [user("x")]);
  expect((await (await logOf(folder)).status("session")).state).toBe("idle");
  await turn(log, "session", "t3", [user("after")]);
  expect(await told(log, "session")).toEqual([user("before", "after")]);
});

it("go on in the state they began with when the folders change in the middle of a turn", async () => {
  let folder = await tempFolder();
  const [first, second] = [folder, await tempFolder()];
  const states = statesOf(() => [folder]);
  const log = (await states.current()).sessions as StoredSessions;
  await log.beginTurn(start("session", "t1"));
  folder = second;
  const other = (await states.current()).sessions;
  expect((await other.list(5)).total).toBe(0);
  await log.append("session", "t1", user("still here"));
  folder = first;
  const again = (await states.current()).sessions as StoredSessions;
  // The same process, another log: the turn is under way all the same.
  await expect(again.beginTurn(start("session", "t2"))).rejects.toMatchObject({
    type: "conflict",
    message: expect.stringContaining("one of its turns is in progress here") as string,
  });
  await log.endTurn("session", "t1");
  await turn(again, "session", "t2", [user("and here")]);
  expect(await told(again, "session")).toEqual([user("still here", "and here")]);
});

it("fail with the reason where there is no SQLite at all", async () => {
  const log = unkeptSessions("Node.js has no SQLite.");
  expect(await log.problem()).toBe("Node.js has no SQLite.");
  await expect(log.beginTurn(start("session", "t1"))).rejects.toMatchObject({
    type: "unavailable",
    message: "Node.js has no SQLite.",
  });
  await expect(log.list(5)).rejects.toMatchObject({ type: "unavailable" });
});
