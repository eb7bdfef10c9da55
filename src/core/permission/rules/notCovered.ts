// Why a rule of the user's that seems to allow something does not: otherwise it would look like a rule that is broken.
import { guardOf, useGuard } from "../concerns.js";
import { changingWrapper, shownCommand, wordsToName } from "../commands/kinds.js";
import { namedCalls, type Call, type CallPart } from "../commands/parts.js";
import { guardOfChange, secretOf, type CommandTouch, type FileTouch, type GatedSimple } from "../touches.js";
import { matchesWords, type CommandPattern } from "./commandPattern.js";
import { fieldMatches, type CompiledRule } from "./compiledRule.js";
import { coversPlaces, ruleCovers } from "./covers.js";

/** What no rule opens for a command. */
const NEVER = "no rule allows commands to use other users' rights, secrets, protected files or places outside";

/**
 * Returns what a rule that allows does not cover and why, as the end of a sentence, if its words seem to mean it.
 * Undefined if it covers the part or is about something else.
 */
export function whyNotCovered(rule: CompiledRule, call: Call, part: CallPart): string | undefined {
  if (rule.placed.broken !== undefined || rule.placed.rule.decision !== "allow" || ruleCovers(rule, call, part)) {
    return undefined;
  }
  const named = namedCalls(call).find(
    ({ tool, input }) => rule.isFor(tool.name) && rule.fields.every((field) => fieldMatches(input, field)),
  );
  return named === undefined ? undefined : ofPart(rule, named, part);
}

function ofPart(rule: CompiledRule, { tool, touches = [] }: Call, part: CallPart): string | undefined {
  const { command, path, url } = rule;
  switch (part.kind) {
    case "file":
      return command === undefined && url === undefined ? ofFile(rule, part.touch) : undefined;
    case "command":
      return url === undefined && part.line.doubts.length === 0 ? ofCommand(rule, part) : undefined;
    case "redirection":
      return url === undefined && meansLine(command, part.line) && coversPlaces(rule, [part.use])
        ? `the redirection: ${useGuard(part.use, false) === undefined ? "only a rule that is exactly the whole line does" : NEVER}`
        : undefined;
    case "network":
      return command === undefined && path === undefined && url === undefined && part.by !== undefined
        ? `it: one for ${tool.name} must name ${part.by.length === 0 ? "it, without *" : part.by.join(" and ")}`
        : undefined;
    case "program":
    case "secret":
      return undefined;
    case "opaque":
      switch (part.what) {
        case "doubt":
          return touches.some((touch) => touch.kind === "command" && meansLine(command, touch))
            ? "it: no rule allows a line unless it is certain what would run"
            : undefined;
        case "task":
          return "it: one for tasks must name the label";
        case "input":
          return "it: one for typed input must name the input, without *";
        case "tool":
          return rule.namesTool
            ? part.isChanged === true
              ? "it: its definition is another than it was"
              : undefined
            : "it: one for tools of others must name the tool";
      }
  }
}

function ofFile({ path: pattern }: CompiledRule, { kind, at, guarded: why }: FileTouch): string | undefined {
  const guarded = secretOf(at) !== undefined || (kind === "write" && (why ?? guardOfChange(at)) !== undefined);
  if (pattern === undefined) {
    return `${at.path}: ${guarded ? "a secret or protected file needs its exact path in the rule" : "a place outside needs its path in the rule"}`;
  }
  const matches = pattern.matches(at.path, false);
  const really = pattern.matches(at.realPath, false);
  if (!matches && !really) {
    return undefined;
  }
  return matches && really
    ? `${at.path}: a secret or protected file needs its exact path in the rule`
    : `${at.path}, which is really ${at.realPath}: it must match both`;
}

function ofCommand(rule: CompiledRule, part: Extract<CallPart, { kind: "command" }>): string | undefined {
  const { of } = part;
  if (!meansCommand(rule.command, of) || (rule.path !== undefined && !coversPlaces(rule, of.uses))) {
    return undefined;
  }
  if (rule.command === undefined && rule.path !== undefined) {
    return undefined;
  }
  return `${shownCommand(of.simple)}: ${commandReason(rule.command, part)}`;
}

function commandReason(pattern: CommandPattern | undefined, part: Extract<CallPart, { kind: "command" }>): string {
  const { simple } = part.of;
  if (guardOf(part) !== undefined) {
    return NEVER;
  }
  if (simple.words.includes(undefined)) {
    return "no rule allows words that are only known at run time";
  }
  const wrapper = changingWrapper(simple);
  if (wrapper !== undefined) {
    return `${wrapper} runs it with other words or elsewhere, so only a rule that is exactly the whole line does`;
  }
  if (pattern === undefined) {
    return "without command, a rule allows ordinary work only";
  }
  const least = wordsToName(simple);
  const first = simple.words.slice(0, least).join(" ");
  return simple.beyondPrefix
    ? "its words make it write, run or reach something else, so only a rule without * that is exactly this command does"
    : Number.isFinite(least)
      ? `the rule must begin with ${first}`
      : "such a command can run or reach anything, so only a rule without * that is exactly this command does";
}

/** Whether a pattern's words are those of a command, as far as they are known. Without a pattern it means all. */
function meansCommand(pattern: CommandPattern | undefined, { simple }: GatedSimple): boolean {
  return pattern === undefined || (pattern.odd === undefined && matchesWords(pattern, simple.words) !== "no");
}

function meansLine(pattern: CommandPattern | undefined, { commands }: CommandTouch): boolean {
  return commands.some((each) => meansCommand(pattern, each));
}
