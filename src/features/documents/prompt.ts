import * as z from "zod";
import { once } from "../../core/once.js";
import type { DocumentKind } from "./document.js";
import { line } from "./fields.js";
import { CHAT_COMMANDS } from "./reservedNames.js";

/** The field that keeps agents from changing a prompt. It is our own; VS Code ignores it. */
export const AGENT_MODIFICATION = "agent-modification";

/**
 * Spellings that YAML 1.1 reads as a boolean, and that people use: a lock that we read as text would not lock anything.
 */
const SPELLED: ReadonlyMap<unknown, boolean> = new Map([
  ["false", false],
  ["no", false],
  ["off", false],
  ["true", true],
  ["yes", true],
  ["on", true],
]);

/**
 * The front matter of a prompt file, as VS Code defines it (code.visualstudio.com, "Use prompt files in VS Code"). All
 * fields are optional.
 */
const PROMPT_FIELDS = once(() =>
  z.looseObject({
    description: line(1024).optional(),
    [AGENT_MODIFICATION]: z.preprocess(truthValue, z.boolean()).optional(),
  }),
);

export type PromptFields = z.output<ReturnType<typeof PROMPT_FIELDS>>;

/** Prompts: VS Code's prompt files, used with `/name` in its chat. */
export const PROMPT: DocumentKind<PromptFields> = {
  noun: "prompt",
  folder: ".github/prompts",
  suffix: ".prompt.md",
  schema: PROMPT_FIELDS,
  letters: "any",
  reserved: CHAT_COMMANDS,
  namedByTitle: false,
  problem: ({ body }) => (body === "" ? "there is no text below the front matter" : undefined),
};

/** Whether front matter, even if otherwise malformed, keeps agents from changing its prompt. */
export function isLocked(fields: Readonly<Record<string, unknown>>): boolean {
  return truthValue(fields[AGENT_MODIFICATION]) === false;
}

function truthValue(value: unknown): unknown {
  return typeof value === "string" ? (SPELLED.get(value.toLowerCase()) ?? value) : value;
}
