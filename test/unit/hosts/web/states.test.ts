import { expect, it } from "vitest";
import { WebStates, type WebStatesHost } from "../../../../src/compose/web/states.js";
import type { ImageNow, JournalChange, Recovered } from "../../../../src/features/changes/journal/types.js";
import type { Journal } from "../../../../src/features/changes/journal/journal.js";
import type { WorkspaceState } from "../../../../src/hosts/node/state/workspaceState.js";
import { MemoryPlace, webSqlite } from "./place.js";

/** Matches a text that has these words. */
const containing = (words: string): unknown => expect.stringContaining(words);

const { signal } = new AbortController();
const CALL = {
  ...{ session: "s", turn: "t", callId: "c", door: "lm" as const, tool: "edit", summary: "Edit a.txt" },
};
const CHANGE: JournalChange = {
  ...{ kind: "replace" as const, path: "a.txt", absolute: "memfs:/proj/a.txt" },
  ...{ before: { text: "old" }, after: { text: "new" } },
};

const entriesOf = (journal: WorkspaceState["journal"]): Journal => journal?.entries ?? expect.fail("no journal");

const programs = webSqlite();

/** The state of a tab. @param files what is at each path */
function tab(
  place: MemoryPlace,
  { files = {}, ...host }: Partial<WebStatesHost> & { files?: Record<string, ImageNow> } = {},
): WebStates & { told: string[]; recovered: Recovered[] } {
  const told: string[] = [];
  const recovered: Recovered[] = [];
  const states = new WebStates({
    sqlite: () => programs,
    place,
    take: () => Promise.resolve(true),
    look: async (path) => files[path],
    onNotice: (message) => told.push(message),
    onRecovered: (found) => recovered.push(...found),
    ...host,
  });
  return Object.assign(states, { told, recovered });
}

it("has a change in its journal after a reload", async () => {
  const place = new MemoryPlace();
  const before = tab(place);
  const { journal } = await before.current();
  const pending = await entriesOf(journal).begin(CALL, [CHANGE], signal);
  await pending.settle([{ saved: true, text: "new", foldersMade: 0 }]);
  await before.saved();
  const after = await tab(place).current();
  expect(after.journal?.queries.turns(10).map(({ calls }) => calls.map(({ tool }) => tool))).toEqual([["edit"]]);
});

it.each([
  ["was made", "new", "applied"],
  ["was not made", "old", "not_applied"],
  ["cannot be told", "other", "unknown"],
])("finds out about a change in whose middle its tab was closed: it %s", async (_, text, state) => {
  const place = new MemoryPlace();
  const closed = tab(place);
  const { journal } = await closed.current();
  await entriesOf(journal).begin(CALL, [CHANGE], signal);
  await closed.saved();
  const next = tab(place, { files: { "memfs:/proj/a.txt": { text } } });
  await next.recoverLeft();
  expect(next.recovered.map(({ files }) => files.map((file) => file.state))).toEqual([[state]]);
});

it("changes nothing in a second tab, and says where to go on", async () => {
  let isTaken = true;
  const second = tab(new MemoryPlace(), { take: async () => !isTaken });
  const { journal, reason, sessions } = await second.current();
  expect(journal).toBeUndefined();
  expect(reason).toMatchObject({ type: "unavailable", message: containing("another tab") });
  expect(await sessions.problem()).toContain("another tab");
  await expect(second.work()).rejects.toBe(reason);
  // The other tab is closed.
  isTaken = false;
  expect((await second.current()).journal).toBeDefined();
});

it("takes the workspace once, and says what else was wrong until it works", async () => {
  let takes = 0;
  let problem: Error | undefined = new Error("the storage is not ready");
  const place = new MemoryPlace();
  const own = tab(place, {
    // A lock that this tab has, it does not get again.
    take: async () => ++takes === 1,
    place: {
      read: async () => (problem === undefined ? place.read() : Promise.reject(problem)),
      write: (bytes) => place.write(bytes),
      setAside: () => place.setAside(),
    },
  });
  expect((await own.current()).reason?.message).toContain("the storage is not ready");
  expect((await own.current(true)).reason?.message).toContain("the storage is not ready");
  problem = undefined;
  expect((await own.current(true)).journal).toBeDefined();
  expect(place.aside).toBeUndefined();
});

it("refuses a change that would push all others out of the journal", async () => {
  const { journal } = await tab(new MemoryPlace()).current();
  const large = { ...CHANGE, after: { text: "x".repeat(11 * 1024 * 1024) } };
  await expect(entriesOf(journal).begin(CALL, [large], signal)).rejects.toMatchObject({ type: "too_large" });
});

it("keeps a journal that ends with the tab where there is no workspace to keep it for", async () => {
  const { journal } = await tab(new MemoryPlace(), { place: undefined }).current();
  await (await entriesOf(journal).begin(CALL, [CHANGE], signal)).settle([{ saved: true, text: "new", foldersMade: 0 }]);
  expect(journal?.queries.turns(10)).toHaveLength(1);
});

it("changes nothing without SQLite, and says why", async () => {
  const { journal, reason, sessions } = await tab(new MemoryPlace(), {
    sqlite: () => Promise.reject(new Error("WebAssembly is turned off")),
  }).current();
  expect(journal).toBeUndefined();
  expect(reason?.message).toContain("WebAssembly is turned off");
  expect(await sessions.problem()).toContain("WebAssembly is turned off");
});
