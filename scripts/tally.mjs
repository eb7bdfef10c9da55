// Counting tests over stages.

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} [skippedIn] the test files that left tests out, where the stage knows them
 * @property {{ title: string, message: string }[]} failures
 */

/** @returns {Tally} one test that passed */
export function onePassed() {
  return { passed: 1, failed: 0, skipped: 0, failures: [] };
}

/**
 * @param {string} title
 * @param {string} message
 * @returns {Tally} one test that failed
 */
export function oneFailed(title, message) {
  return { passed: 0, failed: 1, skipped: 0, failures: [{ title, message }] };
}

/**
 * @param {string} stage
 * @param {Tally} tally
 * @returns {Tally} the same; a stage that ran nothing has failed, else a broken runner would look like success
 */
export function refuseNothing(stage, tally) {
  return tally.passed + tally.failed > 0 ? tally : oneFailed(stage, "ran no tests");
}

/** @param {Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  return {
    passed: tallies.reduce((total, tally) => total + tally.passed, 0),
    failed: tallies.reduce((total, tally) => total + tally.failed, 0),
    skipped: tallies.reduce((total, tally) => total + tally.skipped, 0),
    skippedIn: tallies.flatMap((tally) => tally.skippedIn ?? []),
    failures: tallies.flatMap((tally) => tally.failures),
  };
}

/** Failure messages in the summary are cut here; the stage's own output above has all of it. */
const SUMMARY_LINES = 12;

/**
 * Prints the failures and the files that left tests out, then `N passed, N failed` alone on the last line.
 * @param {Tally} tally
 * @returns {number} the exit code
 */
export function report(tally) {
  if (tally.failures.length > 0) console.log("\nFailures:");
  for (const { title, message } of tally.failures) {
    // Frames of the test runner say nothing about the failure.
    const lines = message
      .trim()
      .split("\n")
      .filter((line) => !/^\s*at .*node_modules/.test(line));
    console.log(
      `\n✗ ${title}\n${lines
        .slice(0, SUMMARY_LINES)
        .map((line) => `    ${line}`)
        .join("\n")}`,
    );
    if (lines.length > SUMMARY_LINES) console.log(`    … ${lines.length - SUMMARY_LINES} more lines above`);
  }
  if (tally.skipped > 0) {
    console.log(`\n${tally.skipped} skipped`);
    for (const file of tally.skippedIn ?? []) console.log(`  ${file}`);
  }
  console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
  return tally.failed > 0 ? 1 : 0;
}
