import * as z from "zod";
import { AGENT_MODIFICATION, isLocked, PROMPT, type PromptFields } from "../../features/documents/prompt.js";
import { line } from "../../features/documents/fields.js";
import { ToolError } from "../../core/errors.js";
import type { DocumentType } from "./documentType.js";
import { once } from "../../core/once.js";

const INPUT = once(() => ({
  description: line(1024).optional().describe("Purpose, in one line; VS Code shows it in its list."),
  body: z.string().describe("The prompt, in Markdown."),
}));

/** Prompts: VS Code's prompt files. */
export const prompts: DocumentType<PromptFields, Record<never, never>, ReturnType<typeof INPUT>> = {
  kind: PROMPT,
  plural: "prompts",
  about: "A prompt is text that the user sends in VS Code's chat with /name.",
  nameField:
    "Name. Runs of characters other than letters and digits become -. The file is .github/prompts/<name>.prompt.md.",
  writeAliases: { content: "body", text: "body", prompt: "body" },
  text: "body",
  filters: () => ({}),
  matches: () => true,
  row: (fields) => ({
    description: fields.description ?? null,
    agent_modification: fields[AGENT_MODIFICATION] !== false,
  }),
  line: ({ fields }) =>
    [fields.description ?? "", ...(fields[AGENT_MODIFICATION] === false ? ["[not to be changed by agents]"] : [])]
      .filter((part) => part !== "")
      .join("  "),
  searched: ({ description }) => (description === undefined ? [] : [description]),
  input: INPUT,
  writes: "The file is .github/prompts/<name>.prompt.md, where VS Code finds it.",
  write: ({ description, body }, { before }) => ({
    fields: before !== undefined && description === undefined ? {} : { description },
    body,
  }),
  isStamped: false,
  guard: ({ name, fields }) => refuseLocked(name, fields),
  guardMalformed: refuseLocked,
  guardEdit: (before, { name, fields }) => {
    if (before !== undefined && before.fields[AGENT_MODIFICATION] !== fields[AGENT_MODIFICATION]) {
      throw new ToolError(
        "protected",
        `prompt ${name}: ${AGENT_MODIFICATION} can only be set by the user. Nothing was changed.`,
        "Keep that line unchanged.",
      );
    }
  },
};

function refuseLocked(name: string, fields: Readonly<Record<string, unknown>>): void {
  if (isLocked(fields)) {
    throw new ToolError(
      "protected",
      `prompt ${name} says ${AGENT_MODIFICATION}: false, so agents must not change it. Nothing was changed.`,
      "Ask the user to change the file, or that line.",
    );
  }
}
