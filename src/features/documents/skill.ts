import * as z from "zod";
import { once } from "../../core/once.js";
import type { SkillArgument } from "../../text/skillArguments.js";
import { isRecord } from "../../core/jsonSchema.js";
import { MAX_NAME, type DocumentKind } from "./document.js";
import { CHAT_COMMANDS } from "./reservedNames.js";

/** Maximum characters of a description (agentskills.io/specification). */
export const MAX_SKILL_DESCRIPTION = 1024;
/** The key of a skill's arguments: Agent Skills leave `metadata` to clients, as strings by name. */
const ARGUMENTS = "toolhost-arguments";

/** A skill's front matter in the Agent Skills format (agentskills.io/specification). Other fields stay. */
const SKILL_FIELDS = once(() =>
  z.looseObject({
    name: z
      .string()
      .max(MAX_NAME)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lowercase letters a to z and digits, with single - between them"),
    description: z.string().max(MAX_SKILL_DESCRIPTION).regex(/\S/, "must not be blank"),
    license: z.string().optional(),
    compatibility: z.string().max(500).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    "allowed-tools": z.union([z.string(), z.array(z.string())], "must be a string or a list of strings").optional(),
  }),
);

export type SkillFields = z.output<ReturnType<typeof SKILL_FIELDS>>;

/** Skills: instructions for a kind of work, loaded when needed. */
export const SKILL: DocumentKind<SkillFields> = {
  noun: "skill",
  folder: ".agents/skills",
  suffix: "/SKILL.md",
  schema: SKILL_FIELDS,
  nameField: "name",
  letters: "ascii",
  reserved: CHAT_COMMANDS,
  namedByTitle: false,
  problem: ({ body }) => (body === "" ? "there is no text below the front matter" : undefined),
};

/**
 * Returns the arguments that a skill declares: in our form, or, like other agents, as a list or a line of names under
 * `arguments`.
 */
export function skillArguments({ metadata, arguments: listed }: SkillFields): SkillArgument[] {
  const ours = metadata?.[ARGUMENTS];
  if (typeof ours === "string") {
    return ours.split(/\r\n?|\n/).flatMap((line) => readArgument(line));
  }
  const entries: unknown = typeof listed === "string" ? listed.split(/\s+/).filter((name) => name !== "") : listed;
  return Array.isArray(entries) ? entries.flatMap((entry) => otherArgument(entry)) : [];
}

/**
 * Returns a skill's `metadata` with its arguments, one per line: `name (required) = default: description`. Undefined if
 * nothing is left in it.
 */
export function metadataWith(
  metadata: SkillFields["metadata"],
  declared: readonly SkillArgument[],
): Record<string, unknown> | undefined {
  const { [ARGUMENTS]: _before, ...others } = metadata ?? {};
  const all = declared.length === 0 ? others : { ...others, [ARGUMENTS]: declared.map(formatArgument).join("\n") };
  return Object.keys(all).length === 0 ? undefined : all;
}

function formatArgument({ name, description, required, default: standard }: SkillArgument): string {
  const value = standard === undefined ? "" : ` = ${/^[^\s":]+$/.test(standard) ? standard : JSON.stringify(standard)}`;
  return `${name}${required === true ? " (required)" : ""}${value}${description === undefined ? "" : `: ${description}`}`;
}

const ARGUMENT_LINE =
  /^[ \t]*([^\s:=()"]+)([ \t]*\(required\))?(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s":]+))?[ \t]*(?::[ \t]*(.*))?$/;

function readArgument(line: string): SkillArgument[] {
  const [, name, required, standard, description] = ARGUMENT_LINE.exec(line) ?? [];
  return name === undefined
    ? []
    : [
        {
          name,
          required: required !== undefined,
          ...(standard === undefined ? {} : { default: unquoted(standard) }),
          ...(description === undefined || description.trim() === "" ? {} : { description: description.trim() }),
        },
      ];
}

function unquoted(text: string): string {
  try {
    return text.startsWith('"') ? String(JSON.parse(text)) : text;
  } catch {
    return text;
  }
}

function otherArgument(entry: unknown): SkillArgument[] {
  if (typeof entry === "string") {
    return [{ name: entry }];
  }
  if (!isRecord(entry) || typeof entry["name"] !== "string") {
    return [];
  }
  const { name, description, required, default: standard } = entry;
  return [
    {
      name,
      required: required === true,
      ...(typeof description === "string" ? { description } : {}),
      ...(["string", "number", "boolean"].includes(typeof standard) ? { default: String(standard) } : {}),
    },
  ];
}
