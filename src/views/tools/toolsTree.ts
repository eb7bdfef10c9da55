import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import type { ActivityEntry } from "../../core/pipeline/activity.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import { toolIcon } from "../../core/toolIcon.js";
import { RUN_TOOL_COMMAND, TOOLS_VIEW_COMMAND } from "../../names/contributed.js";
import { GROUP_NAMES } from "../../names/groups.js";
import { SETTING } from "../../names/settings.js";
import { firstSentence } from "../../text/sentence.js";
import type { Commands } from "../shared/commandTable.js";
import { headingRow, rowOf } from "../shared/row.js";
import { Tree, type Row } from "../shared/tree.js";
import { clockTime, doorName } from "../shared/words.js";

export interface ToolsTreeHost {
  pipeline: Pick<Pipeline, "available" | "whyUnavailable">;
  /** Whether a setting turns the group on and off. */
  hasSwitch(group: string): boolean;
  /** Turns a group on or off, in the user's settings. */
  turn(group: string, isOn: boolean): Promise<void>;
  /** The latest calls, oldest first. */
  activity: { entries(): readonly ActivityEntry[] };
  onDidChange: readonly vscode.Event<unknown>[];
  now(): number;
}

/** A tool or a group, by its name; undefined for the other rows. */
type Subject = { tool: string } | { group: string } | undefined;

/** The view *Tools*: the tools by group, with their last use in this window. */
export function toolsTree(host: ToolsTreeHost): { tree: Tree<Subject>; commands: Commands } {
  const tree = new Tree<Subject>(
    () => Promise.resolve(rowsOf(host)),
    host.onDidChange,
    async (subject, isOn) => {
      if (subject !== undefined && "group" in subject) {
        await host.turn(subject.group, isOn);
      }
    },
  );
  return {
    tree,
    commands: {
      [TOOLS_VIEW_COMMAND.run.command]: async (row) => {
        const subject = tree.subjectOf(row);
        await (subject && "tool" in subject && vscode.commands.executeCommand(RUN_TOOL_COMMAND, subject));
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
    groups.set(tool.group, [...(groups.get(tool.group) ?? []), toolRow(tool, last, host.now())]);
  }
  const off = new Map<string, Row<Subject>[]>();
  const missing: Row<Subject>[] = [];
  for (const [name, why] of pipeline.whyUnavailable()) {
    const group = "setting" in why ? groupOf(why.setting) : undefined;
    const words = "missing" in why ? missingWords(why.missing) : vscode.l10n.t("off by the setting {0}", why.setting);
    const row = rowOf<Subject>(undefined, {
      ...{ id: `unavailable ${name}`, icon: "circle-slash", label: name },
      words: group === undefined ? [words] : [],
    });
    if (group === undefined) {
      missing.push(row);
    } else {
      off.set(group, [...(off.get(group) ?? []), row]);
    }
  }
  const listed = [
    ...[...groups].map(([group, rows]) => ({ group, rows, isOn: host.hasSwitch(group) ? true : undefined })),
    ...[...off].map(([group, rows]) => ({ group, rows, isOn: false })),
  ].sort((a, b) => placeOf(a.group) - placeOf(b.group));
  return [
    ...listed.flatMap(({ group, rows, isOn }) => groupRow(group, rows, isOn)),
    ...headingRow<Subject>(vscode.l10n.t("Not Available"), undefined, missing, true),
  ];
}

/** A group keeps its place in the list when it is turned off or on. */
function placeOf(group: string): number {
  const names = Object.keys(GROUP_NAMES);
  const place = names.indexOf(group);
  return place < 0 ? names.length : place;
}

/** @param isOn undefined for a group that cannot be turned off */
function groupRow(group: string, tools: readonly Row<Subject>[], isOn: boolean | undefined): Row<Subject>[] {
  const rows = headingRow<Subject>(GROUP_NAMES[group] ?? group, { group }, tools, true);
  for (const { item } of isOn === undefined ? [] : rows) {
    const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
    item.checkboxState = {
      state: isOn ? Checked : Unchecked,
      tooltip: isOn ? vscode.l10n.t("Turn these tools off everywhere") : vscode.l10n.t("Turn these tools on"),
    };
  }
  return rows;
}

/** Returns the group that a setting turns off; undefined if it turns off something else. */
function groupOf(setting: string): string | undefined {
  const start = SETTING.group("");
  return setting.startsWith(start) ? setting.slice(start.length) : undefined;
}

function missingWords(what: string): string {
  return vscode.l10n.t("needs {0}, which is not available here", what);
}

function toolRow(tool: Tool, last: ReadonlyMap<string, ActivityEntry>, now: number): Row<Subject> {
  const { name, title, description, parts = [] } = tool;
  const entry = last.get(name);
  const used =
    entry &&
    (entry.outcome === "ok"
      ? vscode.l10n.t("used {0} by {1}", clockTime(entry.started, now), doorName(entry.door))
      : vscode.l10n.t("failed {0} by {1}", clockTime(entry.started, now), doorName(entry.door)));
  const row = rowOf<Subject>(
    { tool: name },
    {
      ...{ id: name, icon: toolIcon(tool), label: title, words: [name, used ?? ""] },
      // A tool of several parts has a form for each of them.
      ...(parts.length === 0 ? { context: "tool" } : {}),
      more: [firstSentence(description)],
    },
  );
  if (parts.length === 0) {
    return row;
  }
  row.item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
  return { ...row, children: parts.map((part) => toolRow(part.tool, last, now)) };
}
