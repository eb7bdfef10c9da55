// All tests, and those without windows: every stage runs, also after an earlier one failed.
import { ensureWine } from "./windows/ensure-wine.mjs";
import {
  build,
  deadCode,
  e2e,
  format,
  integration,
  lint,
  manifest,
  typecheck,
  unit,
  unitAndSystem,
  windows,
} from "./stages.mjs";
import { oneFailed, report, sum } from "./tally.mjs";

/** @returns {Promise<number>} the exit code */
export async function testAll() {
  const built = await build();
  // Side by side: each keeps one core busy. Lint takes longest: the tests begin on the core that the others leave.
  const linting = lint();
  const checks = await Promise.all([
    typecheck(),
    manifest().then(async (tally) => sum([tally, await format(), await deadCode()])),
  ]);
  const tallies = [built, ...checks];
  if (built.failed > 0) {
    tallies.push(
      await unitAndSystem(),
      oneFailed("integration", "not run, since the build failed"),
      oneFailed("e2e", "not run, since the build failed"),
    );
  } else {
    // A window waits most of its time, and tests in Node keep both cores busy: one after the other takes minutes more.
    tallies.push(...(await Promise.all([unitAndSystem(), integration()])), await e2e());
  }
  if (process.env.TOOLHOST_TEST_WINDOWS === "1") {
    tallies.push(await someOfWindows());
  }
  return report(sum([...tallies, await linting]));
}

/** The part of `npm run windows` that CI runs: what depends most on how a system writes texts and paths. */
const IN_CI = ["test/unit/text", "test/unit/core/paths"];

/**
 * Some tests under Node for Windows, where the machine has wine or can install it; otherwise it says that they are left
 * out, and why.
 *
 * @returns {Promise<import("./tally.mjs").Tally>}
 */
async function someOfWindows() {
  const leftOut = (/** @type {string} */ why) => {
    console.log(`\nwindows: left out. ${why}`);
    return sum([]);
  };
  try {
    await ensureWine();
  } catch (error) {
    return leftOut(error instanceof Error ? error.message : String(error));
  }
  const tally = await windows({ files: IN_CI, name: undefined });
  return tally.failures.some(({ title }) => title.startsWith("test/windows/self/"))
    ? leftOut("Wine does not run the runner's own tests on this machine.")
    : tally;
}

/**
 * What one runs all day: checks of what changed since the last time, and all unit tests. `npm test` checks everything.
 *
 * @returns {Promise<number>} the exit code
 */
export async function checkAll() {
  const built = await build();
  const linting = lint();
  const checks = [await typecheck({ isIncremental: true }), await manifest(), await format(), await deadCode()];
  return report(sum([built, ...checks, await unit(), await linting]));
}
