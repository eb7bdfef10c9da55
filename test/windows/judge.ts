// What the outcomes on Windows mean, with what is known not to work there.
import { sum, type Tally } from "../../scripts/tally.mjs";
import type { LeftOut } from "./leftOut.js";
import type { Outcome } from "./work.js";

/** Whether an entry of the list means a test. */
export const isOf = (entry: LeftOut, { file, title }: Outcome): boolean =>
  entry.file === file && (entry.titles?.test(title) ?? true);

/** Counts the tests, and lists what is left out. An entry of the list that is not needed is a failure. */
export function judge(outcomes: readonly Outcome[], leftOut: readonly LeftOut[]): Tally {
  const done = outcomes.filter(({ state }) => state === "passed" || state === "failed");
  const entryOf = (outcome: Outcome): LeftOut | undefined => leftOut.find((entry) => isOf(entry, outcome));
  const failures = done
    .filter((outcome) => outcome.state === "failed" && entryOf(outcome) === undefined)
    .map(({ file, title, message }) => ({ title: `${file} > ${title}`, message }));
  const needless: { title: string; message: string }[] = [];
  if (leftOut.length > 0) {
    console.log("\nLeft out (test/windows/leftOut.ts):");
  }
  for (const entry of leftOut) {
    const meant = done.filter((outcome) => entryOf(outcome) === entry);
    const passing = meant.filter(({ state }) => state === "passed");
    const name = entry.titles === undefined ? entry.file : `${entry.file} ${entry.titles.source}`;
    console.log(`  ${entry.untried ? "not tried" : `${meant.length - passing.length} failed`}: ${name}: ${entry.why}`);
    if (entry.untried) continue;
    const wrong =
      meant.length === 0
        ? "It names no test that ran."
        : passing.length > 0
          ? `These pass:\n${passing.map(({ title }) => title).join("\n")}`
          : undefined;
    if (wrong !== undefined) {
      needless.push({ title: `test/windows/leftOut.ts: ${name}`, message: `${wrong} Take it off the list.` });
    }
  }
  const passed = done.filter((outcome) => outcome.state === "passed" && entryOf(outcome) === undefined).length;
  const skipped = outcomes.filter(({ state }) => state === "skipped");
  const skippedIn = [...new Set(skipped.map(({ file }) => file))];
  return sum([
    { passed, failed: failures.length, skipped: skipped.length, skippedIn, failures },
    { passed: 0, failed: needless.length, skipped: 0, failures: needless },
  ]);
}
