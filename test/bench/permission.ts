// Deciding on a command, from its text to the decision, in plain Node on a real folder: typical ones after the first,
// and those made to be slow. Writes its part of docs/benchmarks.md, and fails where the bar of issue 6 is missed.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { RecentActivity } from "../../src/core/pipeline/activity.js";
import { readRules } from "../../src/core/permission/rules/readRules.js";
import { Rules } from "../../src/core/permission/rules/book.js";
import { Pipeline } from "../../src/core/pipeline/pipeline.js";
import { Registry } from "../../src/core/registry.js";
import { NodeDisk } from "../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../src/hosts/node/disk/files.js";
import { WasmShellGrammar } from "../../src/hosts/node/shellGrammar.js";
import { openRoots } from "../../src/hosts/node/workspace.js";
import { tools } from "../../src/tools/index.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

const ROUNDS = 51;
/** Milliseconds, of the median. */
const TYPICAL_BAR = 2;
const SLOW_BAR = 400;

const typical: readonly [command: string, decision: string][] = [
  ["git status", "allow"],
  ["cat package.json | head -20", "allow"],
  ["npm test -- src/a.test.ts", "allow"],
  ["cd src && grep -n needle a.ts b.ts && git diff --stat", "allow"],
  ["for f in a b c; do echo $f; done; timeout 60 npm run build 2>&1 | tail -20", "ask"],
  ["rm -rf build && mkdir -p build/out", "ask"],
];

const slow: readonly [name: string, command: string][] = [
  ["1 MB", `echo ${"a".repeat(1_000_000)}`],
  ["90 kB of words", `mytool ${"a ".repeat(45_000)}`],
  ["90 kB of commands", "ls;".repeat(30_000)],
  ["90 kB of files", `cat ${Array.from({ length: 9_000 }, (_, at) => `src/${at}`).join(" ")}`],
  ["10,000 nested substitutions", `echo ${"$(".repeat(10_000)}x${")".repeat(10_000)}`],
  ["10,000 open quotes and brackets", `"(${"'\"({[".repeat(10_000)}`],
];

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
  try {
    for (const path of ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"]) {
      symlinkSync(join(repository, "node_modules", path), join(folder, path.slice(path.indexOf("/") + 1)));
    }
    writeFileSync(join(folder, "package.json"), "{}");
    return await measureAll(repository, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll(repository: string, folder: string): Promise<Tally> {
  const explain = openPipeline(folder);
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const check = (title: string, problem: string | undefined): void => {
    if (problem === undefined) {
      tally.passed++;
    } else {
      tally.failed++;
      tally.failures.push({ title, message: problem });
    }
  };
  const row = async (name: string, command: string, decision: string, bar: number, rounds: number): Promise<string> => {
    const given = await explain(command);
    check(`${name}: its decision`, given === decision ? undefined : `It is ${given}, not ${decision}.`);
    const milliseconds = await median(() => explain(command), rounds);
    check(`${name}: under ${bar} ms`, milliseconds < bar ? undefined : `It takes ${milliseconds.toFixed(1)} ms.`);
    return `| ${name} | ${decision} | ${milliseconds.toFixed(2)} ms | ${milliseconds < bar ? "held" : "**missed**"} |`;
  };
  const started = performance.now();
  await explain("ls");
  const first = performance.now() - started;
  const rows: string[] = [];
  for (const [command, decision] of typical) {
    rows.push(await row(`\`${command.replaceAll("|", "\\|")}\``, command, decision, TYPICAL_BAR, ROUNDS));
  }
  const slowRows: string[] = [];
  for (const [name, command] of slow) {
    slowRows.push(await row(name, command, "ask", SLOW_BAR, 5));
  }
  const part = [
    "## Permission of a command",
    "",
    `Plain Node ${process.versions.node}, ${cpus().length} cores: parse, judge, place on a real folder and decide, with a rule for \`npm test **\`.`,
    `Medians by the clock. The first command, which loads the grammar: ${first.toFixed(0)} ms by the clock.`,
    "",
    `### Typical commands after the first: each under ${TYPICAL_BAR} ms`,
    "",
    "| | decision | | |",
    "|---|---|---|---|",
    ...rows,
    "",
    `### Commands made to be slow: each under ${SLOW_BAR} ms`,
    "",
    "| | decision | | |",
    "|---|---|---|---|",
    ...slowRows,
  ].join("\n");
  console.log(part);
  writePart(repository, "permission", part);
  return tally;
}

function openPipeline(folder: string): (command: string) => Promise<string> {
  const registry = new Registry();
  tools.forEach((tool) => registry.register(tool));
  const rules = readRules(
    [{ tool: "exec", params: { command: "npm test **" }, decision: "allow" }],
    "settings",
    "rules",
    tools,
  );
  const pipeline = new Pipeline({
    registry,
    capabilities: { files: new NodeFiles(new NodeDisk(), openRoots(folder, undefined)) },
    settings: () => ({
      mode: "default",
      trusted: true,
      defaultTimeout: 30_000,
      timeoutSetBy: "a test",
      isGroupEnabled: () => true,
    }),
    rules: new Rules({ rules: () => rules, add: async () => undefined }, Date.now),
    grammar: new WasmShellGrammar(folder),
    activity: new RecentActivity(),
    now: Date.now,
  });
  const { signal } = new AbortController();
  return async (command) =>
    (await pipeline.explain("exec", { command }, { door: "api", session: "bench", signal, authority: "model" }))
      .decision;
}

/**
 * Milliseconds by the clock. Processor time would count V8's own threads, which go on translating the grammar's code
 * for a while.
 */
async function median(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}
