// What query takes to sort 100,000 rows, in the process of its own that evaluates an expression. In plain Node. Writes its
// part of docs/benchmarks.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { LIMITS, ProcessExpressions } from "../../src/hosts/node/jsonata/expressions.js";
import { MOST_HELD_KB } from "../harness/mostHeld.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROWS = 100_000;
const ROUNDS = 5;
/** Milliseconds of processor time of the process: its start, the text, the result. */
const TIME_BAR = 1_000;
/** Megabytes that the process took at its peak. */
const MEMORY_BAR = 300;

const CASES = [
  { name: "read alone", expression: "$count($)" },
  { name: "sorted by a number, the first ten", expression: "$^(>id)[[0..9]].id" },
  { name: "sorted by a text, then a number", expression: "$^(name, >id)[[0..9]].id" },
  { name: "sorted by `$sort` with a function", expression: "$sort($, function($a, $b) { $a.id < $b.id })[[0..9]].id" },
];

/** Milliseconds and megabytes. */
interface Took {
  clock: number;
  processor: number;
  memory: number;
}

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const folder = mkdtempSync(join(tmpdir(), "toolhost-sort-"));
  const tookFile = join(folder, "took.json");
  // The bundled worker, which also says what it took.
  writeFileSync(
    join(folder, "jsonata-worker.js"),
    `const send = process.send.bind(process);
process.send = (...message) => {
  require("node:fs").writeFileSync(${JSON.stringify(tookFile)}, JSON.stringify({ ...process.resourceUsage(), held: ${MOST_HELD_KB} }));
  return send(...message);
};
require(${JSON.stringify(join(repository, "dist", "jsonata-worker.js"))});
`,
  );
  const text = JSON.stringify(
    Array.from({ length: ROWS }, (_, index) => {
      const id = (index * 7_919) % 100_003;
      return { id, name: `name ${id % 1_000}`, note: "a few words" };
    }),
  );
  const expressions = new ProcessExpressions(folder, { evaluation: 10 * LIMITS.evaluation });
  const rows: string[] = [];
  try {
    for (const { name, expression } of CASES) {
      const took: Took[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const before = performance.now();
        await expressions.evaluate(expression, { text, format: "json" }, new AbortController().signal);
        const clock = performance.now() - before;
        const { userCPUTime, systemCPUTime, held } = JSON.parse(
          readFileSync(tookFile, "utf8"),
        ) as NodeJS.ResourceUsage & { held: number };
        took.push({ clock, processor: (userCPUTime + systemCPUTime) / 1_000, memory: held / 1_024 });
      }
      const clock = median(took.map((each) => each.clock));
      const time = median(took.map((each) => each.processor));
      const peak = Math.round(Math.max(...took.map(({ memory }) => memory)));
      rows.push(`| ${name} | \`${expression}\` | ${time} ms | ${clock} ms | ${peak} MB |`);
      if (time < TIME_BAR && peak < MEMORY_BAR) {
        tally.passed++;
      } else {
        tally.failed++;
        tally.failures.push({ title: `sort: ${name}`, message: `It took ${time} ms and ${peak} MB.` });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const part = [
    "## Sorting in query",
    "",
    `${ROWS.toLocaleString("en")} rows, ${(text.length / 1e6).toFixed(1)} MB of JSON, in a process of its own that is started for each expression: medians of ${ROUNDS}, and the most memory that the process took.`,
    `On ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, load ${loadavg()[0]?.toFixed(1)}. The bars: ${TIME_BAR} ms of the processor and ${MEMORY_BAR} MB.`,
    "",
    "| | expression | processor | clock | memory |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
  console.log(part);
  writePart(repository, "sort", part);
  return tally;
}

function median(numbers: readonly number[]): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0);
}
