import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import type { ActivityEntry } from "../../core/pipeline/activity.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import { toolIcon } from "../../core/toolIcon.js";
import { RUN_TOOL_COMMAND, TOOLS_VIEW_COMMAND } from "../../names/contributed.js";
import { GROUP_NAMES } from "../../names/groups.js";
import { firstSentence } from "../../text/sentence.js";
import type { Commands } from "../shared/commandTable.js";
import { headingRow, rowOf } from "../shared/row.js";
import { Tree, type Row } from "../shared/tree.js";
import { clockTime, doorName } from "../shared/words.js";

export interface ToolsTreeHost {
  pipeline: Pick<Pipeline, "available" | "whyUnavailable">;
  /** The latest calls, oldest first. */
  activity: { entries(): readonly ActivityEntry[] };
  onDidChange: readonly vscode.Event<unknown>[];
  now(): number;
}

/** The name of a tool; undefined for a heading and for a tool that cannot be used. */
type Subject = string | undefined;

/** The view *Tools*: the tools by group, with their last use in this window. */
export function toolsTree(host: ToolsTreeHost): { tree: Tree<Subject>; commands: Commands } {
  const tree = new Tree<Subject>(() => Promise.resolve(rowsOf(host)), host.onDidChange);
  return {
    tree,
    commands: {
      [TOOLS_VIEW_COMMAND.run.command]: async (row) => {
        const tool = tree.subjectOf(row);
        await (tool && vscode.commands.executeCommand(RUN_TOOL_COMMAND, { tool }));
      },
    },
  };
}

function rowsOf(host: ToolsTreeHost): Row<Subject>[] {
  const { pipeline, activity } = host;
  const last = new Map(activity.entries().map((entry) => [entry.tool, entry]));
  const groups = new Map<string, Row<Subject>[]>();
  // The tools that end a task are for its agent alone.
  for (const tool of pipeline.available().filter(({ terminal }) => !terminal)) {
    const label = GROUP_NAMES[tool.group] ?? tool.group;
    groups.set(label, [...(groups.get(label) ?? []), toolRow(tool, last, host.now())]);
  }
  const unavailable = [...pipeline.whyUnavailable()].map(([name, why]) => {
    const words =
      "missing" in why
        ? `needs ${why.missing}, which is not available here`
        : `turned off by the setting ${why.setting}`;
    return rowOf<Subject>(undefined, { id: `unavailable ${name}`, icon: "circle-slash", label: name, words: [words] });
  });
  return [
    ...[...groups].flatMap(([label, rows]) => headingRow<Subject>(label, undefined, rows, true)),
    ...headingRow<Subject>(vscode.l10n.t("Not Available"), undefined, unavailable, true),
  ];
}

function toolRow(tool: Tool, last: ReadonlyMap<string, ActivityEntry>, now: number): Row<Subject> {
  const { name, title, description, parts = [] } = tool;
  const entry = last.get(name);
  const used =
    entry &&
    `${entry.outcome === "ok" ? "used" : "failed"} ${clockTime(entry.started, now)} by ${doorName(entry.door)}`;
  const row = rowOf<Subject>(name, {
    ...{ id: name, icon: toolIcon(tool), label: title, words: [name, used ?? ""] },
    // A tool of several parts has a form for each of them.
    ...(parts.length === 0 ? { context: "tool" } : {}),
    more: [firstSentence(description)],
  });
  if (parts.length === 0) {
    return row;
  }
  row.item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  return { ...row, children: parts.map((part) => toolRow(part.tool, last, now)) };
}
