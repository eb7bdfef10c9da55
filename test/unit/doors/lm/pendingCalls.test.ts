import { describe, expect, test } from "vitest";
import { PendingCalls, type CallOrigin } from "../../../../src/doors/lm/pendingCalls.js";

const origin = (callId: string): CallOrigin => ({ session: "s", callId, parentId: "t", reads: "must" as const });

describe("PendingCalls", () => {
  test("finds where a call came from, first to look and then to run", async () => {
    const pending = new PendingCalls();
    await pending.announce("read", { path: "a", limit: 1 }, origin("1"));
    expect(await pending.peek("read", { limit: 1, path: "a" })).toEqual(origin("1"));
    expect(await pending.take("read", { path: "a", limit: 1 })).toEqual(origin("1"));
    expect(await pending.take("read", { path: "a", limit: 1 })).toBeUndefined();
  });

  test.each([
    { what: "another tool", tool: "ls", input: { path: "a" } },
    { what: "another input", tool: "read", input: { path: "b" } },
    { what: "a field more", tool: "read", input: { path: "a", limit: 1 } },
    { what: "no input", tool: "read", input: undefined },
  ])("knows nothing of $what, which came from elsewhere", async ({ tool, input }) => {
    const pending = new PendingCalls();
    await pending.announce("read", { path: "a" }, origin("1"));
    expect(await pending.peek(tool, input)).toBeUndefined();
    expect(await pending.take(tool, input)).toBeUndefined();
  });

  test("gives equal calls in the order in which they were announced", async () => {
    const pending = new PendingCalls();
    for (const id of ["1", "2", "3"]) {
      await pending.announce("read", {}, origin(id));
    }
    expect([await pending.take("read", {}), await pending.take("read", {}), await pending.take("read", {})].map((found) => found?.callId)).toEqual(["1", "2", "3"]);
  });

  test("gives each of several taken at once to one taker", async () => {
    const pending = new PendingCalls();
    await pending.announce("read", {}, origin("1"));
    await pending.announce("read", {}, origin("2"));
    const taken = await Promise.all([pending.take("read", {}), pending.take("read", {}), pending.take("read", {})]);
    // Which taker is first is nobody's promise: the calls are equal.
    expect(taken.map((found) => found?.callId).sort()).toEqual(["1", "2", undefined]);
  });

  test("forgets a call that never arrived, and only that one", async () => {
    const pending = new PendingCalls();
    const first = await pending.announce("read", {}, origin("1"));
    await pending.announce("read", {}, origin("2"));
    first.dispose();
    first.dispose();
    expect((await pending.take("read", {}))?.callId).toBe("2");
    first.dispose();
    expect(await pending.take("read", {})).toBeUndefined();
  });

  test("announcing an input that is no JSON does no harm", async () => {
    const pending = new PendingCalls();
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    (await pending.announce("read", circle, origin("1"))).dispose();
    expect(await pending.take("read", circle)).toBeUndefined();
  });
});
