import { ignored } from "../../core/aliases.js";
import type { InputIssue, Tool } from "../../core/contract.js";
import { normalise } from "../../core/jsonSchema.js";
import { CUSTOM_GROUP } from "./commandTool.js";
import type { UseEntry } from "./entry.js";
import { titleOf } from "./title.js";

/** Fields in which models explain their calls, which no tool needs. */
const EXPLAINING = ["description", "explanation", "goal"];

/**
 * Makes the tool of an entry that uses one of Toolhost's: the same tool under another name, with some fields preset or
 * left out. What a call reaches, and so permission, is decided as for that tool, and its rules apply, too.
 */
export function useTool(entry: UseEntry, base: Tool): Tool {
  const preset = entry.with ?? {};
  const hidden = new Set([...Object.keys(preset), ...(entry.without ?? [])]);
  const isOpen = (field: string): boolean => !hidden.has(field);
  let inputSchema: Tool["inputSchema"] | undefined;
  return {
    ...base,
    name: entry.name,
    group: CUSTOM_GROUP,
    title: entry.title ?? titleOf(entry.name),
    description: entry.description ?? base.description,
    get inputSchema() {
      return (inputSchema ??= narrowed(base, isOpen));
    },
    // An alias could lead around what is preset.
    aliases: Object.fromEntries(
      EXPLAINING.filter((word) => !Object.hasOwn(base.inputSchema.properties, word)).map((word) => [word, ignored]),
    ),
    positional: base.positional.filter(isOpen),
    texts: base.texts?.filter(isOpen),
    expose: "default",
    usedTool: base,
    parse: (raw) => {
      const closed = Object.keys(raw).filter((field) => !isOpen(field));
      return closed.length > 0
        ? { ok: false, issues: closed.map((path) => ({ path, message: "unknown field" })) }
        : base.parse({ ...raw, ...preset });
    },
  };
}

/** Returns what is wrong with the presets of an entry, by their fields. */
export function presetIssues({ with: preset = {}, without = [] }: UseEntry, base: Tool): InputIssue[] {
  const { properties, required = [] } = base.inputSchema;
  const unknown = [...Object.keys(preset), ...without].filter((field) => !Object.hasOwn(properties, field));
  if (unknown.length > 0) {
    return unknown.map((path) => ({ path, message: `${base.name} has no such field` }));
  }
  const needed = without.filter((field) => required.includes(field));
  if (needed.length > 0) {
    return needed.map((path) => ({ path, message: `${base.name} needs it; give it a value with "with"` }));
  }
  const parsed = base.parse(preset);
  // What callers give is still missing.
  return parsed.ok ? [] : parsed.issues.filter(({ path }) => Object.hasOwn(preset, /^[^.[]*/.exec(path)?.[0] ?? ""));
}

function narrowed({ inputSchema }: Tool, isOpen: (field: string) => boolean): Tool["inputSchema"] {
  const { properties, required = [], ...rest } = inputSchema;
  return normalise({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([field]) => isOpen(field))),
    ...(required.some(isOpen) ? { required: required.filter(isOpen) } : {}),
  });
}
