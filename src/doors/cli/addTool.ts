// `toolhost tools add`: its flags, and its questions on a terminal.
import type { Command } from "commander";
import { BACK, type Answers, type Ask, type Choice } from "../../features/custom/add/question.js";
import { quoteWord } from "../../text/commandLine.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";
import type { LineTerminal } from "../../ports/lineTerminal.js";
import { barred } from "./barred.js";
import { collect } from "./collect.js";

/** What `toolhost tools add` was given. */
export interface AddRequest {
  kind: "add";
  answers: Answers;
  /** The input of the trial. */
  input: unknown;
  yes: boolean;
  /** Whether the tool is for every folder: in the user's own file. */
  user: boolean;
}

interface Given {
  name?: string;
  description?: string;
  command?: string;
  arg?: string[];
  param?: string[];
  readOnly?: boolean;
  cwd?: string;
  secret?: string[];
  timeout?: string;
  use?: string;
  with?: string[];
  without?: string[];
  openapi?: string;
  operation?: string[];
  server?: string;
  auth?: string;
  authSecret?: string;
  authUsername?: string;
  authHeader?: string;
  authTokenUrl?: string;
  authClientId?: string;
  user?: boolean;
  input?: string;
  trial: boolean;
  yes?: boolean;
}

/** `path:integer?=What it means.`: the type and the question mark can be missing. */
const PARAM = /^([A-Za-z]\w*)(?::([^=?]*))?(\?)?=(.*)$/s;
const TYPES = ["string", "integer", "number", "list"];

/** What the command needs from the command line. */
export interface AddDoor {
  run(request: AddRequest): Promise<void>;
  /** Parses `--input`. Throws an error about wrong usage. */
  readInput(given: string): Promise<unknown>;
  /** Creates an error about wrong usage. */
  usage(message: string): Error;
}

/** Adds `toolhost tools add`. */
export function addAddCommand(tools: Command, door: AddDoor): void {
  tools
    .command("add")
    .description("add a tool: asks for what the flags do not say, tries it, and writes it into the file")
    .option("--name <name>", "its name: lower case words with _ between them")
    .option("--description <text>", "what it does, gives back, and when to use it; models read it")
    .option("--command <line>", "a command: the line as you would type it; {path} stands for a parameter's value")
    .option("--arg <word>", "an argument as it is; --command is then the program alone (repeatable)", collect)
    .option(
      "--param <parameter>",
      "path=What it is., or limit:integer?=…: with a type (string, integer, number, list, or values: a|b) and ? if it may be missing (repeatable)",
      collect,
    )
    .option("--read-only", "it only reads, whatever its input: calls run without a question")
    .option("--cwd <folder>", "the folder that it runs in")
    .option(
      "--secret <variable>",
      "an environment variable that holds a secret, or VARIABLE=name (repeatable)",
      collect,
    )
    .option("--timeout <seconds>", "its time limit")
    .option("--use <tool>", "a tool of Toolhost under another name")
    .option("--with <field=value>", "the value of one of that tool's fields in every call (repeatable)", collect)
    .option("--without <field>", "one of that tool's fields that callers cannot give (repeatable)", collect)
    .option("--openapi <description>", "a service: its OpenAPI description, a file or an https address")
    .option("--operation <which>", "an id, a glob, tag:<tag>, or method and path (repeatable; default: all)", collect)
    .option("--server <address>", "the server that calls go to, instead of the description's")
    .option("--auth <type>", "how calls authenticate: none, bearer, apiKey, basic or oauth2")
    .option("--auth-secret <name>", "the name of the secret, not its value")
    .option("--auth-username <name>", "for basic")
    .option("--auth-header <name>", "for an API key that the description does not describe")
    .option("--auth-token-url <address>", "for oauth2")
    .option("--auth-client-id <id>", "for oauth2")
    .option("--user", "for every folder: into the file that the variable TOOLHOST_TOOLS names")
    .option("--input <json>", "the input of the trial; - reads it from standard input, @file from a file")
    .option("--no-trial", "add it without running it")
    .option("--yes", "ask nothing: what no flag says has its usual value, and the tool is kept after the trial")
    .action(async (given: Given) => {
      const input = given.input === undefined ? undefined : await door.readInput(given.input);
      await door.run({
        kind: "add",
        answers: answersOf(given, door),
        input,
        yes: given.yes === true,
        user: given.user === true,
      });
    });
}

function answersOf(given: Given, door: Pick<AddDoor, "usage">): Answers {
  const { command, use, openapi, arg } = given;
  const kinds = Object.entries({ command, use, openapi }).flatMap(([kind, value]) => (value === undefined ? [] : kind));
  if (kinds.length > 1) {
    throw door.usage(`${kinds.map((kind) => `--${kind}`).join(" and ")} make different tools: give one of them.`);
  }
  if (arg !== undefined && command === undefined) {
    throw door.usage("--arg needs --command <program>.");
  }
  const line = arg === undefined || command === undefined ? command : [command, ...arg].map(quoteWord).join(" ");
  const extras = [
    ...(given.readOnly === true ? ["read-only"] : []),
    ...(given.cwd === undefined ? [] : ["cwd"]),
    ...(given.secret === undefined ? [] : ["secrets"]),
    ...(given.timeout === undefined ? [] : ["timeout"]),
  ];
  const preset = (given.with ?? []).map((word) => pairOf(word, door));
  const fields = [...preset.map(([field]) => field), ...(given.without ?? [])];
  const answers: Record<string, string | undefined> = {
    ...{ kind: kinds[0], name: given.name, description: given.description, line, use, spec: openapi },
    extras: extras.length > 0 ? extras.join("\n") : undefined,
    ...{ cwd: given.cwd, secrets: given.secret?.join(","), timeout: given.timeout },
    fields: fields.length > 0 ? fields.join("\n") : undefined,
    ...Object.fromEntries(
      [...preset, ...(given.without ?? []).map((field) => [field, ""])].map(([field, value]) => [
        `value:${field ?? ""}`,
        value,
      ]),
    ),
    ...{ operations: given.operation?.join("\n"), server: given.server, auth: given.auth, secret: given.authSecret },
    ...{ username: given.authUsername, header: given.authHeader },
    ...{ tokenUrl: given.authTokenUrl, clientId: given.authClientId },
    // A service has no trial.
    next:
      openapi !== undefined || !given.trial
        ? "keep"
        : given.yes === true || given.input !== undefined
          ? "try"
          : undefined,
  };
  (given.param ?? []).forEach((word) => Object.assign(answers, parameterOf(word, door)));
  return Object.fromEntries(
    Object.entries(answers).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function parameterOf(word: string, door: Pick<AddDoor, "usage">): Answers {
  const [, name, type = "", isOptional, about = ""] = PARAM.exec(word) ?? [];
  if (name === undefined) {
    throw door.usage(`--param ${visibleLine(word)}: write it as name=description, or name:type?=description.`);
  }
  const isList = type.includes("|");
  if (!isList && type !== "" && !TYPES.includes(type)) {
    throw door.usage(`--param ${name}: the type must be ${TYPES.join(", ")}, or values: a|b.`);
  }
  return {
    [`type:${name}`]: isList ? "choice" : type === "" ? "string" : type,
    ...(isList ? { [`values:${name}`]: type.replaceAll("|", ",") } : {}),
    [`about:${name}`]: about,
    [`needed:${name}`]: isOptional === undefined ? "required" : "optional",
  };
}

function pairOf(word: string, door: Pick<AddDoor, "usage">): [field: string, value: string] {
  const at = word.indexOf("=");
  if (at <= 0) {
    throw door.usage(`--with ${visibleLine(word)}: write it as field=value.`);
  }
  return [word.slice(0, at), word.slice(at + 1)];
}

/** Choices that are listed; a longer list says how many more there are. */
const MAX_LISTED = 60;
const GO_BACK = "<";
const NONE = "-";

/**
 * Asks on a terminal. Choices have numbers; Enter alone takes what is suggested, and `<` goes back a question.
 */
export function askOnTerminal(terminal: LineTerminal, signal: AbortSignal): Ask {
  return async (question, { step, total, canGoBack, mayBeEmpty, problem }) => {
    const { prompt, kind, example, choices = [], shown } = question;
    // What was suggested last, or answered, is what there is a problem with.
    const suggested = problem === undefined ? question.suggested : undefined;
    const text = await shown?.();
    const hint =
      kind === "several"
        ? "numbers (1,2) or names"
        : kind === "choice"
          ? "a number or a name"
          : example === undefined
            ? ""
            : `such as: ${example}`;
    const usual =
      suggested === undefined ? "" : `Enter alone = ${suggested === "" ? "none" : labelsOf(suggested, choices)}`;
    const lines = [
      ...(text === undefined ? [] : ["", barred(showHidden(text, true).text)]),
      "",
      ...(problem === undefined ? [] : [`! ${visibleLine(problem)}`]),
      `${total === 0 ? "" : `${step}/${total}  `}${visibleLine(prompt)}`,
      ...listChoices(choices),
    ];
    terminal.write(`${lines.join("\n")}\n`);
    const canEmpty = mayBeEmpty && suggested !== "";
    const notes = [hint, usual, canEmpty ? `${NONE} = none` : "", canGoBack ? `${GO_BACK} = back` : ""]
      .filter((note) => note !== "")
      .join("; ");
    for (;;) {
      const line = await terminal.prompt(`${notes === "" ? "" : `(${notes}) `}> `, signal, { interruptEnds: true });
      if (line === undefined) {
        terminal.write("\n");
        return undefined;
      }
      if (line.trim() === GO_BACK && canGoBack) {
        return BACK;
      }
      if (line.trim() === NONE && canEmpty) {
        return "";
      }
      if (line === "" && suggested !== undefined) {
        return suggested;
      }
      const answer = kind === "text" ? line : readChoices(line, choices, kind === "several");
      if (answer !== undefined) {
        return answer;
      }
    }
  };
}

function labelsOf(answer: string, choices: readonly Choice[]): string {
  const labels = answer.split("\n").map((each) => choices.find(({ value }) => value === each)?.label ?? each);
  return visibleLine(labels.join(", "));
}

function listChoices(choices: readonly Choice[]): string[] {
  const rows = choices
    .slice(0, MAX_LISTED)
    .map(
      ({ label, description }, index) =>
        `  ${index + 1}. ${visibleLine(label)}${description === undefined || description === "" ? "" : `: ${visibleLine(description)}`}`,
    );
  const more = choices.length - rows.length;
  return more > 0 ? [...rows, `  and ${more} more, which you can name`] : rows;
}

/** Reads numbers and names of choices. Other words stay as they are: the question checks them. */
function readChoices(line: string, choices: readonly Choice[], several: boolean): string | undefined {
  const whole = line.trim();
  const words = several && !choices.some(({ value }) => value === whole) ? whole.split(/\s*,\s*/) : [whole];
  const chosen = words
    .filter((word) => word !== "")
    .map((word) => {
      const byName = choices.find(({ value, label }) => [value, label.toLowerCase()].includes(word.toLowerCase()));
      return (byName ?? (/^\d{1,4}$/.test(word) ? choices[Number(word) - 1] : undefined))?.value ?? word;
    });
  return chosen.length === 0 && !several ? undefined : [...new Set(chosen)].join("\n");
}
