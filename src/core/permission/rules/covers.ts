import { changingWrapper, wordsToName } from "../commands/kinds.js";
import { matchesWords, type CommandPattern } from "./commandPattern.js";
import { fieldMatches, type CompiledRule } from "./compiledRule.js";
import { guardOf, useGuard } from "../concerns.js";
import { namedCalls, type Call, type CallPart } from "../commands/parts.js";
import { matchesUrl } from "./patterns.js";
import {
  guardOfChange,
  secretOf,
  type CommandTouch,
  type FileTouch,
  type GatedSimple,
  type NetworkTouch,
} from "../touches.js";

type Opaque = Extract<CallPart, { kind: "opaque" }>;

/** Whether a rule that allows covers a part of a call. A broken rule covers nothing. */
export function ruleCovers(rule: CompiledRule, call: Call, part: CallPart): boolean {
  return namedCalls(call).some((named) => coversNamed(rule, named, part));
}

function coversNamed(rule: CompiledRule, call: Call, part: CallPart): boolean {
  const { placed, fields, isFor } = rule;
  if (
    placed.broken !== undefined ||
    placed.rule.decision !== "allow" ||
    !isFor(call.tool.name) ||
    !fields.every((field) => fieldMatches(call.input, field))
  ) {
    return false;
  }
  switch (part.kind) {
    case "file":
      return rule.command === undefined && rule.url === undefined && coversFile(rule, part.touch);
    case "command":
      return rule.url === undefined && coversCommand(rule, part);
    case "redirection":
      return (
        rule.url === undefined &&
        isWholeLine(rule.command, part.line) &&
        useGuard(part.use, false) === undefined &&
        coversPlaces(rule, [part.use])
      );
    case "network":
      return (
        rule.command === undefined &&
        rule.path === undefined &&
        (rule.url === undefined ? namesTarget(rule, part) : matchesUrl(rule.url, part.url))
      );
    case "program":
      return (
        part.reason === undefined &&
        rule.namesTool &&
        rule.command === undefined &&
        rule.path === undefined &&
        rule.url === undefined
      );
    case "secret":
      return false;
    case "opaque":
      return coversOpaque(rule, call, part);
  }
}

/**
 * Secrets and protected files are only opened by their own name, and files outside only by a pattern that names a
 * place.
 */
function coversFile({ path: pattern }: CompiledRule, { kind, at, guarded: why }: FileTouch): boolean {
  const guarded = secretOf(at) !== undefined || (kind === "write" && (why ?? guardOfChange(at)) !== undefined);
  if (pattern === undefined) {
    return !guarded && at.outside !== true;
  }
  return (!guarded || pattern.literal) && pattern.matches(at.path, false) && pattern.matches(at.realPath, false);
}

function coversCommand(rule: CompiledRule, part: Extract<CallPart, { kind: "command" }>): boolean {
  const { of, line } = part;
  const { simple, uses } = of;
  // A rule with only a path is about files: otherwise it would cover every command without paths.
  if (
    (rule.path !== undefined && rule.command === undefined) ||
    line.doubts.length > 0 ||
    guardOf(part) !== undefined ||
    simple.words.includes(undefined) ||
    !coversPlaces(rule, uses)
  ) {
    return false;
  }
  return isWholeLine(rule.command, line) || (changingWrapper(simple) === undefined && coversWords(rule.command, of));
}

/** Whether a pattern covers a command by its words. */
function coversWords(pattern: CommandPattern | undefined, { simple }: GatedSimple): boolean {
  const { words, effect, beyondPrefix } = simple;
  if (pattern !== undefined && (pattern.odd !== undefined || matchesWords(pattern, words) !== "yes")) {
    return false;
  }
  if (pattern?.exact === true) {
    return true;
  }
  // A destructive or unknown command must be named: `git **` does not include `git push --force`.
  return (
    !beyondPrefix &&
    (effect === "reads" ||
      effect === "changes" ||
      (pattern !== undefined && literalWords(pattern) >= wordsToName(simple)))
  );
}

/** Returns how many literal words a pattern begins with. */
function literalWords({ words }: CommandPattern): number {
  const end = words.findIndex((parts) => parts.length > 1);
  return end < 0 ? words.length : end;
}

/** Whether a pattern is the command line itself, character for character. */
function isWholeLine(pattern: CommandPattern | undefined, line: CommandTouch): boolean {
  return (
    pattern !== undefined &&
    pattern.line === line.command.trim() &&
    line.doubts.length === 0 &&
    line.commands.every(({ simple }) => !simple.words.includes(undefined))
  );
}

export function coversPlaces({ path: pattern }: CompiledRule, uses: GatedSimple["uses"]): boolean {
  return (
    pattern === undefined ||
    uses.every(({ files }) =>
      files.every(({ path, realPath }) => pattern.matches(path, false) && pattern.matches(realPath, false)),
    )
  );
}

/**
 * Whether a rule for one tool names all the fields that identify whom it reaches; their values are already known to
 * match.
 */
function namesTarget(rule: CompiledRule, { by }: NetworkTouch): boolean {
  return rule.namesTool && by !== undefined && by.every((field) => rule.fields.some(([name]) => name === field));
}

function coversOpaque(rule: CompiledRule, { input, tool }: Call, { what, isChanged = false }: Opaque): boolean {
  const names = (field: string): string | undefined => rule.fields.find(([name]) => name === field)?.[1];
  switch (what) {
    case "doubt":
      return false;
    case "task":
      return rule.namesTool && names("label") !== undefined && rule.command === undefined && rule.path === undefined;
    case "input":
      return (
        rule.namesTool &&
        names("input")?.includes("*") === false &&
        rule.command === undefined &&
        rule.path === undefined
      );
    case "tool": {
      const meanings = (["command", "path", "url"] as const).flatMap((name) =>
        rule.placed.rule.params?.[name] === undefined ? [] : [[name, rule.placed.rule.params[name]] as const],
      );
      return (
        !isChanged &&
        (rule.namesTool ? rule.placed.rule.tool === tool.name : rule.placed.rule.tool !== "*") &&
        meanings.every((field) => fieldMatches(input, field))
      );
    }
  }
}
