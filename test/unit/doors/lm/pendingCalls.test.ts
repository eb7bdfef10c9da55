import { describe, expect, test } from "vitest";
import { PendingCalls, type CallOrigin } from "../../../../src/doors/shared/pendingCalls.js";

const BUDGET = 8_000;
const origin = (callId: string): CallOrigin => ({ session: "s", callId, parentId: "t", reads: "must" as const });

describe("PendingCalls", () => {
  test("finds where a call came from, first to look and then to run", async () => {
    const pending = new PendingCalls();
    await pending.announce("read", { path: "a", limit: 1 }, origin("1"), BUDGET);
    expect(await pending.peek("read", { limit: 1, path: "a" })).toEqual(origin("1"));
    expect(await pending.take("read", { path: "a", limit: 1 }, BUDGET)).toEqual(origin("1"));
    expect(await pending.take("read", { path: "a", limit: 1 }, BUDGET)).toBeUndefined();
  });

  test.each([
    { what: "another tool", tool: "ls", input: { path: "a" } },
    { what: "another input", tool: "read", input: { path: "b" } },
    { what: "a field more", tool: "read", input: { path: "a", limit: 1 } },
    { what: "no input", tool: "read", input: undefined },
  ])("knows nothing of $what, which came from elsewhere", async ({ tool, input }) => {
    const pending = new PendingCalls();
    await pending.announce("read", { path: "a" }, origin("1"), BUDGET);
    expect(await pending.peek(tool, input)).toBeUndefined();
    expect(await pending.take(tool, input, BUDGET)).toBeUndefined();
  });

  test("tells equal calls apart, in whatever order the user says yes to them", async () => {
    const pending = new PendingCalls();
    const budgets: number[] = [];
    for (const id of ["1", "2", "3"]) {
      budgets.push((await pending.announce("exec", { command: "npm test" }, origin(id), BUDGET)).budget);
    }
    const taken = await Promise.all(
      budgets.toReversed().map((budget) => pending.take("exec", { command: "npm test" }, budget)),
    );
    expect(taken.map((found) => found?.callId)).toEqual(["3", "2", "1"]);
    // What is taken off is nothing that a result could feel.
    expect(Math.min(...budgets)).toBe(BUDGET - 2);
  });

  test("gives a call of one agent to no other agent that makes the same", async () => {
    const pending = new PendingCalls();
    const { budget } = await pending.announce(
      "exec",
      { command: "touch a" },
      { ...origin("1"), planOnly: true },
      BUDGET,
    );
    for (const others of [undefined, BUDGET + 1, 0]) {
      expect(await pending.take("exec", { command: "touch a" }, others)).toBeUndefined();
    }
    expect(await pending.take("exec", { command: "touch a" }, budget)).toMatchObject({ callId: "1", planOnly: true });
  });

  test("forgets a call that never arrived, and only that one", async () => {
    const pending = new PendingCalls();
    const first = await pending.announce("read", {}, origin("1"), BUDGET);
    const second = await pending.announce("read", {}, origin("2"), BUDGET);
    first.dispose();
    first.dispose();
    expect((await pending.take("read", {}, second.budget))?.callId).toBe("2");
    first.dispose();
    expect(await pending.take("read", {}, second.budget)).toBeUndefined();
  });

  test("announcing an input that is no JSON does no harm", async () => {
    const pending = new PendingCalls();
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    (await pending.announce("read", circle, origin("1"), BUDGET)).dispose();
    expect(await pending.take("read", circle, BUDGET)).toBeUndefined();
  });
});
