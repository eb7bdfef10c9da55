import { Option, type Command } from "commander";
import type { Explanation } from "../../core/permission/explain.js";
import { PERMISSION_MODES, type PermissionMode } from "../../core/permission/modes.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import { errorText, type OutcomeError } from "../../core/outcome.js";
import { messageOf } from "../../text/words.js";

/** The circumstances in which to explain a call. */
export interface ExplainOptions {
  mode: PermissionMode;
  trusted: boolean;
  /** Rules in addition to the defaults, as parsed JSON, and the name of their file; undefined for none. */
  rules: { value: unknown; place: string } | undefined;
}

type Explained = { ok: true; explanation: Explanation } | { ok: false; error: OutcomeError };

/** Explains calls, one after another. */
export interface Explainer {
  /** Problems with the rules, each as a line with its place. */
  problems: readonly string[];
  explain(tool: string, input: unknown): Promise<Explained>;
}

/** What the command needs from the command line. */
export interface ExplainDoor {
  open(options: ExplainOptions): Promise<Explainer>;
  /** Reads `--input` as other commands do: `-` is standard input, `@file` a file. */
  readInput(given: string): Promise<string>;
  readStdin(): Promise<string>;
  /** Parses `--input`, and prints what was repaired in it. Throws the command line's error for a wrong option. */
  parseInput(text: string): unknown;
  /** Throws the command line's error for a wrong option. */
  parseJson(option: string, text: string): unknown;
  readFile(option: string, path: string): Promise<string>;
  out(text: string): void;
  err(text: string): void;
  /** @param ok whether every call could be explained */
  finish(ok: boolean): void;
}

/** Adds `toolhost explain`: shows whether a call would be permitted, and why. Runs nothing. */
export function addExplainCommand(program: Command, door: ExplainDoor): void {
  program
    .command("explain <tool>")
    .description(
      "show whether a model's call in VS Code would be allowed, asked about or denied, and why; runs nothing",
    )
    .option("--input <json>", "the input; - reads it from standard input, @file from a file", "{}")
    .addOption(
      new Option("--stdin", "explain each line of standard input, a JSON input, with a line of output").conflicts(
        "input",
      ),
    )
    .option("--rules <file>", "a JSON array of rules, added to the defaults")
    .addOption(new Option("--mode <mode>", "the permission mode").choices([...PERMISSION_MODES]).default("default"))
    .option("--untrusted", "as in an untrusted workspace")
    .option("--json", "print {decision, rule, reasons, would_allow} as one line of JSON")
    .action(async (tool: string, options: Given) => {
      const explainer = await door.open(await readOptions(door, options));
      explainer.problems.forEach((problem) => door.err(`toolhost: ${problem}`));
      const answers = await explainAll(door, explainer, tool, options);
      door.finish(answers.every(({ ok }) => ok));
    });
}

interface Given {
  input: string;
  stdin?: boolean;
  rules?: string;
  mode: PermissionMode;
  untrusted?: boolean;
  json?: boolean;
}

async function readOptions(door: ExplainDoor, { mode, untrusted, rules }: Given): Promise<ExplainOptions> {
  const value =
    rules === undefined
      ? undefined
      : { value: door.parseJson(`--rules ${rules}`, await door.readFile(`--rules ${rules}`, rules)), place: rules };
  return { mode, trusted: untrusted !== true, rules: value };
}

async function explainAll(
  door: ExplainDoor,
  explainer: Explainer,
  tool: string,
  { input, stdin, json }: Given,
): Promise<Explained[]> {
  const print = (answer: Explained): void => {
    if (json === true || stdin === true) {
      door.out(answerJson(answer, explainer));
    } else if (answer.ok) {
      door.out(answerText(answer.explanation));
    } else {
      door.err(errorText(answer.error));
    }
  };
  if (stdin !== true) {
    const answer = await explainer.explain(tool, door.parseInput(await door.readInput(input)));
    print(answer);
    return [answer];
  }
  const lines = (await door.readStdin()).replace(/\r?\n$/, "").split(/\r?\n/);
  const answers: Explained[] = [];
  for (const line of lines) {
    const answer = await explainLine(explainer, tool, line);
    print(answer);
    answers.push(answer);
  }
  return answers;
}

/** Explains one line. If it is not JSON, its answer is the error. */
async function explainLine(explainer: Explainer, tool: string, line: string): Promise<Explained> {
  let input: unknown;
  try {
    input = JSON.parse(line);
  } catch (error) {
    return {
      ok: false,
      error: {
        type: "invalid_input",
        message: `the line is not JSON: ${messageOf(error)}`,
      },
    };
  }
  return explainer.explain(tool, input);
}

function answerJson(answer: Explained, { problems }: Explainer): string {
  if (!answer.ok) {
    return JSON.stringify({ error: answer.error });
  }
  const { decision, rule, reasons, derived } = answer.explanation;
  return JSON.stringify({
    decision,
    rule: rule === "" ? null : rule,
    reasons: [...reasons, ...problems],
    ...(derived.length > 0 && { would_allow: derived }),
  });
}

function answerText({ decision, rule, reasons, derived }: Explanation): string {
  return [
    `${decision} (${rule})`,
    ...reasons.map((reason) => `- ${reason}`),
    ...(derived.length === 0 ? [] : [`A rule that would allow it: ${derived.map(ruleWords).join(", ")}`]),
  ].join("\n");
}
