import { commandWords } from "../../../shell/judge.js";
import type { SimpleCommand } from "../../../shell/analysis.js";
import type { Tool } from "../../contract.js";
import type { Rule } from "../../../ports/rules.js";
import { actingTool } from "../../toolParts.js";
import { patternOf } from "./commandPattern.js";
import { compileRule } from "./compiledRule.js";
import type { Concern } from "../concerns.js";
import type { Call, CallPart } from "../commands/parts.js";
import { ruleCovers } from "./covers.js";
import { escapedPath } from "./patterns.js";

/** Maximum number of files at the top of the workspace that are named individually. More are not a narrow rule. */
const MAX_FILES = 5;
/** Maximum number of rules offered together. */
const MAX_RULES = 8;
/**
 * Maximum length of a command that is allowed word for word, in characters. No one reads a longer one in the settings.
 */
const MAX_COMMAND = 300;

/**
 * Returns the narrowest rules that would allow a call from now on: each is checked to do so. Empty if no rule may allow
 * some part of the call.
 */
export function deriveRules(call: Call, concerns: readonly Concern[]): Rule[] {
  if (concerns.length === 0 || concerns.some(({ derivable }) => !derivable)) {
    return [];
  }
  const parts = concerns.map(({ part }) => part);
  const rules = unique([...fileRules(call, parts), ...commandRules(call, parts), ...otherRules(call, parts)]);
  return isEachCovered(call, parts, rules) ? rules : [];
}

/**
 * Returns rules that name exactly what a call reaches, which also open what no rule is offered for, such as a file with
 * secrets. Each is checked to do so; empty if no rule may allow some part of the call.
 */
export function exactRules(call: Call, concerns: readonly Concern[]): Rule[] {
  const parts = concerns.map(({ part }) => part);
  const { name } = actingTool(call.tool, call.input);
  const files = parts.flatMap((part): Rule[] =>
    part.kind === "file" ? [{ tool: name, params: { path: escapedPath(part.touch.at.path) }, decision: "allow" }] : [],
  );
  const { input } = call.input;
  const typed = parts.flatMap((part): Rule[] =>
    part.kind === "opaque" && part.what === "input" && typeof input === "string"
      ? [{ tool: name, params: { input }, decision: "allow" }]
      : [],
  );
  const rules = unique([...files, ...typed, ...commandRules(call, parts), ...otherRules(call, parts)]);
  return isEachCovered(call, parts, rules) ? rules : [];
}

function isEachCovered(call: Call, parts: readonly CallPart[], rules: readonly Rule[]): boolean {
  const compiled = rules.map((rule) => compileRule({ rule, source: "session", place: "" }));
  return rules.length <= MAX_RULES && parts.every((part) => compiled.some((rule) => ruleCovers(rule, call, part)));
}

function fileRules({ tool, input }: Call, parts: readonly CallPart[]): Rule[] {
  const touches = parts.flatMap((part) => (part.kind === "file" ? [part.touch] : []));
  const inside = touches.filter(({ at }) => at.outside !== true).map(({ at }) => at.path);
  const outside = touches
    .filter(({ at }) => at.outside === true)
    // A file outside says nothing about its neighbours: only a folder that was asked for is offered whole.
    .map(({ at, folder }) =>
      folder === true && at.path !== "/" ? `${escapedPath(at.path)}/**` : escapedPath(at.path),
    );
  const folder = commonFolder(inside);
  const below =
    folder === undefined ? (inside.length > MAX_FILES ? [] : inside.map(escapedPath)) : [`${escapedPath(folder)}/**`];
  // A rule offered for writing a document must not allow to delete it.
  const { name } = actingTool(tool, input);
  return [...below, ...outside].map((path) => ({ tool: name, params: { path }, decision: "allow" }));
}

/** Returns the folder that contains all paths, undefined if it is the workspace itself. */
function commonFolder(paths: readonly string[]): string | undefined {
  const [first, ...rest] = paths.map((path) => path.split("/").slice(0, -1));
  if (first === undefined) {
    return undefined;
  }
  const length = first.findIndex((name, index) => rest.some((other) => other[index] !== name));
  const common = length < 0 ? first : first.slice(0, length);
  return common.length === 0 ? undefined : common.join("/");
}

function commandRules({ tool }: Call, parts: readonly CallPart[]): Rule[] {
  const lines = unique(parts.flatMap((part) => (part.kind === "redirection" ? [part.line.command.trim()] : [])));
  const commands = parts.flatMap((part) =>
    part.kind === "command" && !lines.includes(part.line.command.trim()) ? [part.of.simple] : [],
  );
  // A redirection belongs to no command's words: the whole line is allowed as written.
  const patterns = [
    ...lines.filter((line) => !line.includes("\n")),
    ...commands.flatMap((simple) => commandRule(simple) ?? []),
  ];
  return patterns
    .filter((pattern) => pattern.length <= MAX_COMMAND)
    .map((command) => ({ tool: tool.name, params: { command }, decision: "allow" }));
}

/** Returns the words that determine what a command does, or all of them if no prefix is safe. */
function commandRule(simple: SimpleCommand): string | undefined {
  const words = simple.words.filter((word) => word !== undefined);
  if (words.length < simple.words.length) {
    return undefined;
  }
  const usual = commandWords(words);
  const hasGlobalFlags = usual.length !== words.length || usual.some((word, index) => word !== words[index]);
  const isOpen =
    simple.prefix > 0 &&
    simple.effect !== "destroys" &&
    !simple.beyondPrefix &&
    simple.closed !== true &&
    !hasGlobalFlags;
  const kept = isOpen ? words.slice(0, simple.prefix) : words;
  return kept.some((word) => /[\r\n]/.test(word)) ? undefined : patternOf(kept, isOpen);
}

function otherRules({ tool, input }: Call, parts: readonly CallPart[]): Rule[] {
  return parts.flatMap((part): Rule[] => {
    if ((part.kind === "network" || part.kind === "opaque") && part.by !== undefined && part.by.length > 0) {
      return byFields(tool, input, part.by);
    }
    if (part.kind === "network") {
      return URL.canParse(part.url)
        ? [{ tool: tool.name, params: { url: new URL(part.url).origin }, decision: "allow" }]
        : [];
    }
    if (part.kind === "program") {
      return [{ tool: tool.name, decision: "allow" }];
    }
    if (part.kind !== "opaque") {
      return [];
    }
    const { label } = input;
    return part.what === "task"
      ? typeof label === "string" && !label.includes("*")
        ? [{ tool: tool.name, params: { label }, decision: "allow" }]
        : []
      : [{ tool: tool.name, decision: "allow" }];
  });
}

/** Returns a rule for exactly these values. A value with a star would be read as a pattern. */
function byFields(tool: Tool, input: Call["input"], fields: readonly string[]): Rule[] {
  const params = fields.map((field) => [field, input[field]] as const);
  const isPlain = params.every(([, value]) => typeof value === "string" && !value.includes("*"));
  return isPlain
    ? [{ tool: tool.name, params: Object.fromEntries(params) as Record<string, string>, decision: "allow" }]
    : [];
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
