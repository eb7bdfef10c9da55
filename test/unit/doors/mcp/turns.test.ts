// Which calls of an outside agent are one turn, which is undone in one step.
import { expect, test } from "vitest";
import type { Caller } from "../../../../src/core/pipeline/pipeline.js";
import { Registry } from "../../../../src/core/registry.js";
import { ClientSession } from "../../../../src/doors/mcp/clientSession.js";
import { PipelineTools } from "../../../../src/doors/mcp/pipelineTools.js";

const OPTIONS = { client: "A", report: () => undefined, answerSize: 7_800 };
const MINUTE = 60_000;

/** A client whose calls note their turns. */
function openClient() {
  const callers: Pick<Caller, "turn" | "session">[] = [];
  const clock = { now: 1_000_000 };
  let finish = (): void => undefined;
  const session = new ClientSession(() => clock.now);
  const tools = new PipelineTools({
    session: session.id,
    pipeline: {
      available: () => [],
      meant: (name) => name,
      invoke: async (name, _, caller) => {
        callers.push(caller);
        if (name === "long") {
          await new Promise<void>((resolve) => (finish = resolve));
        }
        return { ok: true, text: "" };
      },
    },
    registry: new Registry([]),
    ...{
      folder: "/folder",
      shipped: [],
      isServed: () => true,
      results: undefined,
      planOnly: false,
      sendsData: false,
    },
    confirm: { ask: async () => "no" },
  });
  const call = (turn?: string, name = "short") =>
    session.during(turn, (number) =>
      tools.call(name, {}, { ...OPTIONS, turn: number, signal: new AbortController().signal }),
    );
  /** A letter for each call, the same within a turn. */
  const turns = (): string => {
    const ids = [...new Set(callers.map(({ turn }) => turn))];
    return callers.map(({ turn }) => "abcdefgh".charAt(ids.indexOf(turn))).join("");
  };
  return { call, turns, clock, finish: () => finish(), callers };
}

test("a turn ends after a minute without a call; all turns of a client are one session", async () => {
  const { call, turns, clock, finish, callers } = openClient();
  await call();
  clock.now += MINUTE;
  await call();
  clock.now += MINUTE + 1;
  await call();
  const long = call(undefined, "long");
  clock.now += 10 * MINUTE;
  // While one runs, the next belongs to it; and the pause begins when the last one ends.
  await call();
  finish();
  await long;
  clock.now += MINUTE;
  await call();
  expect(turns()).toBe("aabbbb");
  expect(new Set(callers.map(({ session }) => session)).size).toBe(1);
});

test("a client that tells its turn ends it by telling another, at once and not before", async () => {
  const { call, turns, clock } = openClient();
  await call("1");
  clock.now += 10 * MINUTE;
  await call("1");
  await call("2");
  // A call without an id belongs to what is at work.
  await call();
  await call("2");
  await call("3");
  expect(turns()).toBe("aabbbc");
});
