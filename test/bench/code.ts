// Questions about a real project that the compiler has answered, by syntax alone, and what navigating costs beside grep and
// read. In plain Node. Writes its part of docs/benchmarks.md.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { findOtherProject, findProject } from "../../scripts/ensure-project.mjs";
import type { CreateToolhost, Toolhost } from "../../src/doors/library/types.js";
import { answeredPlaces, isRight, navigationTasks, questions, tokensOf } from "../harness/codeQuestions.js";
import { copyWithQuestions } from "../harness/searchQuestions.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

/** Least share of the questions that syntax answers as the compiler does. */
const SHARE_BAR = 0.3;
/** Tokens to those of grep and read, at most (issue 23). */
const TOKEN_BAR = 0.5;
/** Plain questions to code_search in each project, and how many of the first find their symbol among the first five, at least. */
const ASKED = 20;
const FOUND_BAR = 8;
const ASKED_OF_OTHER = 40;
/** Milliseconds until the index of the project is made, and for a later question, at most. */
const BUILD_BAR = 20_000;
const QUERY_BAR = 500;
/** Milliseconds that the line about a symbol adds to grep, at most. */
const LINE_BAR = 10;

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const { createToolhost } = createRequire(import.meta.url)(join(repository, "dist", "library.js")) as {
    createToolhost: CreateToolhost;
  };
  const state = mkdtempSync(join(tmpdir(), "toolhost-code-"));
  process.env["TOOLHOST_STATE"] = state;
  const toolhost = await createToolhost({ folder: findProject() });
  try {
    const share = await shareOf(toolhost);
    const tokens = await tokensOfTasks(toolhost);
    const search = await searchOf(createToolhost, findProject(), ASKED);
    const other = await searchOf(createToolhost, findOtherProject(), ASKED_OF_OTHER);
    const line = await lineOf(toolhost);
    hold(tally, `${search.found} of ${ASKED} questions in plain words find their symbol`, search.found >= FOUND_BAR);
    hold(tally, `the index is made in ${search.build} ms`, search.build <= BUILD_BAR);
    hold(tally, `a question takes ${search.query} ms`, search.query <= QUERY_BAR);
    hold(tally, `the line about a symbol costs grep ${line.toFixed(1)} ms`, line <= LINE_BAR);
    hold(
      tally,
      `syntax answers at least ${SHARE_BAR * 100} % as the compiler does`,
      share.right / share.total >= SHARE_BAR,
    );
    hold(
      tally,
      `tasks cost at most ${TOKEN_BAR}× the tokens of grep and read`,
      tokens.ours / tokens.theirs <= TOKEN_BAR,
    );
    writePart(
      repository,
      "code",
      `## Code by its symbols

${questions.length} questions about @theia/core 1.75.0 (553 files in TypeScript), with the answers of TypeScript's compiler: every reference,
implementation or caller, the definition behind a call, every declaration of a file. Each is one call. By VS Code's TypeScript server all
${questions.length} are right (\`test/integration/project\`); without a window, by syntax alone:

| | right |
|---|---|
${share.rows.join("\n")}

Ten tasks (\`navigationTasks\` in test/harness/codeQuestions.ts), in tokens of the answers, four characters each, by syntax on ${cpus().length} cores: one call of \`symbols\`, \`references\` or \`read\`
with \`symbol\`, beside \`grep\` for the name and \`read\` of the file that declares it.

| | Toolhost | grep and read | |
|---|---|---|---|
${tokens.rows.join("\n")}

\`code_search\` in the same project and in rxjs 7.8.2 (251 files), by which nothing was tuned: first sentences of comments of 6 to 20 words, evenly chosen from all
symbols that have one, and taken out of the files (test/harness/searchQuestions.ts). By words alone; what embeddings add is below.

| | @theia/core | rxjs |
|---|---|---|
| symbol among the first five | ${search.found} of ${ASKED} | ${other.found} of ${ASKED_OF_OTHER} |
| symbol first | ${search.first} of ${ASKED} | ${other.first} of ${ASKED_OF_OTHER} |
| first question, which makes the index | ${search.build} ms | ${other.build} ms |
| later question, median | ${search.query} ms | ${other.query} ms |
| memory that it takes | ${search.memory} MB | ${other.memory} MB |
| index on disk | ${search.disk} MB | ${other.disk} MB |

The line with which \`grep\` says where a plain name is declared costs ${line.toFixed(1)} ms, median of ${TIMES} searches, each beside one without it.

Held: in @theia/core at least ${FOUND_BAR} of ${ASKED} symbols found, and ${SHARE_BAR * 100} % right by syntax; ${BUILD_BAR / 1_000} s for the index, ${QUERY_BAR} ms for a question, ${LINE_BAR} ms for the line, and at most ${TOKEN_BAR}× the tokens of grep and read; it is ${(tokens.ours / tokens.theirs).toFixed(2)}×.
`,
    );
  } finally {
    await toolhost.dispose();
    rmSync(state, { recursive: true, force: true });
  }
  return tally;
}

async function shareOf(toolhost: Toolhost): Promise<{ right: number; total: number; rows: string[] }> {
  const kinds = new Map<string, { right: number; total: number }>();
  for (const question of questions) {
    const kind =
      question.tool === "symbols"
        ? "outline"
        : typeof question.input["kind"] === "string"
          ? question.input["kind"]
          : "references";
    const outcome = await toolhost.invoke(question.tool, { ...question.input, limit: 1_000 });
    const counted = kinds.get(kind) ?? { right: 0, total: 0 };
    counted.total++;
    counted.right += outcome.ok && isRight(question, answeredPlaces(outcome.data)) ? 1 : 0;
    kinds.set(kind, counted);
  }
  const all = [...kinds.values()];
  const [right, total] = [all.reduce((sum, each) => sum + each.right, 0), questions.length];
  const rows = [...kinds].map(([kind, each]) => `| ${kind} | ${each.right} of ${each.total} |`);
  return { right, total, rows: [...rows, `| all | ${right} of ${total} (${Math.round((100 * right) / total)} %) |`] };
}

async function tokensOfTasks(toolhost: Toolhost): Promise<{ ours: number; theirs: number; rows: string[] }> {
  const rows: string[] = [];
  let [ours, theirs] = [0, 0];
  for (const task of navigationTasks) {
    const one = await tokensOf(task.ours, (tool, input) => toolhost.invoke(tool, input));
    const other = await tokensOf(task.theirs, (tool, input) => toolhost.invoke(tool, input));
    ours += one;
    theirs += other;
    rows.push(`| ${task.title} | ${one} | ${other} | ${(one / other).toFixed(2)}× |`);
  }
  return { ours, theirs, rows: [...rows, `| all | ${ours} | ${theirs} | ${(ours / theirs).toFixed(2)}× |`] };
}

interface SearchFigures {
  found: number;
  first: number;
  build: number;
  query: number;
  memory: number;
  disk: number;
}

/** Asks code_search in a project whose comments do not have the questions. */
async function searchOf(createToolhost: CreateToolhost, project: string, asked: number): Promise<SearchFigures> {
  const copy = mkdtempSync(join(tmpdir(), "toolhost-search-"));
  const questionsOf = await copyWithQuestions(project, copy, asked);
  const onDisk = diskOfIndexes();
  const toolhost = await createToolhost({ folder: copy });
  try {
    const before = process.memoryUsage().rss;
    const [build] = await timed(() => toolhost.invoke("code_search", { query: "anything" }));
    const memory = process.memoryUsage().rss - before;
    const times: number[] = [];
    let [found, first] = [0, 0];
    for (const { query, path, symbol } of questionsOf) {
      const [time, outcome] = await timed(() => toolhost.invoke("code_search", { query, limit: 5 }));
      times.push(time);
      const hits = outcome.ok ? (outcome.data as { hits: { path: string; symbol: string }[] }).hits : [];
      const place = hits.findIndex((hit) => hit.path === path && hit.symbol.split(", ").includes(symbol));
      found += place >= 0 ? 1 : 0;
      first += place === 0 ? 1 : 0;
    }
    const disk = diskOfIndexes() - onDisk;
    const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
    return {
      ...{ found, first, build: Math.round(build), query: Math.round(median(times)) },
      ...{ memory: megabytes(memory), disk: megabytes(disk) },
    };
  } finally {
    await toolhost.dispose();
    rmSync(copy, { recursive: true, force: true });
  }
}

function diskOfIndexes(): number {
  const state = process.env["TOOLHOST_STATE"] ?? "";
  return readdirSync(state, { recursive: true })
    .map(String)
    .filter((name) => name.includes("code-2.db"))
    .reduce((sum, name) => sum + statSync(join(state, name)).size, 0);
}

/** How often a search is measured. */
const TIMES = 20;

/** Returns by how many milliseconds a search for a plain name is slower than one for the same text that is no plain name. */
async function lineOf(toolhost: Toolhost): Promise<number> {
  const differences: number[] = [];
  for (let left = TIMES; left > 0; left--) {
    const [withLine] = await timed(() => toolhost.invoke("grep", { pattern: "CommandRegistry", path: "src" }));
    const [without] = await timed(() => toolhost.invoke("grep", { pattern: "(?:CommandRegistry)", path: "src" }));
    differences.push(withLine - without);
  }
  return median(differences);
}

async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, value: T]> {
  const start = performance.now();
  const value = await work();
  return [performance.now() - start, value];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function hold(tally: Tally, title: string, isHeld: boolean): void {
  console.log(`${isHeld ? "✓" : "✗"} ${title}`);
  if (isHeld) {
    tally.passed++;
  } else {
    tally.failed++;
    tally.failures.push({ title, message: "it is not" });
  }
}
