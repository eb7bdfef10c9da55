import { describe, expect, test } from "vitest";
import type { AgentCall, CallResult } from "../../../src/agent/turn.js";
import { call, text, turn } from "./rig.js";

/**
 * What happened to the calls, in order: `ask edit a`, when they are handed over; `+edit a` and `-edit a`, when they
 * run.
 */
async function orderOf(calls: readonly (readonly [tool: string, path: string])[]): Promise<string[]> {
  const log: string[] = [];
  const callTool = async ({ tool, input, ready }: AgentCall): Promise<CallResult> => {
    const name = `${tool} ${"path" in input ? String(input.path) : ""}`;
    log.push(`ask ${name}`);
    await ready;
    log.push(`+${name}`);
    // Long enough that whatever may run beside it has begun.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`-${name}`);
    return { ok: true, text: "" };
  };
  await turn([calls.map(([tool, path], index) => call(String(index), tool, { path })), [text("ok")]], {
    callTool,
    onlyReads: ({ tool, input }) =>
      Promise.resolve(tool === "run" && "path" in input && String(input.path).startsWith("cat")),
  });
  return log;
}

const runs = (log: readonly string[]): string[] => log.filter((line) => !line.startsWith("ask"));

describe("the calls of one answer", () => {
  test.each<{ what: string; calls: [string, string][]; runs: string[] }>([
    {
      what: "that read run side by side",
      calls: [
        ["read", "a"],
        ["read", "b"],
      ],
      runs: ["+read a", "+read b", "-read a", "-read b"],
    },
    {
      what: "that write run in order",
      calls: [
        ["edit", "a"],
        ["edit", "b"],
      ],
      runs: ["+edit a", "-edit a", "+edit b", "-edit b"],
    },
    {
      what: "a read sees the write before it, and none after it",
      calls: [
        ["edit", "a"],
        ["read", "a"],
        ["edit", "c"],
      ],
      runs: ["+edit a", "-edit a", "+read a", "-read a", "+edit c", "-edit c"],
    },
    {
      what: "commands that only read run side by side, also next to a read",
      calls: [
        ["run", "cat a"],
        ["read", "a"],
        ["run", "cat b"],
      ],
      runs: ["+run cat a", "+read a", "+run cat b", "-run cat a", "-read a", "-run cat b"],
    },
    {
      what: "a command that only reads sees the change before it, and none after it",
      calls: [
        ["edit", "a"],
        ["run", "cat a"],
        ["run", "cat b"],
        ["run", "make"],
        ["run", "cat c"],
      ],
      runs: [
        ...["+edit a", "-edit a", "+run cat a", "+run cat b", "-run cat a", "-run cat b"],
        ...["+run make", "-run make", "+run cat c", "-run cat c"],
      ],
    },
    {
      what: "the same command that only reads runs twice in turn, since a rule may ask about each",
      calls: [
        ["run", "cat a"],
        ["run", "cat a"],
      ],
      runs: ["+run cat a", "-run cat a", "+run cat a", "-run cat a"],
    },
    {
      what: "what ends the turn comes last",
      calls: [
        ["finish", "x"],
        ["read", "a"],
        ["edit", "b"],
      ],
      runs: ["+read a", "-read a", "+edit b", "-edit b", "+finish x", "-finish x"],
    },
  ])("$what", async ({ calls, runs: expected }) => {
    expect(runs(await orderOf(calls))).toEqual(expected);
  });

  test("no more than eight run at once", async () => {
    const log = runs(
      await orderOf(Array.from({ length: 20 }, (_, index): [string, string] => ["read", String(index)])),
    );
    let at = 0;
    let most = 0;
    for (const line of log) {
      at += line.startsWith("+") ? 1 : -1;
      most = Math.max(most, at);
    }
    expect([most, log.length]).toEqual([8, 40]);
  });
});

describe("the user is asked", () => {
  /** Whether the last call is asked about before the first has ended. */
  test.each<{ what: string; calls: [string, string][]; early: boolean }>([
    {
      what: "early about a change of another file",
      calls: [
        ["edit", "a"],
        ["edit", "b"],
      ],
      early: true,
    },
    {
      what: "early about a command after a change",
      calls: [
        ["edit", "a"],
        ["run", "x"],
      ],
      early: true,
    },
    {
      what: "late about a change of the same file: the difference would not be true",
      calls: [
        ["edit", "a"],
        ["edit", "a"],
      ],
      early: false,
    },
    {
      what: "late about the same file in other letters",
      calls: [
        ["edit", "./A"],
        ["edit", "a"],
      ],
      early: false,
    },
    {
      what: "late about a file in a folder that changes",
      calls: [
        ["edit", "src"],
        ["edit", "src/a"],
      ],
      early: false,
    },
    {
      what: "late about the very same command: a yes to one is none to the other",
      calls: [
        ["run", "x"],
        ["run", "x"],
      ],
      early: false,
    },
    {
      what: "late about a change after a command, which may change anything",
      calls: [
        ["run", "x"],
        ["edit", "a"],
      ],
      early: false,
    },
  ])("$what", async ({ calls, early }) => {
    const log = await orderOf(calls);
    const [first, last] = calls.map(([tool, path]) => `${tool} ${path}`);
    expect(log.lastIndexOf(`ask ${last}`) < log.indexOf(`-${first}`)).toBe(early);
    // Asked early or late, nothing runs out of turn.
    expect(runs(log)).toEqual([`+${first}`, `-${first}`, `+${last}`, `-${last}`]);
  });
});

test("paths of a hundred thousand slashes hold nobody up", async () => {
  const hostile = `${"/".repeat(100_000)}x`;
  expect(
    runs(
      await orderOf([
        ["edit", hostile],
        ["read", "a"],
      ]),
    ),
  ).toHaveLength(4);
});
