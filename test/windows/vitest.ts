// What the unit tests import as "vitest", under Node on Windows: Vitest's own parts that register, run and expect, without
// Vite, whose compiled parts would have to run there too.
import { mock } from "node:test";
import { getCurrentTest } from "@vitest/runner";
import { customMatchers, getState, JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from "@vitest/expect";
import { spyOn } from "@vitest/spy";
import * as chai from "chai";
import { poll } from "../harness/poll.js";

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, onTestFinished, test } from "@vitest/runner";

export const TestRunner = { getCurrentTest };

type Expectation = Record<string, (...expected: readonly unknown[]) => unknown>;

// They add to Chai's own `expect`.
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) {
  chai.use(plugin);
}

const named = (value: unknown, message?: string): unknown => chai.expect(value, message);

/** Looks again until what a function gives is as expected. Only the chains that tests use: `poll(f).toBe(…)`. */
const polled = (look: () => unknown): unknown =>
  new Proxy(
    {},
    {
      get:
        (_, matcher: string) =>
        (...expected: readonly unknown[]) =>
          poll("an expectation to hold", async () => {
            // Chai throws for a matcher that there is not.
            (chai.expect(await look()) as unknown as Expectation)[matcher]?.(...expected);
            return true;
          }),
    },
  );

export const expect = Object.assign(named, chai.expect, {
  poll: polled,
  unreachable: (message?: string): never => chai.assert.fail(`expected ${message ?? "this"} not to be reached`),
  getState: () => getState(expect as never),
  setState: (state: object) => setState(state, expect as never),
});

// Matchers that Vitest has beyond Jest's.
(chai.expect as unknown as { extend: (expect: object, matchers: object) => void }).extend(expect, customMatchers);

/** Of timers that set timers. */
const MAX_ROUNDS = 10;

const before = new Map<string, string | undefined>();

/** The parts of `vi` that unit tests use, but for what replaces modules. */
export const vi = {
  spyOn,
  stubEnv(name: string, value: string): void {
    if (!before.has(name)) {
      before.set(name, process.env[name]);
    }
    process.env[name] = value;
  },
  unstubAllEnvs(): void {
    for (const [name, value] of before) {
      if (value === undefined) {
        Reflect.deleteProperty(process.env, name);
      } else {
        process.env[name] = value;
      }
    }
    before.clear();
  },
  useFakeTimers({ toFake, now }: { toFake: ("Date" | "setTimeout")[]; now?: number }): void {
    mock.timers.enable({ apis: toFake, ...(now !== undefined && { now }) });
  },
  setSystemTime: (now: number): void => mock.timers.setTime(now),
  runAllTimers(): void {
    // Node runs those that wait now; those that they set are later than the last of them.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      mock.timers.runAll();
    }
  },
  useRealTimers: (): void => mock.timers.reset(),
};

/** Types are checked by the compiler: there is nothing to do when a test runs. */
export const expectTypeOf = (): unknown => new Proxy(() => undefined, { get: expectTypeOf, apply: expectTypeOf });
