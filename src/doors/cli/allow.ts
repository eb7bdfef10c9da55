import { readRules } from "../../core/permission/rules/readRules.js";
import type { Tool } from "../../core/contract.js";
import { isRecord } from "../../core/jsonSchema.js";
import { shorten } from "../../text/clip.js";
import type { PlacedRule, Rule } from "../../ports/rules.js";
import { messageOf } from "../../text/words.js";

/** Characters of what was given, in what is said of it. */
const MAX_SHOWN = 100;
/** `exec(command: npm test **)`: a tool's name or a glob, and one field with its glob. */
const SHORT_FORM = /^([\w*-]+)\s*\(\s*([\w.-]+)\s*:\s*(.*?)\s*\)$/s;

/** How rules are given, for messages and the help. */
export const ALLOW_FORMS =
  "a tool's name (exec), a tool and what one of its fields may be (exec(command: npm test **)), or a rule as JSON";

/**
 * A rule as `--allow` gives it. It covers what the same rule in the settings covers, so secrets, protected files,
 * places outside and other users' rights are for no tool's name to open (docs/permissions.md).
 *
 * @returns the rule, or what is wrong with it
 */
function readAllowed(given: string, tools: readonly Tool[]): PlacedRule | { problem: string } {
  const text = given.trim();
  const shown = shorten(text, MAX_SHOWN);
  const value = text.startsWith("{") ? readJson(text) : readShortForm(text);
  if (typeof value === "string") {
    return { problem: `--allow ${shown}: ${value}` };
  }
  const [rule] = readRules([value], "command line", "--allow", tools);
  if (rule === undefined || rule.broken !== undefined) {
    return { problem: `--allow ${shown}: ${rule?.broken ?? "no rule"}.` };
  }
  return { ...rule, place: "--allow" };
}

/**
 * The rules of `--allow`, one for each time that it is given.
 *
 * @throws what `door.usage` makes of one that cannot be read
 */
export function readAllowedRules(
  given: readonly string[] = [],
  door: { tools: readonly Tool[]; usage: (message: string) => Error },
): PlacedRule[] {
  return given.map((words) => {
    const rule = readAllowed(words, door.tools);
    if ("problem" in rule) {
      throw door.usage(rule.problem);
    }
    return rule;
  });
}

/** The flag that a rule is given with, ready for a shell. */
export function allowFlag({ tool, params = {} }: Rule): string {
  const entries = Object.entries(params);
  const [only] = entries;
  const short = only === undefined ? tool : `${tool}(${only[0]}: ${only[1]})`;
  // What the short form would not give back as it is.
  const isShort = entries.length <= 1 && (only === undefined || SHORT_FORM.exec(short)?.[3] === only[1]);
  return `--allow ${quoted(isShort ? short : JSON.stringify({ tool, params }))}`;
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function readJson(text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `it is no JSON: ${messageOf(error)}.`;
  }
  if (!isRecord(value)) {
    return "a rule {tool, params} is expected.";
  }
  if (value["decision"] !== undefined && value["decision"] !== "allow") {
    return "decision: rules of --allow allow; leave it out.";
  }
  return { ...value, decision: "allow" };
}

function readShortForm(text: string): Record<string, unknown> | string {
  if (/^[\w*-]+$/.test(text)) {
    return { tool: text, decision: "allow" };
  }
  const [, tool, field, glob] = SHORT_FORM.exec(text) ?? [];
  if (tool === undefined || field === undefined || glob === undefined || glob === "") {
    const [, name, words] = /^([\w*-]+)\s*\((.*)\)$/s.exec(text) ?? [];
    const named =
      name === undefined || words === undefined || words.trim() === ""
        ? ""
        : ` Name the field, as in ${name}(${name === "exec" ? "command" : "path"}: ${shorten(words.trim(), MAX_SHOWN)}).`;
    return `expected is ${ALLOW_FORMS}.${named}`;
  }
  return { tool, params: { [field]: glob }, decision: "allow" };
}
