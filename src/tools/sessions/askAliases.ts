// The questions of other systems' tools: Claude Code's AskUserQuestion, Copilot's askQuestions, Gemini CLI's ask_user,
// Codex' request_user_input, opencode's question, Cline's and Roo's ask_followup_question.
import { asRecords, ignored, type AliasRule, type Aliases } from "../../core/aliases.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { Choice } from "../../ports/person.js";

/** Names of a question's fields. */
const NAMES = {
  prompt: "question",
  options: "choices",
  suggestions: "choices",
  follow_up: "choices",
  multiSelect: "several",
  multi_select: "several",
  multiple: "several",
  allow_multiple: "several",
} as const;

/** Fields that say nothing here: a title next to the question, and that a free answer is possible. */
const EXTRA = ["header", "id", "type", "placeholder", "allowFreeformInput", "custom"];

/** A question with the tool's field names. */
type Fields = Record<string, unknown>;

/** Choices as words or objects, also as a JSON string. An empty list is none. */
const choices: AliasRule = {
  says: "also a list of labels",
  read: (value) => {
    const read = readChoices(value);
    return read && { fields: read.length === 0 ? {} : { choices: read } };
  },
};

/** A list of questions: the first is asked. */
const questions: AliasRule = {
  says: "a list of one question",
  read: (value) => {
    const [first, ...others] = readQuestions(value) ?? [];
    const total = others.length + 1;
    return (
      first && {
        fields: first,
        ...(others.length === 0
          ? {}
          : { note: `Only the first of ${total} questions was asked. Ask the others one by one, if still needed.` }),
      }
    );
  },
};

/** Fields of other systems' questions, for the tool that asks. */
export const ASK_ALIASES: Aliases = {
  ...NAMES,
  ...Object.fromEntries(EXTRA.map((name) => [name, ignored])),
  choices,
  questions,
};

/** The same for a tool that has questions in its only field, to be read later. */
export function questionsAsText(field: string): Aliases {
  const written: AliasRule = {
    says: "a list of questions",
    read: (value) => {
      const read = readQuestions(value);
      return read && read.length > 0 ? { fields: { [field]: read.map(asText).join("\n\n") } } : undefined;
    },
  };
  const choicesToo: AliasRule = {
    says: "likely answers",
    replaces: true,
    read: (value, given) => {
      const read = readChoices(value);
      return read && { fields: { [field]: asText({ question: given[field], choices: read }) } };
    },
  };
  const ours = { question: field, choices: choicesToo, several: ignored };
  return {
    ...Object.fromEntries(Object.entries(NAMES).map(([theirs, name]) => [theirs, ours[name]])),
    ...Object.fromEntries(EXTRA.map((name) => [name, ignored])),
    ...ours,
    questions: written,
  };
}

function asText({ question, choices: given }: Fields): string {
  const list = (Array.isArray(given) ? (given as Choice[]) : []).map(
    ({ label, description }) => `- ${label}${description === undefined ? "" : `: ${description}`}`,
  );
  return [String(question), ...list].join("\n");
}

function readQuestions(value: unknown): Fields[] | undefined {
  const read = asRecords(value)?.map(readQuestion);
  return read?.every((each) => each !== undefined) === true ? read : undefined;
}

function readQuestion(value: unknown): Fields | undefined {
  const raw = typeof value === "string" ? { question: value } : value;
  if (!isRecord(raw)) {
    return undefined;
  }
  const names: Readonly<Record<string, string>> = NAMES;
  const fields = Object.fromEntries(
    Object.entries(raw)
      .filter(([key]) => !EXTRA.includes(key))
      .map(([key, part]) => [Object.hasOwn(names, key) ? (names[key] ?? key) : key, part]),
  );
  const yesNo = raw["type"] === "yesno" ? [{ label: "Yes" }, { label: "No" }] : undefined;
  const { choices: given, ...rest } = fields;
  const read = given === undefined ? yesNo : readChoices(given);
  return typeof rest["question"] !== "string"
    ? undefined
    : { ...rest, ...(read === undefined || read.length === 0 ? {} : { choices: read }) };
}

/** Returns a list of choices; undefined if one of them is not understood. */
function readChoices(value: unknown): Choice[] | undefined {
  const read = asRecords(value)?.map(readChoice);
  return read?.every((each) => each !== undefined) === true ? read : undefined;
}

function readChoice(value: unknown): Choice | undefined {
  if (typeof value === "string") {
    return { label: value };
  }
  if (!isRecord(value)) {
    return undefined;
  }
  const label = ["label", "text", "title", "value", "name"].map((name) => value[name]).find(isText);
  const description = [value["description"], value["recommended"] === true ? "(recommended)" : undefined]
    .filter(isText)
    .join(" ");
  return label === undefined ? undefined : { label, ...(description === "" ? {} : { description }) };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
