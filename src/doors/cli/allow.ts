import { readRules } from "../../core/permission/rules/readRules.js";
import type { Tool } from "../../core/contract.js";
import { ourToolsFor } from "../../core/pipeline/peerTools.js";
import { isRecord } from "../../core/jsonSchema.js";
import { shorten } from "../../text/clip.js";
import type { PlacedRule, Rule } from "../../ports/rules.js";
import { messageOf } from "../../text/words.js";

/** Maximum characters of the given rule in an error. */
const MAX_SHOWN = 100;
/** `exec(command: npm test **)`: a tool's name or a glob, and one field with its glob. */
const SHORT_FORM = /^([\w*-]+)\s*\(\s*([\w.-]+)\s*:\s*(.*?)\s*\)$/s;

/** The forms of a rule, for messages and help. */
export const ALLOW_FORMS =
  "a tool's name (exec: its ordinary work), a tool with a glob for one field (exec(command: npm test **)), or a rule as JSON";

/** What `--allow-all` does, for help. */
export const ALLOW_ALL =
  "allow everything inside the folder without asking, and every command whatever it does: for containers and CI";

/**
 * Reads a rule given with `--allow`. It covers what the same rule in the settings covers, so a tool's name alone does
 * not open secrets, protected files, outside places or other users' rights (docs/permissions.md).
 *
 * @returns the rule, or the problem with it
 */
function readAllowed(given: string, tools: readonly Tool[]): PlacedRule | { problem: string } {
  const text = given.trim();
  const shown = shorten(text, MAX_SHOWN);
  const value = text.startsWith("{") ? readJson(text) : readShortForm(text, tools);
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
 * Reads the rules given with `--allow`, one per flag.
 *
 * @throws the error of `door.usage` for a rule that cannot be read
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

/** Returns the `--allow` flag for a rule, quoted for a shell. */
export function allowFlag({ tool, params = {} }: Rule): string {
  const entries = Object.entries(params);
  const [only] = entries;
  const short = only === undefined ? tool : `${tool}(${only[0]}: ${only[1]})`;
  // Only if the short form reads back as the same rule.
  const isShort = entries.length <= 1 && (only === undefined || SHORT_FORM.exec(short)?.[3] === only[1]);
  return `--allow ${quoted(isShort ? short : JSON.stringify({ tool, params }))}`;
}

/** Quotes a text as one shell word. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function readJson(text: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `it is not JSON: ${messageOf(error)}.`;
  }
  if (!isRecord(value)) {
    return "expected a rule {tool, params}.";
  }
  if (value["decision"] !== undefined && value["decision"] !== "allow") {
    return "decision: rules of --allow always allow; omit it.";
  }
  return { ...value, decision: "allow" };
}

function readShortForm(text: string, tools: readonly Tool[]): Record<string, unknown> | string {
  if (/^[\w*-]+$/.test(text)) {
    return { tool: text, decision: "allow" };
  }
  const several = text.split(/[\s,]+/);
  if (several.every((each) => /^[\w*-]+$/.test(each))) {
    return `expected one rule. Repeat the flag for each: ${several.map((each) => `--allow ${each}`).join(" ")}.`;
  }
  const [, tool, field, glob] = SHORT_FORM.exec(text) ?? [];
  if (tool === undefined || field === undefined || glob === undefined || glob === "") {
    const [, name, words] = /^([\w*-]+)\s*\((.*)\)$/s.exec(text) ?? [];
    const names = tools.map((each) => each.name);
    const own = name === undefined || names.includes(name) ? name : (ourToolsFor(name, names)[0] ?? name);
    const named =
      own === undefined || words === undefined || words.trim() === ""
        ? ""
        : ` Name the field, as in ${own}(${own === "exec" ? "command" : "path"}: ${shorten(words.trim(), MAX_SHOWN)}).`;
    return `expected ${ALLOW_FORMS}.${named}`;
  }
  return { tool, params: { [field]: glob }, decision: "allow" };
}
