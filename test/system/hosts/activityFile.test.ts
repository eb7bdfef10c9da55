import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { ActivityEntry } from "../../../src/core/pipeline/activity.js";
import { ActivityFile } from "../../../src/hosts/node/state/activityFile.js";
import { openStore } from "../../../src/hosts/node/state/store.js";
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

  it("loses its calls, and nothing else, where it cannot be written", async () => {
    const writer = new ActivityFile(() => ["/"]);
    process.env["TOOLHOST_STATE_SAVED"] = process.env["TOOLHOST_STATE"];
    process.env["TOOLHOST_STATE"] = "/proc/none";
    onTestFinished(() => {
      process.env["TOOLHOST_STATE"] = process.env["TOOLHOST_STATE_SAVED"];
    });
    writer.record(entry);
    expect(await writer.log()).toBeUndefined();
    await writer.close();
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
    let told = 0;
    const watch = watchStore(own.path, store, () => told++);
    onTestFinished(() => watch.close());
    store.run("CREATE TABLE t (a)");
    store.run("INSERT INTO t VALUES (1)");
    other.store.run("INSERT INTO t VALUES (2)");
    await poll("the other's commit", () => told > 0);
    const before = told;
    store.run("INSERT INTO t VALUES (3)");
    // Its own commit was looked at by the time that a later one of the other is told of.
    other.store.run("INSERT INTO t VALUES (4)");
    await poll("the next", () => told > before);
    expect(told - before).toBe(1);
  });
});
