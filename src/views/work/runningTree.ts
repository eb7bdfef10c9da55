import * as vscode from "vscode";
import type { RunningSubagent } from "../../ports/sessions.js";
import { RUNNING_COMMAND } from "../../names/contributed.js";
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import type { Commands } from "../shared/commandTable.js";
import { Tree, type Row } from "../shared/tree.js";
import { clockTime } from "../shared/words.js";
import { openSession } from "./openSession.js";
import type { BackgroundProcesses } from "./processStatus.js";
import type { WorkStatus } from "./status.js";

/** Maximum characters of a label. */
const MAX_LABEL = 120;

export interface RunningTreeHost {
  processes: Pick<BackgroundProcesses, "list" | "onDidChange" | "stop" | "show">;
  agents: { running(): RunningSubagent[]; stop(session: string): void };
  onDidChangeAgents: vscode.Event<unknown>;
  work: Pick<WorkStatus, "running" | "doing" | "onDidChange">;
  now(): number;
}

/** Something that runs, and what can be done with it. */
interface Subject {
  id: string;
  stop: () => void;
  /** For a process: shows its terminal, and returns false if there is none. */
  show?: () => boolean;
  /** For a task or a schedule. */
  session?: string;
}

/** The view *Running*: background processes, sub-agents, tasks and schedules of this window. */
export function runningTree(host: RunningTreeHost): { tree: Tree<Subject>; commands: Commands } {
  const { processes, agents, work } = host;
  const since = (started: number): string => `since ${clockTime(started, host.now()).replace("today at ", "")}`;
  const tree = new Tree<Subject>(
    () =>
      Promise.resolve([
        ...work.running().map((each) =>
          rowOf(
            { id: each.session, stop: each.stop, session: each.session },
            {
              icon: each.kind === "task" ? "checklist" : "watch",
              label: each.name,
              words: [each.kind, work.doing(each)],
              context: "work",
              action: RUNNING_COMMAND.openSession,
            },
          ),
        ),
        ...agents
          .running()
          .map(({ session, title, doing, started }) =>
            rowOf(
              { id: session, stop: () => agents.stop(session) },
              { icon: "hubot", label: title, words: ["sub-agent", doing, since(started)], context: "subagent" },
            ),
          ),
        ...processes.list().map(({ id, command, workdir, started }) =>
          rowOf(
            { id, stop: () => processes.stop(id), show: () => processes.show(id) },
            {
              icon: "terminal",
              label: command,
              words: [id, since(started), workdir === "." ? "" : `in ${workdir}`],
              context: "process",
              action: RUNNING_COMMAND.showTerminal,
            },
          ),
        ),
      ]),
    [processes.onDidChange, host.onDidChangeAgents, work.onDidChange],
  );
  return {
    tree,
    commands: {
      [RUNNING_COMMAND.stop.command]: (row) => tree.subjectOf(row)?.stop(),
      [RUNNING_COMMAND.showTerminal.command]: (row) => {
        const subject = tree.subjectOf(row);
        if (subject?.show?.() === false) {
          void vscode.window.showInformationMessage(`${subject.id} has ended, and its terminal is closed.`);
        }
      },
      [RUNNING_COMMAND.openSession.command]: async (row) => {
        const session = tree.subjectOf(row)?.session;
        await (session && openSession(session));
      },
    },
  };
}

function rowOf(
  subject: Subject,
  shown: {
    icon: string;
    label: string;
    words: readonly string[];
    context: string;
    /** What a click does. */
    action?: { command: string; title: string };
  },
): Row<Subject> {
  // Commands, titles and actions come from models.
  const line = (text: string): string => visibleLine(shorten(oneLine(text), MAX_LABEL));
  const item = new vscode.TreeItem(line(shown.label));
  const words = shown.words.filter((each) => each !== "").map(line);
  const row: Row<Subject> = { item, subject };
  item.id = subject.id;
  item.description = words.join(" · ");
  item.iconPath = new vscode.ThemeIcon(shown.icon);
  item.contextValue = shown.context;
  item.tooltip = [visibleLine(oneLine(shown.label)), words.join(" · ")].join("\n");
  item.accessibilityInformation = { label: [line(shown.label), ...words].join(", ") };
  if (shown.action !== undefined) {
    item.command = { command: shown.action.command, title: shown.action.title, arguments: [row] };
  }
  return row;
}
