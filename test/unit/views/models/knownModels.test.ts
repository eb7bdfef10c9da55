import { expect, test } from "vitest";
import { KnownModels, type Keeper } from "../../../../src/views/models/knownModels.js";

class Memory implements Keeper {
  readonly #values = new Map<string, unknown>();
  get(key: string): unknown {
    return this.#values.get(key);
  }
  update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

test("a server that tells its models offers them and, in this window, those that were used", () => {
  const known = new KnownModels(new Memory());
  expect(known.offered("s", ["a", "b"])).toEqual(["a", "b"]);
  known.use("s", "a");
  known.use("s", "b");
  expect(known.offered("s", ["c"])).toEqual(["c", "a", "b"]);
  expect(known.offered("other", [])).toEqual([]);
});

test("the next window offers what a silent server told last, and of a server that tells the model that was used last", () => {
  const memory = new Memory();
  const before = new KnownModels(memory);
  before.offered("s", ["a", "b", "c"]);
  before.use("s", "a");
  before.use("s", "b");
  const after = new KnownModels(memory);
  expect(after.isUsed("s")).toBe(true);
  expect(after.usedHere()).toEqual([]);
  expect(after.offered("s", [])).toEqual(["a", "b", "c"]);
  expect(after.offered("s", ["c"])).toEqual(["c", "b"]);
});

test("a server that is removed here is forgotten, and another one is not", () => {
  const memory = new Memory();
  const known = new KnownModels(memory);
  for (const server of ["s", "t"]) {
    known.offered(server, ["a"]);
    known.use(server, "a");
  }
  known.forget("s");
  for (const each of [known, new KnownModels(memory)]) {
    expect(each.isUsed("s")).toBe(false);
    expect(each.offered("s", [])).toEqual([]);
    expect(each.offered("t", [])).toEqual(["a"]);
  }
});

test.each([undefined, "text", { s: "text" }, { s: { told: 1, last: 2 } }, { s: { told: [1, "a"] } }])(
  "what is kept is checked: %j",
  (kept) => {
    const memory = new Memory();
    void memory.update("toolhost.models.known", kept ?? null);
    expect(new KnownModels(memory).offered("s", []).filter((id) => typeof id !== "string")).toEqual([]);
  },
);
