import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyedLock } from "../../../../src/features/changes/keyedLock.js";

describe("KeyedLock", () => {
  test("work of one key never overlaps and keeps its order; other keys do not wait", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()), { maxLength: 30 }),
        fc.scheduler(),
        async (jobs, scheduler) => {
          const lock = new KeyedLock();
          const running = new Map<string, number>();
          const order: Record<string, number[]> = { a: [], b: [], c: [] };
          const results = jobs.map(([key, fails], index) =>
            lock.run(key, async () => {
              running.set(key, (running.get(key) ?? 0) + 1);
              expect(running.get(key)).toBe(1);
              await scheduler.schedule(Promise.resolve());
              running.set(key, 0);
              order[key]?.push(index);
              if (fails) {
                throw new Error(`job ${index}`);
              }
              return index;
            }),
          );
          const settled = Promise.allSettled(results);
          await scheduler.waitFor(settled);
          expect(await settled).toEqual(
            jobs.map(([, fails], index) =>
              fails ? { status: "rejected", reason: new Error(`job ${index}`) } : { status: "fulfilled", value: index },
            ),
          );
          for (const key of ["a", "b", "c"]) {
            expect(order[key]).toEqual(jobs.flatMap(([other], index) => (other === key ? [index] : [])));
          }
        },
      ),
    );
  });

  test("a key that is stuck holds up no other", async () => {
    const lock = new KeyedLock();
    void lock.run("stuck", () => new Promise(() => undefined));
    expect(await lock.run("free", async () => 1)).toBe(1);
  });
});
