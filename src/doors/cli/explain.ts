import { Option, type Command } from "commander";
import type { Explanation } from "../../core/permission/explain.js";
import { PERMISSION_MODES, type PermissionMode } from "../../core/permission/modes.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import { errorText, type OutcomeError } from "../../core/outcome.js";
import { messageOf } from "../../text/words.js";

/** In which state of the world a call is explained. */
export interface ExplainOptions {
  mode: PermissionMode;
  trusted: boolean;
  /** Rules beside the defaults, as JSON gave them, and the name of their file; undefined for none. */
  rules: { value: unknown; place: string } | undefined;
}

type Explained = { ok: true; explanation: Explanation } | { ok: false; error: OutcomeError };

/** Explains calls, one after another. */
export interface Explainer {
  /** What is wrong with the rules, a line each with its place. */
  problems: readonly string[];
  explain(tool: string, input: unknown): Promise<Explained>;
}

/** What the command needs of the command line. */
export interface ExplainDoor {
  open(options: ExplainOptions): Explainer;
  /** Reads `--input` as the other commands do: `-` is standard input, `@file` a file. */
  readInput(given: string): Promise<string>;
  readStdin(): Promise<string>;
  /** Throws what the command line says of a wrong option. */
  parseJson(option: string, text: string): unknown;
  readFile(option: string, path: string): Promise<string>;
  out(text: string): void;
  err(text: string): void;
  /** Whether every call could be explained. */
  finish(ok: boolean): void;
}

/** `toolhost explain`: what permission would say of a call, and why. Runs nothing. */
export function addExplainCommand(program: Command, door: ExplainDoor): void {
  program
    .command("explain <tool>")
    .description(
      "tell whether a call would be allowed, asked about or denied, and why, as for a model's call in VS Code; runs nothing",
    )
    .option("--input <json>", "the input; - reads it from standard input, @file from a file", "{}")
    .addOption(
      new Option(
        "--stdin",
        "explain every line of standard input, a JSON input each, and answer a line each",
      ).conflicts("input"),
    )
    .option("--rules <file>", "a JSON array of rules, added to the defaults")
    .addOption(new Option("--mode <mode>", "the permission mode").choices([...PERMISSION_MODES]).default("default"))
    .option("--untrusted", "as in a workspace that is not trusted")
    .option("--json", "print {decision, rule, reasons} as one line of JSON")
    .action(async (tool: string, options: Given) => {
      const explainer = door.open(await readOptions(door, options));
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
    const answer = await explainer.explain(tool, door.parseJson("--input", await door.readInput(input)));
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

/** A line that is no JSON answers with its error, on its line. */
async function explainLine(explainer: Explainer, tool: string, line: string): Promise<Explained> {
  let input: unknown;
  try {
    input = JSON.parse(line);
  } catch (error) {
    return {
      ok: false,
      error: {
        type: "invalid_input",
        message: `the line is no JSON: ${messageOf(error)}`,
      },
    };
  }
  return explainer.explain(tool, input);
}

function answerJson(answer: Explained, { problems }: Explainer): string {
  if (!answer.ok) {
    return JSON.stringify({ error: answer.error });
  }
  const { decision, rule, reasons } = answer.explanation;
  return JSON.stringify({ decision, rule: rule === "" ? null : rule, reasons: [...reasons, ...problems] });
}

function answerText({ decision, rule, reasons, derived }: Explanation): string {
  return [
    `${decision} (${rule})`,
    ...reasons.map((reason) => `- ${reason}`),
    ...(derived.length === 0 ? [] : [`A rule that would allow it from now on: ${derived.map(ruleWords).join(", ")}`]),
  ].join("\n");
}
