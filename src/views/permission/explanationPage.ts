import type { Effect } from "../../shell/analysis.js";
import type { Explanation } from "../../core/permission/explain.js";
import type { PermissionMode } from "../../core/permission/modes.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import { clipStart } from "../../text/clip.js";
import { codeFence, codeSpan, sentenceMarkdown } from "../../text/fence.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";

/** Maximum characters of the input on its page. */
const MAX_INPUT = 4_000;
/** Maximum characters of a table cell. */
const MAX_CELL = 200;
/** Maximum number of files shown per part of a command. */
const MAX_PATHS = 8;

/** How the name of a default begins (core/permission/modes.ts). */
const DEFAULT = "default: ";

const HEADINGS = { allow: "Runs without asking", ask: "Asks first", deny: "Is refused" } as const satisfies Record<
  Explanation["decision"],
  string
>;

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: "only reads",
  changes: "changes something",
  destroys: "destroys or publishes",
  unknown: "unknown",
};

/** The explained call, and the circumstances. */
export interface ExplainedCall {
  tool: string;
  input: unknown;
  mode: PermissionMode;
  trusted: boolean;
}

/**
 * Formats a decision as a Markdown page: first what is decided, why, and how to allow it, then the details. No text from
 * outside can become markup.
 */
export function explanationPage(call: ExplainedCall, explanation: Explanation): string {
  const { tool, input, mode, trusted } = call;
  const { decision, rule, reasons, commands } = explanation;
  const isDefault = rule.startsWith(DEFAULT);
  return [
    `# ${HEADINGS[decision]}`,
    shownInput(tool, input),
    ...(reasons.length === 0
      ? []
      : ["## Why", reasons.map((reason) => `- ${sentenceMarkdown(sentence(visibleLine(reason)))}`).join("\n")]),
    ...(decision === "allow" ? [] : ["## How to allow it", ...howToAllow(call, explanation)]),
    ...(commands.length === 0 ? [] : ["## The command, part by part", commandTable(commands)]),
    "## What decided",
    table(
      ["", ""],
      [
        ["Tool", codeSpan(tool)],
        [
          isDefault ? "Default" : "Rule",
          sentenceMarkdown(sentence(visibleLine(isDefault ? rule.slice(DEFAULT.length) : rule), isDefault)),
        ],
        ["Mode", trusted ? codeSpan(mode) : `${codeSpan(mode)}, in an untrusted workspace`],
      ],
    ),
    "---",
    "This is only an explanation: nothing was run.",
  ].join("\n\n");
}

function howToAllow({ mode, trusted }: ExplainedCall, { decision, rule, derived }: Explanation): string[] {
  if (derived.length > 0) {
    return [
      derived.map((each) => `- ${codeSpan(visibleLine(ruleWords(each)))}`).join("\n"),
      `The question offers ${derived.length === 1 ? "this rule" : "these rules"}, and *Toolhost: Permissions…* adds and removes rules.`,
    ];
  }
  if (!rule.startsWith(DEFAULT)) {
    return [
      `A rule of yours ${decision === "ask" ? "asks about" : "refuses"} it: change it with *Toolhost: Permissions…*.`,
    ];
  }
  if (decision === "ask") {
    return ["Allow it once when you are asked: the question offers no rule for it."];
  }
  return [
    trusted
      ? `Choose a mode other than ${codeSpan(mode)}: the setting \`toolhost.permissionMode\`.`
      : "Trust the workspace with *Workspaces: Manage Workspace Trust*.",
  ];
}

function shownInput(tool: string, input: unknown): string {
  const command = tool === "exec" && isCommand(input) ? input.command : undefined;
  const { text, notice } = showHidden(command ?? JSON.stringify(input, undefined, 2) ?? "", command === undefined);
  const shown = clipStart(text, MAX_INPUT);
  const rest = text.length - shown.length;
  return [
    ...(notice === undefined ? [] : [notice]),
    codeFence(shown, command === undefined ? "json" : "bash"),
    ...(rest > 0 ? [`… and ${rest} more characters.`] : []),
  ].join("\n\n");
}

/** Whether an exec input has only a command. */
function isCommand(input: unknown): input is { command: string } {
  return (
    typeof input === "object" &&
    input !== null &&
    "command" in input &&
    typeof input.command === "string" &&
    Object.keys(input).length === 1
  );
}

function commandTable(commands: Explanation["commands"]): string {
  return table(
    ["Part", "Effect", "Why", "Reaches"],
    commands.map(({ text, effect, why, paths }) => [
      cell(text),
      EFFECTS[effect],
      why === "" ? "" : sentenceMarkdown(sentence(visibleLine(why).replace(/^it /, ""))),
      reached(paths),
    ]),
  );
}

function reached(paths: Explanation["commands"][number]["paths"]): string {
  const unique = [...new Map(paths.map((use) => [`${use.kind} ${use.path}`, use])).values()];
  const shown = unique
    .slice(0, MAX_PATHS)
    .map(({ kind, path }) => `${kind === "write" ? "writes " : ""}${path === "." ? "this folder" : cell(path)}`);
  const rest = unique.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

function cell(text: string): string {
  return codeSpan(clipStart(visibleLine(text), MAX_CELL));
}

/** Makes a complete sentence of a reason: the reasons of refusals are only parts of one. */
function sentence(text: string, isProse = true): string {
  return !isProse ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A bar ends a cell unless escaped, even in code (GFM 4.10).
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text) => text.replaceAll(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
