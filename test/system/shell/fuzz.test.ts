import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/analyse.js";
import type { CommandAnalysis } from "../../../src/shell/analysis.js";
import { grammar } from "./grammar.js";
import { randomProgram } from "./programs.js";
import { runPrograms, type Executed } from "./runPrograms.js";

/** More of them by hand: `TOOLHOST_FUZZ=20000 TOOLHOST_SEED=7 npx vitest …`. */
const COUNT = Number(process.env.TOOLHOST_FUZZ ?? 1_000);
const SEED = Number(process.env.TOOLHOST_SEED ?? 1) * 1_000_000;

/** Whether a command was reported with the words it was executed with; one that depends on the run stands for any. */
function isReported(executed: Executed, analysis: CommandAnalysis): boolean {
  return analysis.commands.some(
    ({ words: [name, ...words] }) =>
      name?.slice(name.lastIndexOf("/") + 1) === executed.name && covers(words, executed.args),
  );
}

function covers(words: readonly (string | undefined)[], args: readonly string[]): boolean {
  const [first, ...rest] = words;
  if (words.length === 0) {
    return args.length === 0;
  }
  if (first === undefined) {
    return covers(rest, args) || (args.length > 0 && covers(words, args.slice(1)));
  }
  return args[0] === first && covers(rest, args.slice(1));
}

describe.runIf(existsSync("/bin/bash") && existsSync("/usr/bin/timeout"))("random programs", () => {
  it("execute no command that was not reported", { timeout: 2_000_000 }, async () => {
    const programs = Array.from({ length: COUNT }, (_, index) => randomProgram(SEED + index));
    const executed = await runPrograms(programs);
    const missed: string[] = [];
    let sure = 0;
    let ran = 0;
    for (const [index, program] of programs.entries()) {
      const analysis = await analyseCommand(program, grammar);
      if (analysis.doubts.length > 0) {
        continue;
      }
      sure += 1;
      ran += executed[index]?.length ?? 0;
      for (const command of executed[index] ?? []) {
        if (!isReported(command, analysis)) {
          missed.push(
            `seed ${SEED + index}: ${JSON.stringify(program)} executed ${JSON.stringify([command.name, ...command.args])}; reported ${JSON.stringify(analysis.commands.map(({ words }) => words))}`,
          );
        }
      }
    }
    expect(missed.slice(0, 10)).toEqual([]);
    // Otherwise the test would say nothing.
    expect(sure).toBeGreaterThan(COUNT / 2);
    expect(ran).toBeGreaterThan(COUNT);
  });
});
