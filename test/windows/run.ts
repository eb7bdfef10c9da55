// `npm run windows`: the unit tests under Node for Windows, by wine.
import { globSync } from "node:fs";
import { join } from "node:path";
import { folder, windowsPath } from "../../scripts/windows/ensure-wine.mjs";
import { oneFailed, sum, type Tally } from "../../scripts/tally.mjs";
import { bundleTests } from "./bundle.js";
import { leftOut } from "./leftOut.js";
import { isOf, judge } from "./judge.js";
import { runFiles } from "./runFiles.js";
import { judgeSelf, SELF } from "./self/judgeSelf.js";
import type { Outcome } from "./work.js";

// Limits for what hangs, not for what is slow on a busy machine.
const TEST_MS = 60_000;
/** More than a test may take, with its hooks. */
const SILENCE_MS = 240_000;
/** The same for the tests of the runner itself, some of which hang. */
const [SELF_TEST_MS, SELF_SILENCE_MS] = [2_000, 40_000];

interface Options {
  readonly repository: string;
  /** Parts of the paths of the files that are wanted; none for all. */
  readonly files: readonly string[];
  /** A regular expression for the titles of the tests that are wanted. */
  readonly name: string | undefined;
}

/** Tries the runner with tests that are to fail, then runs the unit tests. */
export async function runWindows({ repository, files: parts, name }: Options): Promise<Tally> {
  const wanted = (file: string): boolean => parts.length === 0 || parts.some((part) => file.includes(part));
  const files = globSync("test/unit/**/*.test.ts", { cwd: repository }).filter(wanted).toSorted();
  // Each in a process of its own.
  const rooms = [...new Set(files.map((file) => file.split("/")[2] ?? ""))];
  if (files.length === 0) {
    return oneFailed("windows", `No file of tests that run there has ${parts.join(" or ")} in its path.`);
  }
  const never = new Set(leftOut.flatMap(({ file, titles, untried }) => (titles || !untried ? [] : [file])));
  const bundles = join(folder, "bundles");
  const built = await bundleTests(repository, bundles, [...files, ...SELF, "test/windows/program.ts"]);
  const run = (
    some: readonly string[],
    { silence, ...options }: { name?: string | undefined; patience: number; silence: number },
  ): Promise<readonly Outcome[]> => {
    const work = {
      root: windowsPath(repository),
      bundles: windowsPath(bundles),
      files: Object.fromEntries(some.map((file) => [file, built[file] ?? ""])),
      untried: leftOut.flatMap(({ file, titles, untried }) =>
        titles && untried ? [{ file, titles: titles.source }] : [],
      ),
      ...options,
    };
    return runFiles(work, silence);
  };
  const self = judgeSelf(await run(SELF, { patience: SELF_TEST_MS, silence: SELF_SILENCE_MS }));
  const outcomes: Outcome[] = [];
  for (const room of rooms) {
    const ofRoom = files.filter((file) => file.startsWith(`test/unit/${room}/`) && !never.has(file));
    if (ofRoom.length > 0) {
      const started = Date.now();
      const become = await run(ofRoom, { name, patience: TEST_MS, silence: SILENCE_MS });
      outcomes.push(...become);
      const passed = become.filter(({ state }) => state === "passed").length;
      console.log(`  ${room}: ${passed} passed (${((Date.now() - started) / 1000).toFixed(0)} s)`);
    }
  }
  return sum([
    self,
    judge(
      outcomes,
      leftOut.filter(
        (entry) => wanted(entry.file) && (name === undefined || outcomes.some((each) => isOf(entry, each))),
      ),
    ),
  ]);
}
