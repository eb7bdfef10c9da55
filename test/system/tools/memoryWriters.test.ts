import { describe, expect, test } from "vitest";
import { hosts, openWorkspace, result, type TestWorkspace } from "../../unit/tools/workspace.js";

const WRITERS = 16;
const writers = Array.from({ length: WRITERS }, (_, index) => index);

const valueOf = async ({ call }: TestWorkspace, key: string): Promise<string> =>
  result<{ value: string }>(await call("memory_read", { key })).data.value;

describe.each(hosts)("16 writers at once, on the %s host", (host) => {
  test("of a key that is new: one whole value stands, and all were stored", async () => {
    const memory = await openWorkspace({}, { host });
    const values = writers.map((writer) => `${String.fromCharCode(97 + writer).repeat(20_000)}\n`);
    const outcomes = await Promise.all(values.map((value) => memory.call("memory_write", { key: "k", value })));
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(values).toContain(await valueOf(memory, "k"));
    expect(outcomes.filter((outcome) => result<{ did: string }>(outcome).data.did === "new").length).toBe(1);
    expect(await memory.names(".toolhost/memory")).toEqual(["k.md"]);
  });

  test("that add to one key: every line is there, once", async () => {
    const memory = await openWorkspace({}, { host });
    const outcomes = await Promise.all(
      writers.map((writer) => memory.call("memory_write", { key: "k", value: `writer ${writer}`, append: true })),
    );
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect((await valueOf(memory, "k")).split("\n").sort()).toEqual(writers.map((writer) => `writer ${writer}`).sort());
  });

  test("of keys of their own, with one that deletes and one that lists", async () => {
    const memory = await openWorkspace({ ".toolhost/memory/old.md": "x" }, { host });
    const outcomes = await Promise.all([
      ...writers.map((writer) => memory.call("memory_write", { key: `k${writer}`, value: String(writer) })),
      ...writers.map(() => memory.call("memory_delete", { key: "old" })),
      ...writers.map(() => memory.call("memory_list", {})),
    ]);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    expect(
      outcomes.slice(WRITERS, 2 * WRITERS).flatMap((outcome) => result<{ deleted: string[] }>(outcome).data.deleted),
    ).toEqual(["old"]);
    expect((await memory.names(".toolhost/memory")).sort()).toEqual(writers.map((writer) => `k${writer}.md`).sort());
  });

  test("that write and delete one key leave it whole or gone", async () => {
    const memory = await openWorkspace({}, { host });
    const outcomes = await Promise.all(
      writers.map((writer) =>
        writer % 2 === 0
          ? memory.call("memory_write", { key: "k", value: "whole" })
          : memory.call("memory_delete", { key: "k" }),
      ),
    );
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    const left = await memory.call("memory_read", { key: "k" });
    expect(left.ok ? result<{ value: string }>(left).data.value : left.error.type).toMatch(/^(whole|not_found)$/);
  });
});

test("what a person was shown is written or nothing, when somebody else wrote while they thought", async () => {
  const memory = await openWorkspace({ ".toolhost/memory/k.md": "one" });
  const outcome = await memory.call(
    "memory_write",
    { key: "k", value: "mine" },
    {
      as: "model",
      answer: async () => {
        await memory.put(".toolhost/memory/k.md", "theirs");
        return true;
      },
    },
  );
  expect(outcome).toMatchObject({ ok: false, error: { type: "stale" } });
  expect(await valueOf(memory, "k")).toBe("theirs");
});
