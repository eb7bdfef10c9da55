import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { journalChange } from "../../../../../src/features/changes/journal/images.js";
import { planUndo } from "../../../../../src/features/changes/journal/undo.js";
import { undoFiles } from "../../../../../src/features/changes/journal/undoFiles.js";
import { NodeDisk } from "../../../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../../../src/hosts/node/disk/files.js";
import { openStore } from "../../../../../src/hosts/node/state/store.js";
import type { FileChange, Snapshot } from "../../../../../src/ports/changes.js";
import { temporaryFolders } from "./built.js";
import { journalOn } from "./process.js";

let folder: string;
let state: string;

beforeEach(async () => {
  const folders = await temporaryFolders();
  state = folders.state;
  folder = join(realpathSync(folders.files), "work");
  return folders.remove;
});

/** Every file below the folder with its bytes. */
function tree(): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .map((entry): [string, string] => [
        join(entry.parentPath, entry.name).slice(folder.length + 1),
        entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)).toString("latin1") : "folder",
      ])
      .sort(),
  );
}

it("an undo after a reload brings a folder back as it was, byte by byte, and its undo the other way", async () => {
  const before: Record<string, Buffer> = {
    "edited.txt": Buffer.from("\uFEFFone\r\ntwo\r\n"),
    "wide.txt": Buffer.from("\uFEFFwide", "utf16le"),
    "gone/bytes.bin": Buffer.from([0, 255, 0, 1]),
    "moved.txt": Buffer.from("moved\n"),
  };
  for (const [path, bytes] of Object.entries(before)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  const files = new NodeFiles(new NodeDisk(), [{ name: "work", path: folder, scheme: "file" }]);
  const { signal } = new AbortController();
  const at = (path: string): ReturnType<NodeFiles["resolve"]> => files.resolve(path);
  const snapshot = async (path: string): Promise<Snapshot> => {
    const now = await undoFiles(files).current(await at(path));
    return now === undefined || "entry" in now ? expect.fail(`${path} is no file`) : now;
  };
  const text = async (path: string): Promise<Extract<Snapshot, { text: string }>> =>
    files.readSnapshot(await at(path), 1_000);
  const start = tree();

  const first = await openStore({ folders: [folder] });
  const calls: (() => Promise<FileChange[]>)[] = [
    async () => [
      { kind: "replace", at: await at("edited.txt"), before: await text("edited.txt"), text: "one\r\nTWO\r\n" },
      { kind: "replace", at: await at("wide.txt"), before: await text("wide.txt"), text: "wider 🙂" },
      { kind: "create", at: await at("new/deep/a.txt"), content: { text: "a" } },
      { kind: "create", at: await at("new/deep/b.txt"), content: { text: "b" } },
    ],
    async () => [
      { kind: "delete", at: await at("gone/bytes.bin"), before: await snapshot("gone/bytes.bin"), folders: 1 },
      {
        kind: "move",
        at: await at("moved.txt"),
        to: await at("new/moved.txt"),
        before: await snapshot("moved.txt"),
        text: "moved and changed\n",
      },
    ],
    async () => [
      { kind: "replace", at: await at("edited.txt"), before: await text("edited.txt"), text: "one\r\nthree\r\n" },
    ],
  ];
  if (first.store === undefined) {
    throw first.reason;
  }
  for (const call of calls) {
    const changes = await call();
    const pending = await journalOn(first.store).begin(
      { session: "s", turn: "t", callId: "c", tool: "edit", door: "cli", summary: "" },
      changes.map(journalChange),
      signal,
    );
    await pending.settle(await files.apply(changes, signal));
  }
  first.store.close();
  const changed = tree();

  const second = await openStore({ folders: [folder] });
  if (second.store === undefined) {
    throw second.reason;
  }
  expect(second.path.replaceAll("\\", "/").startsWith(state.replaceAll("\\", "/"))).toBe(true);
  const journal = journalOn(second.store);
  const undo = async (what: Parameters<typeof planUndo>[1]): Promise<number> => {
    const plan = await planUndo(journal.queries, what, undoFiles(files));
    expect(plan.conflicts).toEqual([]);
    const pending = await journal.begin(
      { session: "s", turn: "u", callId: "u", tool: "undo", door: "cli", summary: "" },
      plan.changes.map(journalChange),
      signal,
      plan.undoes,
    );
    await pending.settle(await files.apply(plan.changes, signal));
    return pending.id;
  };
  const done = await undo(journal.queries.lastTurn() ?? expect.fail("nothing to undo"));
  expect(tree()).toEqual(start);
  await undo({ calls: [done] });
  expect(tree()).toEqual(changed);
  second.store.close();
});
