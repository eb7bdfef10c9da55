import { describe, expect, it } from "vitest";
import { Ledger } from "../../../../src/features/changes/ledger.js";
import { memoryStore, references } from "./journal/world.js";

const seen = (text: string): { version: string; text: string } => ({ version: JSON.stringify(text), text });

describe.each(["memory", "a store"])("the ledger in %s", (where) => {
  const make = (bounds?: { text: number; texts: number; files: number }): Ledger =>
    new Ledger(where === "memory" ? undefined : memoryStore(), bounds);

  it("knows what a session has read, and what changed since", () => {
    const ledger = make();
    expect(ledger.check("s", "/a", seen("1"))).toBe("unread");
    ledger.note("s", "/a", seen("1"));
    expect(ledger.check("s", "/a", seen("1"))).toBe("same");
    expect(ledger.check("s", "/a", seen("2"))).toEqual({ stale: true, readText: "1" });
    expect(ledger.check("other", "/a", seen("1"))).toBe("unread");
    ledger.note("s", "/a", seen("2"));
    expect(ledger.check("s", "/a", seen("2"))).toBe("same");
    ledger.forget("s", "/a");
    expect(ledger.check("s", "/a", seen("2"))).toBe("unread");
  });

  it("knows a huge file by its size and time", () => {
    const ledger = make();
    ledger.note("s", "/big", { size: 10, modified: 5.5 });
    expect(ledger.check("s", "/big", { size: 10, modified: 5.5 })).toBe("same");
    expect(ledger.check("s", "/big", { size: 10, modified: 6 })).toEqual({ stale: true });
    expect(ledger.check("s", "/big", seen("x"))).toBe("unread");
  });

  it("forgets the oldest files, and the oldest texts before", () => {
    const ledger = make({ text: 100, texts: 10, files: 3 });
    for (const name of ["a", "b", "c", "d"]) {
      ledger.note("s", name, seen(name.repeat(4)));
    }
    expect(ledger.check("s", "a", seen("aaaa"))).toBe("unread");
    expect(ledger.check("s", "b", seen("bbbb"))).toBe("same");
    expect(ledger.check("s", "b", seen("x"))).toEqual({ stale: true });
    expect(ledger.check("s", "d", seen("x"))).toEqual({ stale: true, readText: "dddd" });
    ledger.note("s", "long", seen("x".repeat(101)));
    expect(ledger.check("s", "long", seen("x"))).toEqual({ stale: true });
  });
});

describe("the ledger's store", () => {
  it("gives all back after a reload", async () => {
    const store = memoryStore();
    const first = new Ledger(store);
    first.note("s", "/a", seen("half \uD83D"));
    first.note("s", "/big", { size: 1, modified: 2.25 });
    first.note("s", "/gone", seen("x"));
    await first.flush();
    first.forget("s", "/gone");
    first.note("s", "/a", seen("\uFEFFhalf \uD83D"));
    await first.flush();
    const second = new Ledger(store);
    expect(second.check("s", "/a", seen("\uFEFFhalf \uD83D"))).toBe("same");
    expect(second.check("s", "/a", seen("2"))).toEqual({ stale: true, readText: "\uFEFFhalf \uD83D" });
    expect(second.check("s", "/big", { size: 1, modified: 2.25 })).toBe("same");
    expect(second.check("s", "/gone", seen("x"))).toBe("unread");
    const { counted, real } = references(store);
    expect(counted).toEqual(real);
  });

  it("is held to the same bounds", async () => {
    const store = memoryStore();
    const ledger = new Ledger(store, { text: 100, texts: 10, files: 3 });
    for (const name of ["a", "b", "c", "d", "a"]) {
      ledger.note("s", name, seen(name.repeat(4)));
      await ledger.flush();
    }
    expect(
      store
        .all<{ absolute: string; size: number | null }>("SELECT absolute, size FROM reads ORDER BY at")
        .map(({ absolute, size }) => [absolute, size]),
    ).toEqual([
      ["c", null],
      ["d", 4],
      ["a", 4],
    ]);
    const { counted, real } = references(store);
    expect(counted).toEqual(real);
  });

  it("may fail: what was read stays known in this window", async () => {
    const store = memoryStore();
    const ledger = new Ledger(store);
    store.run("DROP TABLE blobs");
    ledger.note("s", "/a", seen("1"));
    await ledger.flush();
    expect(ledger.check("s", "/a", seen("1"))).toBe("same");
  });
});
