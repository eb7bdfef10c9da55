import type { PlacedRule } from "../../../ports/rules.js";
import type { Beyond } from "./beyond.js";
import { commandPattern, type CommandPattern } from "./commandPattern.js";
import { matchesText, pathPattern, underFolders, type PathPattern } from "./patterns.js";

/** A rule ready to be matched. */
export interface CompiledRule {
  placed: PlacedRule;
  isFor: (tool: string) => boolean;
  /** Whether it names exactly one tool. */
  namesTool: boolean;
  command: CommandPattern | undefined;
  path: PathPattern | undefined;
  url: string | undefined;
  beyond: Beyond | undefined;
  /** Fields of the input itself. */
  fields: readonly (readonly [name: string, glob: string])[];
}

/** By rule: books return the same objects until they change. */
const compiled = new WeakMap<PlacedRule, CompiledRule>();

export function compileRule(placed: PlacedRule): CompiledRule {
  const known = compiled.get(placed);
  if (known !== undefined) {
    return known;
  }
  const { tool, params = {}, beyond } = placed.rule;
  const { command, path, url, ...fields } = params;
  const rule: CompiledRule = {
    placed,
    isFor: (name) => matchesText(tool, name),
    namesTool: !tool.includes("*"),
    command: command === undefined ? undefined : commandPattern(command),
    path: path === undefined ? undefined : seenFrom(pathPattern(path), placed.folders),
    url,
    beyond: beyond && {
      access: beyond.access,
      patterns: beyond.globs.map((glob) => seenFrom(pathPattern(glob), placed.folders)),
    },
    fields: Object.entries(fields),
  };
  compiled.set(placed, rule);
  return rule;
}

function seenFrom(pattern: PathPattern, folders: PlacedRule["folders"]): PathPattern {
  return folders === undefined ? pattern : underFolders(pattern, folders);
}

/** Whether a glob matches a field of an input. A missing field matches nothing. */
export function fieldMatches(
  input: Readonly<Record<string, unknown>>,
  [name, glob]: readonly [string, string],
): boolean {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  if (value === undefined || value === null) {
    return false;
  }
  return matchesText(glob, typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
