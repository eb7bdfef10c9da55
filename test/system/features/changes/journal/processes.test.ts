import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { openStore } from "../../../../../src/hosts/node/state/store.js";
import type { Store } from "../../../../../src/ports/store.js";
import { builtProcess, temporaryFolders } from "../../../../unit/features/changes/journal/built.js";
import { BEFORE, changesIn, journalOn } from "../../../../unit/features/changes/journal/process.js";
import { references } from "../../../../unit/features/changes/journal/world.js";

const run = builtProcess();
let folder: string;

beforeEach(async () => {
  const { files, remove } = await temporaryFolders();
  folder = files;
  return remove;
});

async function opened(): Promise<Store> {
  const { store } = await openStore({ folders: [folder] });
  if (store === undefined) {
    throw new Error("no store");
  }
  return store;
}

it("keeps the state whole when several processes make it and change the same files at once", async () => {
  for (const name of ["n0", "n1", "n2"]) {
    writeFileSync(join(folder, name), "0");
  }
  const ended = await Promise.all(Array.from({ length: 4 }, () => run("count", folder, 30)));
  expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, ""]));
  expect(["n0", "n1", "n2"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(["40", "40", "40"]);
  const store = await opened();
  expect(store.get("SELECT count(*) AS calls, sum(pending) AS pending FROM calls")).toMatchObject({
    calls: 120,
    pending: 0,
  });
  expect(store.all("SELECT * FROM locks")).toEqual([]);
  const { counted, real } = references(store);
  expect(counted).toEqual(real);
  store.close();
});

/** What a file holds: as before the call, as after it, or anything else. */
function isAfter(path: string, before: string | undefined, after: string | undefined): boolean {
  const now = existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;
  expect([before, after]).toContain(now);
  return now === after;
}

it("knows after a kill at any step which files are as before and which as after", async () => {
  const seen = new Set<string>();
  for (let killAt = 1; ; killAt++) {
    for (const name of ["made", "there", ...Object.keys(BEFORE)]) {
      writeFileSync(join(folder, name), BEFORE[name] ?? "");
    }
    for (const path of [join(folder, "made"), join(folder, "there"), process.env["TOOLHOST_STATE"] ?? ""]) {
      rmSync(path, { recursive: true, force: true });
    }
    const { signal, code, err } = await run("change", folder, killAt);
    expect(err).toBe("");
    const store = await opened();
    const journal = journalOn(store);
    const recovered = await journal.recover();
    const truth = [
      isAfter("edited", "before", "after"),
      isAfter("made", undefined, "after"),
      isAfter("removed", "before", undefined),
      isAfter("moved", "before", undefined) && isAfter("there", undefined, "before"),
    ];
    const known = store
      .all<{ state: string }>("SELECT state FROM changes ORDER BY id")
      .map(({ state }) => state === "applied");
    // A call that is not there any more, or not yet, changed nothing.
    expect(known.length > 0 ? known : truth.map(() => false)).toEqual(truth);
    expect(recovered.length > 0 ? recovered[0]?.files.map(({ state }) => state === "applied") : truth).toEqual(truth);
    expect(store.all("SELECT * FROM locks")).toEqual([]);
    // Nothing keeps the files from being changed again.
    (
      await journal.begin(
        { session: "s", turn: "u", callId: "d", tool: "edit", door: "cli", summary: "" },
        changesIn(folder),
      )
    ).drop();
    const { counted, real } = references(store);
    expect(counted).toEqual(real);
    store.close();
    seen.add(truth.join());
    if (signal === null) {
      expect(code).toBe(0);
      expect(truth).toEqual([true, true, true, true]);
      // Before the first file, and after each of them.
      expect(seen.size).toBe(5);
      return;
    }
  }
});
