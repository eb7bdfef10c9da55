import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import { readRules } from "../../core/permission/rules/readRules.js";
import { withParts } from "../../core/toolParts.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import type { Rule, RuleDecision } from "../../ports/rules.js";

interface Choice<T> extends vscode.QuickPickItem {
  value: T;
}

/** Descriptions of fields in a rule. Other fields have only their name. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  command: "the command, by its words: npm test ** is npm test followed by any plain words",
  path: "the files it reaches, relative to the workspace: src/** is everything below src",
  url: "the address it reaches",
  label: "the task's label",
};

const DECISIONS: readonly Choice<RuleDecision>[] = [
  { label: "$(check) Allow", description: "without asking", value: "allow" },
  { label: "$(question) Ask", description: "every time, even if it would be allowed", value: "ask" },
  { label: "$(circle-slash) Deny", description: "always; wins over every other rule", value: "deny" },
];

/**
 * Lets the user create or edit a rule in four steps: the tool, the field that must match, its pattern, the decision.
 *
 * @param initial a rule with at most one param
 * @returns undefined if the user left
 */
export async function fillInRule(title: string, tools: readonly Tool[], initial?: Rule): Promise<Rule | undefined> {
  const tool = await pickTool(title, tools, initial?.tool);
  if (tool === undefined) {
    return undefined;
  }
  const [oldField, oldPattern] = Object.entries(initial?.params ?? {})[0] ?? [];
  const field = await pickField(title, tool, tools, initial === undefined ? undefined : (oldField ?? ""));
  if (field === undefined) {
    return undefined;
  }
  const pattern =
    field === "" ? "" : await typePattern(title, tool, field, tools, field === oldField ? oldPattern : undefined);
  if (pattern === undefined) {
    return undefined;
  }
  const rest: Omit<Rule, "decision"> = { tool, ...(field === "" ? {} : { params: { [field]: pattern } }) };
  const decision = await pickDecision(title, rest, tools, initial?.decision);
  return decision === undefined ? undefined : { ...rest, decision };
}

/** Whether the form can show a rule. Other rules are edited in settings.json. */
export function fitsForm({ tool, params = {} }: Rule): boolean {
  return tool !== "" && Object.keys(params).length <= 1;
}

async function pickTool(title: string, tools: readonly Tool[], now: string | undefined): Promise<string | undefined> {
  const other: Choice<string | undefined> = {
    label: "$(pencil) Several tools…",
    description: "by a pattern for their names, such as context_*",
    value: undefined,
  };
  const items = markNow(
    [
      ...withParts<Tool>(tools).map(({ name, title: description }): Choice<string | undefined> => ({
        label: name,
        description,
        value: name,
      })),
      other,
    ],
    now ?? "exec",
  );
  const picked = await pickOne(`${title} (1/4)`, vscode.l10n.t("Which tool?"), items, now ?? "exec");
  if (picked === undefined || picked.value !== undefined) {
    return picked?.value;
  }
  return vscode.window.showInputBox({
    title: `${title} (1/4)`,
    prompt: vscode.l10n.t("A pattern for tool names; * matches any part of a name."),
    value: now ?? "",
    ignoreFocusOut: true,
    validateInput: (text) => problem({ tool: text, decision: "ask" }, tools),
  });
}

/** @returns a field's name, or "" for any call of the tool */
async function pickField(
  title: string,
  tool: string,
  tools: readonly Tool[],
  now: string | undefined,
): Promise<string | undefined> {
  const known = withParts<Tool>(tools).find(({ name }) => name === tool);
  const own = known === undefined ? ["path", "command"] : Object.keys(known.inputSchema.properties);
  const meant = ["command", "path"].filter(
    (field) => own.includes(field) || (field === "path" && known !== undefined && known.group === "fs"),
  );
  const fields = [...meant, ...own.filter((field) => !meant.includes(field))];
  const items: Choice<string>[] = [
    ...fields.map((field) => ({ label: field, description: FIELD_WORDS[field] ?? "", value: field })),
    { label: vscode.l10n.t("Anything"), description: `every call of ${tool}`, value: "" },
  ];
  return (await pickOne(`${title} (2/4)`, vscode.l10n.t("Which field of the call must match?"), items, now))?.value;
}

async function typePattern(
  title: string,
  tool: string,
  field: string,
  tools: readonly Tool[],
  now: string | undefined,
): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: `${title} (3/4)`,
    prompt:
      FIELD_WORDS[field] === undefined
        ? `${field}; * matches any text.`
        : vscode.l10n.t("Matches {0}.", FIELD_WORDS[field]),
    value: now ?? "",
    placeHolder: field === "command" ? "npm test **" : field === "path" ? "src/**" : "",
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === ""
        ? `${field}: enter a pattern.`
        : problem({ tool, params: { [field]: text }, decision: "ask" }, tools),
  });
}

async function pickDecision(
  title: string,
  rule: Omit<Rule, "decision">,
  tools: readonly Tool[],
  now: RuleDecision | undefined,
): Promise<RuleDecision | undefined> {
  const usable = DECISIONS.map((choice) => {
    const wrong = problem({ ...rule, decision: choice.value }, tools);
    return wrong === undefined ? choice : { ...choice, description: wrong };
  });
  return (await pickOne(`${title} (4/4)`, vscode.l10n.t("What about {0}?", ruleWords(rule)), usable, now))?.value;
}

/** Returns the problem with a rule, worded as everywhere else; undefined if there is none. */
function problem(rule: Rule, tools: readonly Tool[]): string | undefined {
  return readRules([rule], "settings", "", tools)[0]?.broken;
}

function markNow<T>(items: readonly Choice<T>[], now: T): Choice<T>[] {
  // The current choice comes first, so that Enter keeps it.
  return [...items.filter(({ value }) => value === now), ...items.filter(({ value }) => value !== now)];
}

async function pickOne<T>(
  title: string,
  placeHolder: string,
  items: readonly Choice<T>[],
  now: T | undefined,
): Promise<Choice<T> | undefined> {
  const sorted = now === undefined ? items : markNow(items, now);
  return vscode.window.showQuickPick(sorted, { title, placeHolder, ignoreFocusOut: true, matchOnDescription: true });
}
