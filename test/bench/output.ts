// What a model is shown of long outputs: the recorded ones of test/fixtures/output, cut to head and tail as before, and
// with their failures kept as now. Writes its part of docs/benchmarks.md, and fails where a failure is not shown.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { FOREGROUND_ANSWER } from "../../src/features/processes/limits.js";
import { OutputDigest } from "../../src/text/output/digest.js";
import { countLineFeeds } from "../../src/text/splitLines.js";
import { joinEnds } from "../../src/text/terminal/ends.js";
import { ENOUGH_OF_FAILURE } from "../../src/features/processes/shownOutput.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

/** Characters of head and tail that an answer had before answers had budgets. */
const BEFORE = 100_000;
/** Characters per token, about right for English and code. */
const PER_TOKEN = 4;

type Failure = Readonly<Record<"name" | "message" | "place", string>>;

export function runBench({ repository }: { repository: string }): Tally {
  const folder = join(repository, "test/fixtures/output");
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const rows: string[] = [];
  const sums = { before: 0, now: 0 };
  for (const file of readdirSync(folder).filter((each) => each.endsWith(".txt.gz"))) {
    const name = file.slice(0, -".txt.gz".length);
    const text = gunzipSync(readFileSync(join(folder, file))).toString("utf8");
    const failures = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Failure[];
    const keptIn = (shown: string): number =>
      failures.filter((failure) => [failure.name, failure.message, failure.place].every((part) => shown.includes(part)))
        .length;
    const digest = new OutputDigest(FOREGROUND_ANSWER);
    digest.push(text);
    const before =
      text.length <= BEFORE
        ? text
        : joinEnds({ head: text, tail: text, characters: text.length, lineEnds: countLineFeeds(text) }, BEFORE).text;
    const now = digest.end({ known: ENOUGH_OF_FAILURE, other: FOREGROUND_ANSWER })?.text ?? "";
    sums.before += before.length;
    sums.now += now.length;
    rows.push(
      `| ${name} | ${(text.length / 1e6).toFixed(1)} MB | ${tokens(before)} | ${tokens(now)} | ${keptIn(before)} of ${failures.length} | ${keptIn(now)} of ${failures.length} |`,
    );
    if (keptIn(now) === failures.length) {
      tally.passed++;
    } else {
      tally.failed++;
      tally.failures.push({
        title: `output: ${name}`,
        message: `Only ${keptIn(now)} of ${failures.length} are shown.`,
      });
    }
  }
  const part = [
    "## What a model sees of a long output",
    "",
    `Recorded outputs of real runners (test/fixtures/output). Before: ${BEFORE} characters of head and tail. Now: what fails, at most ${FOREGROUND_ANSWER}, and ${ENOUGH_OF_FAILURE} with what is beside it.`,
    `Tokens are characters / ${PER_TOKEN}. A failure counts as shown with its name, message and place. In all, now takes ${(sums.now / sums.before).toFixed(2)}× the tokens.`,
    "",
    "| output | whole | tokens before | now | failures shown before | now |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
  console.log(part);
  writePart(repository, "output", part);
  return tally;
}

function tokens(text: string): string {
  return Math.round(text.length / PER_TOKEN).toLocaleString("en");
}
