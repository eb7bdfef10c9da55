import * as vscode from "vscode";
import type { RunningSubagent } from "../../ports/sessions.js";
import { RUNNING_COMMAND } from "../../names/contributed.js";
import type { Commands } from "../shared/commandTable.js";
import { rowOf } from "../shared/row.js";
import { Tree } from "../shared/tree.js";
import { kindWords } from "./status.js";
import { sinceWhen } from "../shared/words.js";
import { openSession } from "./openSession.js";
import type { BackgroundProcesses } from "./processStatus.js";
import type { WorkStatus } from "./status.js";

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

/** The view *Running*: background processes, subagents, tasks and schedules of this window. */
export function runningTree(host: RunningTreeHost): { tree: Tree<Subject>; commands: Commands } {
  const { processes, agents, work } = host;
  const since = (started: number): string => vscode.l10n.t("since {0}", sinceWhen(started, host.now()));
  const tree = new Tree<Subject>(
    () =>
      Promise.resolve([
        ...work.running().map((each) =>
          rowOf(
            { id: each.session, stop: each.stop, session: each.session },
            {
              id: each.session,
              icon: each.kind === "task" ? "checklist" : "calendar",
              label: each.title,
              words: [kindWords(each.kind), work.doing(each)],
              context: "work",
              action: RUNNING_COMMAND.openSession,
            },
          ),
        ),
        ...agents.running().map(({ session, title, doing, started }) =>
          rowOf(
            { id: session, stop: () => agents.stop(session) },
            {
              id: session,
              icon: "hubot",
              label: title,
              words: [vscode.l10n.t("subagent"), doing, since(started)],
              context: "subagent",
            },
          ),
        ),
        ...processes.list().map(({ id, command, workdir, started }) =>
          rowOf(
            { id, stop: () => processes.stop(id), show: () => processes.show(id) },
            {
              id,
              icon: "terminal",
              label: command,
              words: [id, since(started), workdir === "." ? "" : vscode.l10n.t("in {0}", workdir)],
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
          void vscode.window.showInformationMessage(
            vscode.l10n.t("{0} has ended, and its terminal is closed.", subject.id),
          );
        }
      },
      [RUNNING_COMMAND.openSession.command]: async (row) => {
        const session = tree.subjectOf(row)?.session;
        await (session && openSession(session));
      },
    },
  };
}
