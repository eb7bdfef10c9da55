import * as z from "zod";
import {
  MAX_SKILL_DESCRIPTION,
  metadataWith,
  SKILL,
  skillArguments,
  type SkillFields,
} from "../../features/documents/skill.js";
import { ToolError } from "../../core/errors.js";
import { parentPath } from "../../core/paths/pathShape.js";
import { line } from "../../features/documents/fields.js";
import { missingArguments, renderSkill, type SkillArgument } from "../../text/skillArguments.js";
import type { DocumentType } from "./documentType.js";
import { once } from "../../core/once.js";

const INPUT = once(() => ({
  description: z
    .string()
    .max(MAX_SKILL_DESCRIPTION)
    .regex(/\S/, "must not be blank")
    .describe("What the skill does and when to use it: all that an agent sees before loading it."),
  body: z.string().describe("The instructions, in Markdown. $ARGUMENTS, $1 to $9 and $name stand for arguments."),
  arguments: z
    .array(
      z.strictObject({
        name: line(64)
          .regex(/^[^\s:=()"]+$/, 'must not contain whitespace or : = ( ) "')
          .describe("The body refers to it as $name."),
        description: line(500).optional().describe("What the argument is."),
        required: z.boolean().optional().describe("Whether it must be given. Default: false."),
        default: line(500).optional().describe("Value used when it is not given."),
      }),
    )
    .max(20)
    .optional()
    .describe("Arguments in order; the last one takes all remaining words."),
}));

/** Skills, in the open Agent Skills format. */
export const skills: DocumentType<SkillFields, Record<never, never>, ReturnType<typeof INPUT>> = {
  kind: SKILL,
  plural: "skills",
  about: "A skill explains how to do something; read with arguments loads it for use.",
  nameField:
    "Name. Runs of characters other than a to z and 0 to 9 become -. The file is .agents/skills/<name>/SKILL.md.",
  writeAliases: { content: "body", text: "body" },
  text: "body",
  filters: () => ({}),
  matches: () => true,
  row: (fields) => ({ description: fields.description, arguments: skillArguments(fields) }),
  line: ({ fields }) => [usage(skillArguments(fields)), fields.description].filter((part) => part !== "").join("  "),
  searched: (fields) => [
    fields.description,
    ...skillArguments(fields).flatMap(({ name, description = "" }) => [name, description]),
  ],
  input: INPUT,
  writes:
    "The file is .agents/skills/<name>/SKILL.md in the Agent Skills format, for any agent that supports it. Replacing keeps the arguments if none are given.",
  write: ({ description, body, arguments: declared }, { name, before }) => ({
    fields: {
      name,
      description,
      ...(declared === undefined
        ? {}
        : { metadata: metadataWith(before?.fields.metadata, declared), arguments: undefined }),
    },
    body,
  }),
  isStamped: false,
  guard: () => undefined,
  guardEdit: () => undefined,
  rendering: {
    description: "With arguments, it returns the text to follow, with the arguments inserted.",
    render: ({ name, fields, body }, path, given) => {
      const declared = skillArguments(fields);
      const missing = missingArguments(given, declared);
      if (missing.length > 0) {
        throw new ToolError(
          "invalid_input",
          `skill ${name} needs ${missing.length === 1 ? "the argument" : "the arguments"} ${missing.join(", ")}.`,
          `Give them in this order: ${usage(declared)}`,
        );
      }
      return `[Skill ${name}; paths in it are relative to ${parentPath(path)}.]\n${renderSkill(body, given, declared)}`;
    },
  },
};

/** Formats a skill's arguments: `<environment> [branch]`. */
function usage(declared: readonly SkillArgument[]): string {
  return declared.map(({ name, required }) => (required === true ? `<${name}>` : `[${name}]`)).join(" ");
}
