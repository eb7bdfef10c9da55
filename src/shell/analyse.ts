import type { ShellGrammar } from "../ports/shellGrammar.js";
import type { CommandAnalysis } from "./analysis.js";
import { Findings, type InnerProgram } from "./findings.js";
import { textDoubt } from "./words/programText.js";
import { walkProgram } from "./statements.js";

/**
 * How often a line is gone through while variables turn out to be set in other places, too. Whatever is left then is a
 * doubt.
 */
const MAX_ROUNDS = 4;

/**
 * What a line for bash would run, read and write, as far as its text proves it. Runs nothing. Whatever is not
 * understood is among
 * `doubts`, and so is a grammar that cannot be loaded: it never throws.
 *
 * @param program the line, or lines, as they are given to the shell
 * @param variables names of those that are set for it
 * @param exported names of those that it has in its environment anyway
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
    // What sets a variable may stand anywhere in the line: then nothing is taken for known that it holds.
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
      findings.doubt("the command is too complicated to be understood in time");
      return;
    }
    walkProgram({ ...context, text, root, findings }, folders);
  } catch (error) {
    findings.doubt(error instanceof Error ? error.message : "the command cannot be parsed");
  }
}
