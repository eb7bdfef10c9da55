// The tests of the runner itself: that what must fail fails, so that what passes says something.
import { oneFailed, sum, type Tally } from "../../../scripts/tally.mjs";
import type { Outcome } from "../work.js";

/** How many tests each file has that pass and that fail. Those that follow one that breaks off are neither. */
const EXPECTED: Readonly<Record<string, readonly [passed: number, failed: number]>> = {
  "test/windows/self/expect.ts": [18, 24],
  "test/windows/self/hooks.ts": [8, 5],
  "test/windows/self/load.ts": [0, 1],
  "test/windows/self/none.ts": [0, 1],
  "test/windows/self/hang.ts": [1, 1],
  "test/windows/self/exit.ts": [1, 1],
  "test/windows/self/after.ts": [1, 0],
};

export const SELF: readonly string[] = Object.keys(EXPECTED);

/** The last word of a title says it; a file has none, and what follows a test or breaks off in it fails. */
const mustFail = (title: string): boolean =>
  /\((?:afterwards|broken off)\)$/.test(title) || /.*\b(fails|passes): /.exec(title)?.[1] !== "passes";

/** Gives a failure for each test that did not become what its title says. What did counts as nothing. */
export function judgeSelf(outcomes: readonly Outcome[]): Tally {
  const done = outcomes.filter(({ state }) => state === "passed" || state === "failed");
  const wrong = done
    .filter(({ state, title }) => (state === "failed") !== mustFail(title))
    .map(({ file, title, state, message }) => oneFailed(`${file} > ${title}`, `It ${state} here.\n${message}`));
  const miscounted = Object.entries(EXPECTED).flatMap(([file, expected]) => {
    const count = (state: string): number => done.filter((each) => each.file === file && each.state === state).length;
    const counted = [count("passed"), count("failed")];
    return counted.join() === expected.join()
      ? []
      : [
          oneFailed(
            file,
            `It has tests that pass and that fail: ${expected.join(" and ")}, but here ${counted.join(" and ")}.`,
          ),
        ];
  });
  console.log(`  the runner itself: ${done.length - wrong.length} of its own tests passed and failed as they should`);
  return sum([...wrong, ...miscounted]);
}
