// Questions about a real project that the compiler has answered, by syntax alone, and what navigating costs beside grep and
// read. In plain Node. Writes its part of docs/benchmarks.md.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { findProject } from "../../scripts/ensure-project.mjs";
import type { CreateToolhost, Toolhost } from "../../src/doors/library/types.js";
import { answeredPlaces, isRight, navigationTasks, questions, tokensOf } from "../harness/codeQuestions.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

/** Least share of the questions that syntax answers as the compiler does. */
const SHARE_BAR = 0.3;
/** Tokens to those of grep and read, at most. */
const TOKEN_BAR = 0.5;

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

Held: at most ${TOKEN_BAR}× the tokens of grep and read; it is ${(tokens.ours / tokens.theirs).toFixed(2)}×.
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

function hold(tally: Tally, title: string, isHeld: boolean): void {
  console.log(`${isHeld ? "✓" : "✗"} ${title}`);
  if (isHeld) {
    tally.passed++;
  } else {
    tally.failed++;
    tally.failures.push({ title, message: "it is not" });
  }
}
