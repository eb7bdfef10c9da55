import type { ShellGrammar } from "../ports/shellGrammar.js";
import type { CommandAnalysis } from "./analysis.js";
import { Findings, type InnerProgram } from "./findings.js";
import { textDoubt } from "./words/programText.js";
import { walkProgram } from "./statements.js";

/**
 * Maximum number of times a line is analyzed again because a variable turned out to be set in other places too.
 * Anything still unsettled is a doubt.
 */
const MAX_ROUNDS = 4;

/**
 * Returns what a line for bash would run, read and write, as far as its text proves it. Runs nothing. Anything not
 * understood is in `doubts`, even a grammar that cannot be loaded: it never throws.
 * @param program the line, or lines, as passed to the shell
 * @param variables names of variables set for this call
 * @param exported names of variables already in its environment
 */
export async function analyseCommand(
  program: string,
  grammar: ShellGrammar,
  variables: readonly string[] = [],
  exported: Iterable<string> = [],
): Promise<CommandAnalysis> {
  const environment = new Set(exported);
  const distrusted = new Set<string>();
  for (let round = 1; ; round++) {
    const findings = new Findings(environment, distrusted);
    variables.forEach((name) => findings.sets(name, true));
    await analyseProgram(
      { text: program, dialect: "bash", folders: ["."], wrappers: [], level: 0, place: findings.commands },
      grammar,
      findings,
    );
    for (let inner = findings.nextProgram(); inner !== undefined; inner = findings.nextProgram()) {
      await analyseProgram(inner, grammar, findings);
    }
    // A variable may be set anywhere in the line: its value then does not count as known.
    const unsettled = findings.unsettled();
    if (unsettled.length === 0 || round === MAX_ROUNDS) {
      return findings.finish();
    }
    unsettled.forEach((name) => distrusted.add(name));
  }
}

async function analyseProgram(
  { text, folders, ...context }: InnerProgram,
  grammar: ShellGrammar,
  findings: Findings,
): Promise<void> {
  const doubt = textDoubt(text);
  if (doubt !== undefined) {
    findings.doubt(doubt);
    return;
  }
  try {
    const root = await grammar.parse(text);
    if (root === undefined) {
      findings.doubt("the command is too complex to analyze in time");
      return;
    }
    walkProgram({ ...context, text, root, findings }, folders);
  } catch (error) {
    findings.doubt(error instanceof Error ? error.message : "the command cannot be parsed");
  }
}
