import { expect, it } from "vitest";
import { openSaved } from "../../../../src/hosts/web/state/savedStore.js";
import { MemoryPlace, webSqlite } from "./place.js";

/** Matches a text that has these words. */
const containing = (words: string): unknown => expect.stringContaining(words);

const sqlite = await webSqlite();
const TABLES = ["CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT, bytes BLOB);"];
const refuse = (message: string): never => {
  throw new Error(message);
};

it("has after a reload what was saved before it", async () => {
  const place = new MemoryPlace();
  const first = await openSaved(sqlite, place, TABLES, refuse);
  const { id } = first.store.run("INSERT INTO notes(text, bytes) VALUES(?, ?)", "größer", Uint8Array.of(0, 255));
  await first.saved();
  const second = await openSaved(sqlite, place, TABLES, refuse);
  expect(second.store.get("SELECT * FROM notes")).toEqual({ id, text: "größer", bytes: Uint8Array.of(0, 255) });
});

it("grows after a reload", async () => {
  const place = new MemoryPlace();
  const first = await openSaved(sqlite, place, TABLES, refuse);
  await first.close();
  const second = await openSaved(sqlite, place, TABLES, refuse);
  second.store.run("INSERT INTO notes(bytes) VALUES(?)", new Uint8Array(3_000_000).fill(7));
  await second.close();
  const third = await openSaved(sqlite, place, TABLES, refuse);
  expect(third.store.get("SELECT length(bytes) AS size FROM notes")).toEqual({ size: 3_000_000 });
});

it("brings older tables up to date, and keeps their rows", async () => {
  const place = new MemoryPlace();
  const first = await openSaved(sqlite, place, TABLES, refuse);
  first.store.run("INSERT INTO notes(text) VALUES('kept')");
  await first.close();
  const second = await openSaved(sqlite, place, [...TABLES, "ALTER TABLE notes ADD COLUMN at INTEGER;"], refuse);
  expect(second.store.all("SELECT text, at FROM notes")).toEqual([{ text: "kept", at: null }]);
  expect(second.store.version).toBe(2);
});

it("leaves what a newer version saved as it is", async () => {
  const place = new MemoryPlace();
  const newer = await openSaved(sqlite, place, [...TABLES, "CREATE TABLE more(id);"], refuse);
  newer.store.run("INSERT INTO notes(text) VALUES('newer')");
  await newer.close();
  const before = place.saved;
  await expect(openSaved(sqlite, place, TABLES, refuse)).rejects.toMatchObject({
    type: "unsupported",
    message: containing("newer Toolhost"),
  });
  expect(place.saved).toBe(before);
});

it.each([
  ["is no database", (bytes: Uint8Array) => bytes.fill(7)],
  ["has a damaged page", (bytes: Uint8Array) => bytes.fill(0xff, 4096, 8192)],
  ["was cut off", (bytes: Uint8Array) => bytes.slice(0, 5000)],
  ["is empty", () => new Uint8Array()],
])("sets aside what %s, and says so", async (_, damage) => {
  const place = new MemoryPlace();
  const first = await openSaved(sqlite, place, TABLES, refuse);
  first.store.run("INSERT INTO notes(text) VALUES(?)", "x".repeat(50_000));
  await first.close();
  const damaged = damage(place.saved ?? new Uint8Array());
  place.saved = damaged;
  const told: string[] = [];
  const second = await openSaved(sqlite, place, TABLES, (message) => told.push(message));
  expect(told).toEqual([expect.stringContaining("was kept as aside")]);
  expect(place.aside).toBe(damaged);
  expect(second.store.all("SELECT * FROM notes")).toEqual([]);
});

it("says that nothing could be saved, and saves it once there is room", async () => {
  const place = new MemoryPlace();
  const { store, saved } = await openSaved(sqlite, place, TABLES, refuse);
  store.run("INSERT INTO notes(text) VALUES('waits')");
  place.full = new Error("QuotaExceededError");
  await expect(saved()).rejects.toMatchObject({ type: "io_error", message: containing("QuotaExceeded") });
  place.full = undefined;
  await saved();
  const again = await openSaved(sqlite, place, TABLES, refuse);
  expect(again.store.all("SELECT text FROM notes")).toEqual([{ text: "waits" }]);
});

it("sets nothing aside for want of memory, and fails", async () => {
  const place = new MemoryPlace();
  await (await openSaved(sqlite, place, TABLES, refuse)).close();
  const before = place.saved;
  const full = { open: () => expect.fail("SQLITE_NOMEM: out of memory") };
  await expect(openSaved(full, place, TABLES, refuse)).rejects.toThrow("SQLITE_NOMEM");
  expect([place.saved, place.aside]).toEqual([before, undefined]);
});

it("gives back the room of what was deleted", async () => {
  const place = new MemoryPlace();
  const { store, saved } = await openSaved(sqlite, place, TABLES, refuse);
  const empty = store.bytes().length;
  store.run("INSERT INTO notes(bytes) VALUES(?)", new Uint8Array(2_000_000));
  await saved();
  expect(place.saved?.length).toBeGreaterThan(2_000_000);
  store.run("DELETE FROM notes");
  await saved();
  expect(place.saved?.length).toBeLessThan(empty + 100_000);
});

it("saves what was written while it was being closed, and nothing after", async () => {
  const place = new MemoryPlace();
  const { store, close } = await openSaved(sqlite, place, TABLES, refuse);
  store.run("INSERT INTO notes(text) VALUES('first')");
  const closing = close();
  store.run("INSERT INTO notes(text) VALUES('last')");
  await closing;
  const again = await openSaved(sqlite, place, TABLES, refuse);
  expect(again.store.all("SELECT text FROM notes")).toEqual([{ text: "first" }, { text: "last" }]);
});

it("saves a second time for all who wait while it is being saved", async () => {
  const place = new MemoryPlace();
  const { store, saved } = await openSaved(sqlite, place, TABLES, refuse);
  store.run("INSERT INTO notes(text) VALUES('one')");
  const all = [saved()];
  await Promise.resolve();
  for (let index = 0; index < 10; index++) {
    store.run("INSERT INTO notes(text) VALUES('more')");
    all.push(saved());
  }
  await Promise.all(all);
  expect(place.writes).toBeLessThanOrEqual(2);
});

it("saves once what was written at once, and nothing that was not changed", async () => {
  const place = new MemoryPlace();
  const { store, saved } = await openSaved(sqlite, place, TABLES, refuse);
  await saved();
  const before = place.writes;
  for (let index = 0; index < 20; index++) store.run("INSERT INTO notes(text) VALUES(?)", String(index));
  await Promise.all([saved(), saved()]);
  store.all("SELECT * FROM notes");
  await saved();
  expect(place.writes - before).toBe(1);
});

it("rolls back what fails, also within a larger transaction", async () => {
  const { store } = await openSaved(sqlite, new MemoryPlace(), TABLES, refuse);
  const insert = (text: string): unknown => store.run("INSERT INTO notes(text) VALUES(?)", text);
  store.transaction(() => {
    insert("outer");
    expect(() =>
      store.transaction(() => {
        insert("inner");
        throw new Error("no");
      }),
    ).toThrow("no");
    insert("after");
  });
  expect(() =>
    store.transaction(() => {
      insert("lost");
      throw new Error("never");
    }),
  ).toThrow("never");
  expect(store.all("SELECT text FROM notes ORDER BY id")).toEqual([{ text: "outer" }, { text: "after" }]);
});

it("tells of a closed state, and of a statement that fails", async () => {
  const { store, close } = await openSaved(
    sqlite,
    new MemoryPlace(),
    [`${TABLES[0]} CREATE UNIQUE INDEX one ON notes(text);`],
    refuse,
  );
  store.run("INSERT INTO notes(text) VALUES('same')");
  expect(() => store.run("INSERT INTO notes(text) VALUES('same')")).toThrow(
    expect.objectContaining({ type: "io_error", message: containing("UNIQUE") }),
  );
  await close();
  expect(() => store.get("SELECT 1")).toThrow(expect.objectContaining({ type: "unavailable" }));
});
