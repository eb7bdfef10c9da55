// The questions about a tool that runs a command, and its entry.
import { splitCommandLine } from "../../../text/commandLine.js";
import { FREE_ARGUMENTS, switchParameters, usedParameters, type Argument } from "../template.js";
import type { Answers, Question } from "./question.js";

/** An entry as it is written into a file: its fields in the order in which people read them. */
export type WrittenEntry = Record<string, unknown>;

/** Returns what is wrong with a field of an entry, as a sentence. */
export type FieldCheck = (field: string, value: unknown) => string | undefined;

const TYPES = [
  { value: "string", label: "Text" },
  { value: "integer", label: "Whole number" },
  { value: "number", label: "Number" },
  { value: "list", label: "Several texts", description: "its argument repeats for each" },
  { value: "choice", label: "One of some values", description: "which you list next" },
];

const EXTRAS = [
  { value: "read-only", label: "It only reads", description: "whatever its input; then it runs without a question" },
  { value: "cwd", label: "Another folder", description: "to run in; otherwise the workspace folder" },
  { value: "secrets", label: "Secrets", description: "as environment variables; you set their values later" },
  { value: "timeout", label: "Time limit", description: "in seconds; otherwise 1,800" },
];

const VARIABLE = /^[A-Za-z_]\w*(?:=[A-Za-z_]\w{0,63})?$/;

export function lineQuestion(check: FieldCheck): Question {
  return {
    key: "line",
    kind: "text",
    prompt: "The command line, as you would type it. {path} stands for a value that the model gives.",
    example: "wc -l -- {path}",
    check: (line) => {
      const split = splitCommandLine(line);
      if ("problem" in split) {
        return split.problem;
      }
      const [command = "", ...args] = split.words;
      return /^[A-Za-z_]\w*=/.test(command)
        ? "The program comes first. Variables are set in env of the entry."
        : usedParameters([command]).length > 0
          ? "The program itself cannot be a value that the model gives."
          : (check("command", command) ?? check("args", args));
    },
    flag: "--command <line>",
  };
}

/** Returns the questions that a command line raises. */
export function commandQuestions(answers: Answers, check: FieldCheck): Question[] {
  const words = wordsOf(answers);
  const used = usedParameters(words);
  const switches = switchParameters(words);
  const extras = linesOf(answers["extras"]);
  return [
    ...used
      .filter((name) => name !== FREE_ARGUMENTS)
      .flatMap((name) => parameterQuestions(name, switches.includes(name), answers, words)),
    {
      key: "extras",
      kind: "several",
      prompt: "Which of these apply? Choose none if in doubt.",
      choices: EXTRAS.filter(({ value }) => value !== "read-only" || !used.includes(FREE_ARGUMENTS)),
      suggested: "",
      flag: "--read-only, --cwd, --secret, --timeout",
    },
    ...(extras.includes("cwd") ? [cwdQuestion(check)] : []),
    ...(extras.includes("secrets") ? [SECRETS] : []),
    ...(extras.includes("timeout") ? [timeoutQuestion(check)] : []),
  ];
}

function parameterQuestions(name: string, isSwitch: boolean, answers: Answers, words: readonly string[]): Question[] {
  const about: Question = {
    key: `about:${name}`,
    kind: "text",
    prompt: isSwitch ? `What {${name}} does when it is true. Models read it.` : `What {${name}} means. Models read it.`,
    example: isSwitch ? "Include hidden files." : "The file, relative to the workspace.",
    check: (text) => (text.trim() === "" ? "A model needs to know what to give." : tooLong(text, 1_000)),
    flag: `--param ${name}=<description>`,
  };
  if (isSwitch) {
    return [about];
  }
  const flag = `--param ${name}:<type>?=<description>`;
  const option = optionBefore(name, words);
  const type = answers[`type:${name}`];
  const mayBeMissing = answers[`needed:${name}`] === "optional";
  return [
    {
      ...{ key: `type:${name}`, kind: "choice", prompt: `What kind of value is {${name}}?`, choices: TYPES },
      ...{ suggested: "string", flag },
    },
    ...(type === "choice" ? [valuesQuestion(name)] : []),
    about,
    {
      ...{
        key: `needed:${name}`,
        kind: "choice",
        prompt: `Must every call give {${name}}?`,
        suggested: "required",
        flag,
      },
      choices: [
        { value: "required", label: "Yes" },
        { value: "optional", label: "No", description: "without a value, its argument is left out" },
      ],
    },
    ...(option !== undefined && (mayBeMissing || type === "list")
      ? [
          {
            ...{ key: `joins:${name}`, kind: "choice" as const, prompt: `Does ${option} belong to {${name}}?`, flag },
            suggested: "yes",
            choices: [
              { value: "yes", label: "Yes", description: `${option} is left out, or repeated, with the value` },
              { value: "no", label: "No", description: `${option} is always there, once` },
            ],
          },
        ]
      : []),
  ];
}

function valuesQuestion(name: string): Question {
  return {
    key: `values:${name}`,
    kind: "text",
    prompt: `The values that {${name}} can have, separated by commas.`,
    example: "debug, info, error",
    check: (text) => (listOf(text).length === 0 ? "List at least one value." : undefined),
    flag: `--param ${name}:<value>|<value>=<description>`,
  };
}

function cwdQuestion(check: FieldCheck): Question {
  return {
    key: "cwd",
    kind: "text",
    prompt: "The folder to run in, relative to the workspace folder.",
    example: "packages/api",
    check: (text) => check("cwd", text.trim()),
    flag: "--cwd <folder>",
  };
}

const SECRETS: Question = {
  key: "secrets",
  kind: "text",
  prompt: "Variables that hold secrets. VARIABLE=name where the secret has another name.",
  example: "GITHUB_TOKEN, NPM_TOKEN=npm",
  check: (text) => {
    const wrong = listOf(text).find((word) => !VARIABLE.test(word));
    return wrong !== undefined
      ? `${wrong} is not a variable's name. Give names, never values.`
      : listOf(text).length === 0
        ? "Name at least one variable."
        : undefined;
  },
  flag: "--secret <variable>",
};

function timeoutQuestion(check: FieldCheck): Question {
  return {
    key: "timeout",
    kind: "text",
    prompt: "Seconds before the command is killed.",
    example: "60",
    check: (text) => (text.trim() === "" ? "Give a number of seconds." : check("timeout", Number(text))),
    flag: "--timeout <seconds>",
  };
}

/** Returns the entry of a command. */
export function commandEntryOf(answers: Answers): WrittenEntry {
  const [command = "", ...words] = wordsOf(answers);
  const args = grouped(words, answers);
  const switches = switchParameters(words);
  const names = usedParameters(words).filter((name) => name !== FREE_ARGUMENTS);
  const required = names.filter((name) => !switches.includes(name) && answers[`needed:${name}`] !== "optional");
  const extras = linesOf(answers["extras"]);
  return {
    ...{ name: answers["name"] ?? "", description: answers["description"]?.trim() ?? "", command },
    ...(args.length > 0 ? { args } : {}),
    ...(names.length > 0
      ? {
          parameters: {
            properties: Object.fromEntries(
              names.map((name) => [name, propertyOf(name, switches.includes(name), answers)]),
            ),
            ...(required.length > 0 ? { required } : {}),
          },
        }
      : {}),
    ...(extras.includes("cwd") ? { cwd: answers["cwd"]?.trim() } : {}),
    ...(extras.includes("secrets") ? { env: secretsOf(answers["secrets"] ?? "") } : {}),
    ...(extras.includes("timeout") ? { timeout: Number(answers["timeout"]) } : {}),
    ...(extras.includes("read-only") ? { readOnly: true } : {}),
  };
}

function propertyOf(name: string, isSwitch: boolean, answers: Answers): object {
  const type = isSwitch ? "boolean" : answers[`type:${name}`];
  const description = answers[`about:${name}`]?.trim() ?? "";
  switch (type) {
    case "list":
      return { type: "array", items: { type: "string" }, description };
    case "choice":
      return { enum: listOf(answers[`values:${name}`] ?? ""), description };
    default:
      return { type: type ?? "string", description };
  }
}

/** Puts an option and the value that it belongs to into one argument, where the person said so. */
function grouped(words: readonly string[], answers: Answers): Argument[] {
  const args: Argument[] = [];
  for (const [index, word] of words.entries()) {
    const joins = usedParameters([word]).some(
      (name) => answers[`joins:${name}`] === "yes" && optionAt(words, index - 1) !== undefined,
    );
    if (joins) {
      args.pop();
      args.push([words[index - 1] ?? "", word]);
    } else {
      args.push(word);
    }
  }
  return args;
}

/** Returns the option before a parameter's argument, if it is fixed. */
function optionBefore(name: string, words: readonly string[]): string | undefined {
  return optionAt(words, words.findIndex((word) => usedParameters([word]).includes(name)) - 1);
}

function optionAt(words: readonly string[], index: number): string | undefined {
  const word = index < 0 ? undefined : words[index];
  return word !== undefined && /^--?[^-]/.test(word) && !word.includes("=") && usedParameters([word]).length === 0
    ? word
    : undefined;
}

function secretsOf(text: string): Record<string, { secret: string }> {
  return Object.fromEntries(
    listOf(text).map((word) => {
      const [variable = "", secret = variable] = word.split("=");
      return [variable, { secret }];
    }),
  );
}

/** The arguments of a command, without those that are left out together. @returns none while the line cannot be read */
function wordsOf({ line = "" }: Answers): string[] {
  const split = splitCommandLine(line);
  return "words" in split ? split.words : [];
}

/** The values of a question with several choices. */
export function linesOf(answer: string | undefined): string[] {
  return (answer ?? "").split("\n").filter((line) => line !== "");
}

function listOf(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function tooLong(text: string, most: number): string | undefined {
  return text.length > most ? `At most ${most} characters; it has ${text.length}.` : undefined;
}
