// All tests, and those without windows: every stage runs, also after an earlier one failed.
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
  return report(sum([...tallies, await linting]));
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
