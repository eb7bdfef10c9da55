import type { PlacedRule, Rule, RuleDecision, RuleSource } from "../../../ports/rules.js";
import { shorten } from "../../../text/clip.js";
import { nearestNames } from "../../../text/nearest.js";
import type { Tool } from "../../contract.js";
import { describeValue } from "../../pipeline/issues.js";
import { isRecord } from "../../jsonSchema.js";
import { commandPattern } from "./commandPattern.js";
import { ourToolsFor } from "../../pipeline/peerTools.js";
import { withParts } from "../../toolParts.js";
import { matchesText } from "./patterns.js";

const DECISIONS: readonly RuleDecision[] = ["allow", "ask", "deny"];
const FIELDS = ["tool", "params", "decision"];
/** Params with a fixed meaning in rules, whatever the tool calls the field. */
const MEANINGS = ["path", "command", "url", "sandbox"];
/**
 * Maximum length of a name or glob, in characters: no person would write a longer one, except for a whole command line.
 */
const MAX_GLOB = 1_000;
const MAX_COMMAND = 10_000;
/** Maximum length of a name in a message about a rule, in characters. */
const MAX_NAMED = 60;

/** A tool that rules are checked against. */
export type KnownTool = Pick<Tool, "name" | "inputSchema" | "aliases" | "parts">;

/**
 * Reads rules as a user wrote them. A rule's problem is in `broken`, and its `rule` is what can be understood of it:
 * such a rule that allows is ignored; one that denies or asks applies to everything it covers in this form (an unknown
 * decision asks).
 * @param value anything; undefined for no rules
 * @param place names the list for people: `toolhost.permissions.rules`
 */
export function readRules(
  value: unknown,
  source: RuleSource,
  place: string,
  tools: readonly KnownTool[],
): PlacedRule[] {
  if (value === undefined || value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    return [
      {
        rule: { tool: "", decision: "ask" },
        source,
        place,
        broken: `expected a list of rules, got ${describeValue(value)}`,
      },
    ];
  }
  return value.map((item: unknown, index) => readRule(item, source, `${place}[${index}]`, tools));
}

function readRule(item: unknown, source: RuleSource, place: string, tools: readonly KnownTool[]): PlacedRule {
  if (!isRecord(item)) {
    // It does not say what it is about, so it applies to nothing.
    return {
      rule: { tool: "", decision: "ask" },
      source,
      place,
      broken: `expected a rule {tool, params, decision}, got ${describeValue(item)}`,
    };
  }
  const problems: string[] = Object.keys(item).flatMap((field) =>
    FIELDS.includes(field) ? [] : [unknownField(field)],
  );
  const decision = DECISIONS.find((known) => known === item["decision"]);
  if (decision === undefined) {
    problems.push(`decision: must be one of ${DECISIONS.join(", ")}, got ${describeValue(item["decision"])}`);
  }
  const tool = readTool(item["tool"], tools, problems);
  const params = readParams(
    item["params"],
    withParts<KnownTool>(tools).filter(({ name }) => matchesText(tool ?? "*", name)),
    decision,
    problems,
  );
  const nothing = decision === undefined && tool === undefined && params === undefined;
  const rule: Rule = {
    tool: nothing ? "" : (tool ?? "*"),
    ...(params === undefined ? {} : { params }),
    decision: decision ?? "ask",
  };
  return { rule, source, place, ...(problems.length === 0 ? {} : { broken: problems.join("; ") }) };
}

function unknownField(field: string): string {
  const near = nearestNames(field, FIELDS, 1)[0];
  return `${shorten(field, MAX_NAMED)}: a rule has no such field${near === undefined ? "" : ` (did you mean ${near}?)`}`;
}

function readTool(value: unknown, tools: readonly KnownTool[], problems: string[]): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > MAX_GLOB) {
    problems.push(`tool: expected a tool's name or a glob, got ${describeValue(value)}`);
    return undefined;
  }
  if (!withParts<KnownTool>(tools).some(({ name }) => matchesText(value, name))) {
    const names = withParts<KnownTool>(tools).map(({ name }) => name);
    const near = ourToolsFor(value, names)[0] ?? nearestNames(value, names, 1)[0];
    problems.push(
      `tool: no tool is called ${shorten(value, MAX_NAMED)}${near === undefined ? "" : ` (did you mean ${near}?)`}`,
    );
  }
  return value;
}

function readParams(
  value: unknown,
  tools: readonly KnownTool[],
  decision: RuleDecision | undefined,
  problems: string[],
): Record<string, string> | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (!isRecord(value)) {
    problems.push(`params: expected an object, got ${describeValue(value)}`);
    return undefined;
  }
  const understood = Object.entries(value).filter(([name, glob]) => {
    const problem = paramProblem(name, glob, tools);
    if (problem !== undefined) {
      problems.push(`params.${shorten(name, MAX_NAMED)}: ${problem}`);
    }
    return problem === undefined;
  }) as [string, string][];
  for (const [name, glob] of understood) {
    const odd = name === "command" ? commandPattern(glob).odd : undefined;
    // A whole command line may be allowed word for word; rules that deny apply to single commands, anywhere in a line.
    if (odd !== undefined && (decision !== "allow" || !odd.endsWith("is not part of a word"))) {
      problems.push(`params.command: ${odd}`);
    }
  }
  return understood.length === 0 ? undefined : Object.fromEntries(understood);
}

function paramProblem(name: string, glob: unknown, tools: readonly KnownTool[]): string | undefined {
  if (typeof glob !== "string") {
    return `expected text, got ${describeValue(glob)}`;
  }
  const limit = name === "command" ? MAX_COMMAND : MAX_GLOB;
  if (glob.length > limit) {
    return `at most ${limit} characters, got ${glob.length}`;
  }
  if (
    tools.length === 0 ||
    MEANINGS.includes(name) ||
    tools.some(({ inputSchema }) => Object.hasOwn(inputSchema.properties, name))
  ) {
    return undefined;
  }
  const alias = tools
    .flatMap(({ aliases }) => (Object.hasOwn(aliases, name) ? [aliases[name]] : []))
    .find((meaning) => typeof meaning === "string");
  const near =
    alias ??
    nearestNames(
      name,
      tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties)),
      1,
    )[0];
  return `no matching tool has this field${near === undefined ? "" : ` (did you mean ${near}?)`}`;
}
