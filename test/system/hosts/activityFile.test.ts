import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { ActivityEntry } from "../../../src/core/pipeline/activity.js";
import { ActivityFile } from "../../../src/hosts/node/state/activityFile.js";
import { openStore } from "../../../src/hosts/node/state/store.js";
import { workspaceStateFolder } from "../../../src/hosts/node/state/stateFolder.js";
import { watchStore } from "../../../src/hosts/node/state/watchStore.js";
import { poll } from "../../harness/poll.js";
import { temporaryFolders } from "../../unit/features/changes/journal/built.js";

let folder: string;

beforeEach(async () => {
  const folders = await temporaryFolders();
  folder = folders.files;
  return folders.remove;
});

const entry: ActivityEntry = {
  ...{ callId: "1", parentId: undefined, session: "s", root: { session: "s", turn: "t" }, door: "mcp:x", tool: "read" },
  ...{ input: { path: "a" }, started: Date.now(), duration: 5, outcome: "ok", bytes: 4, result: "text" },
};

function opened(onChange?: () => void): ActivityFile {
  const file = new ActivityFile(() => [folder], onChange);
  onTestFinished(() => file.close());
  return file;
}

function fileOf(of: string): string {
  return join(workspaceStateFolder([of]), "activity-1.db");
}

/** The file as another process has it open. */
async function openFileOf(of: string): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await import("node:sqlite");
  const database = new Database(fileOf(of));
  onTestFinished(() => database.close());
  return database;
}

describe("the file of calls", () => {
  it("has in one process what another did, and tells of it", async () => {
    let told = 0;
    const reader = opened(() => told++);
    expect((await reader.log())?.calls("s", 10).calls).toEqual([]);
    const writer = opened();
    const { duration: _, outcome: __, bytes: ___, result: ____, ...start } = entry;
    writer.began(start);
    await poll("the first news", () => told > 0);
    expect((await reader.log())?.calls("s", 10).calls).toMatchObject([{ tool: "read", state: "running" }]);
    const before = told;
    writer.record(entry);
    await poll("the second", () => told > before);
    expect((await reader.log())?.calls("s", 10).calls).toMatchObject([{ state: "ok", duration: 5 }]);
  });

  it("writes at its end what waits", async () => {
    const writer = opened();
    writer.record(entry);
    await writer.close();
    expect((await opened().log())?.calls(undefined, 10).calls).toHaveLength(1);
  });

  it("has none where it cannot be opened, and what was done meanwhile once it can", async () => {
    const state = process.env["TOOLHOST_STATE"];
    const writer = opened();
    process.env["TOOLHOST_STATE"] = "/proc/none";
    try {
      writer.record(entry);
      expect(await writer.log()).toBeUndefined();
    } finally {
      process.env["TOOLHOST_STATE"] = state;
    }
    expect((await writer.log())?.calls("s", 10).calls).toMatchObject([{ tool: "read", state: "ok" }]);
  });

  it("waits for another process that has it locked, without holding up this one, and loses nothing", async () => {
    const writer = opened();
    expect((await writer.log())?.calls("s", 10).calls).toEqual([]);
    const other = await openFileOf(folder);
    other.exec("BEGIN IMMEDIATE");
    const { duration: _, outcome: __, bytes: ___, result: ____, ...start } = entry;
    writer.began(start);
    writer.record(entry);
    expect((await writer.log())?.calls("s", 10).calls).toEqual([]);
    other.exec("ROLLBACK");
    expect((await writer.log())?.calls("s", 10).calls).toMatchObject([{ tool: "read", state: "ok", duration: 5 }]);
  });

  it("is made anew once a statement has found it damaged", async () => {
    const writer = opened();
    const log = await writer.log();
    log?.write(Array.from({ length: 500 }, (_, index) => ({ ...entry, callId: `call ${index}` })));
    const path = fileOf(folder);
    (await openFileOf(folder)).exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(statSync(path).size - 4_096, 1), 0, undefined, 4_096);
    closeSync(file);
    await poll("a statement that fails", () => {
      try {
        log?.calls(undefined, 1_000);
        return false;
      } catch {
        return true;
      }
    });
    writer.record(entry);
    expect((await writer.log())?.calls(undefined, 1_000).calls).toMatchObject([{ id: "1", state: "ok" }]);
  });
});

describe("the watch on a store", () => {
  it("tells of what others commit, and of nothing that is its own", async () => {
    const [own, other] = [await openStore({ folders: [folder] }), await openStore({ folders: [folder] })];
    if (own.store === undefined || other.store === undefined) {
      throw new Error("no store");
    }
    const { store } = own;
    onTestFinished(() => {
      store.close();
      other.store.close();
    });
    let [told, looks] = [0, 0];
    const watch = watchStore(own.path, { get: (...args) => (looks++, store.get(...args)) }, () => told++);
    onTestFinished(() => watch.close());
    store.run("CREATE TABLE t (a)");
    store.run("INSERT INTO t VALUES (1)");
    other.store.run("INSERT INTO t VALUES (2)");
    await poll("the other's commit", () => told > 0);
    const before = [told, looks];
    store.run("INSERT INTO t VALUES (3)");
    await poll("a look at its own commit", () => looks > (before[1] ?? 0));
    expect(told).toBe(before[0]);
    other.store.run("INSERT INTO t VALUES (4)");
    await poll("the next", () => told > (before[0] ?? 0));
    expect(told).toBe((before[0] ?? 0) + 1);
  });
});
