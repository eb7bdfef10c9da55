import * as vscode from "vscode";
import { TASK, TASK_PRIORITIES, type TaskFields, type TaskStatus } from "../../features/documents/task.js";
import { openBlockers } from "../../features/documents/tasks.js";
import { STATE_FOLDER } from "../../names/stateFolder.js";
import { RUN_TOOL_COMMAND, WORK_COMMAND, WORK_VIEW_COMMAND } from "../../names/contributed.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Files } from "../../ports/files.js";
import { cronWords } from "../../text/cronWords.js";
import { nextRuns, readSchedules, stateOf, type ScheduleFile } from "../../tools/automation/scheduleFiles.js";
import { listDocuments } from "../../tools/documents/documentFiles.js";
import type { Listed } from "../../tools/documents/documentType.js";
import type { Commands } from "../shared/commandTable.js";
import { headingRow, rowOf } from "../shared/row.js";
import { Tree, type Row } from "../shared/tree.js";
import { clockTime } from "../shared/words.js";
import { openSession } from "./openSession.js";

/** How a task's state is shown, in the order of the list: first what is being done, then what needs somebody. */
const STATUSES: Readonly<Record<TaskStatus, { icon: string; words: string }>> = {
  in_progress: { icon: "sync~spin", words: vscode.l10n.t("in progress") },
  waiting: { icon: "question", words: vscode.l10n.t("waiting") },
  failed: { icon: "error", words: vscode.l10n.t("failed") },
  pending: { icon: "circle-large-outline", words: vscode.l10n.t("pending") },
  complete: { icon: "check", words: vscode.l10n.t("complete") },
};

export interface WorkTreeHost {
  files: Files;
  approvals: Pick<ApprovedDocuments, "isApproved">;
  /** Returns the URI of a workspace path, whether or not there is a file; undefined if it is outside the workspace. */
  addressOf(path: string): Promise<vscode.Uri | undefined>;
  /** Returns why no schedule runs in this window; undefined if they run. */
  restOfSchedules(): string | undefined;
  /** Starts a schedule now, or says why not. */
  runSchedule(name: string): Promise<void>;
  /** Tells that files, approvals or running work have changed. Changes made by others are watched. */
  onDidChange: readonly vscode.Event<unknown>[];
  now(): number;
}

/** A task's or schedule's file; nothing for a heading. */
interface Subject {
  path?: string;
  task?: string;
  schedule?: string;
  session?: string | undefined;
}

/** Times that a new schedule is offered. */
const COMMON_TIMES = ["0 9 * * 1-5", "0 9 * * *", "0 9 * * 1", "0 * * * *"] as const;

/** The view *Tasks & Schedules*: their files, the malformed ones with their problem. */
export function workTree(
  host: WorkTreeHost,
): vscode.Disposable & { tree: vscode.TreeDataProvider<unknown>; commands: Commands } {
  // Of a folder that was just created with files in it, VS Code may tell the folder alone.
  const watched = ["", "/tasks", "/schedules", "/tasks/*.md", "/schedules/*.md"].map((end) => STATE_FOLDER + end);
  const watcher = vscode.workspace.createFileSystemWatcher(`**/{${watched.join(",")}}`);
  // What the watcher misses is listed at the latest when the user comes back from where it was made.
  const { onDidChangeWindowState } = vscode.window;
  const tree = new Tree<Subject>(async () => {
    if (host.files.roots().length === 0) {
      return [];
    }
    const { signal } = new AbortController();
    const [tasks, schedules] = [await listDocuments(host.files, TASK, signal), await readSchedules(host.files, signal)];
    const scheduleRows = await Promise.all(schedules.map((file) => scheduleRow(host, file)));
    return [
      ...headingRow<Subject>(vscode.l10n.t("Tasks"), {}, taskRows(tasks)),
      ...headingRow<Subject>(vscode.l10n.t("Schedules"), {}, scheduleRows),
    ];
  }, [...host.onDidChange, ...[watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete, onDidChangeWindowState]]);
  const fill = async (tool: string, title: string, input: object = {}): Promise<void> => {
    const run = vscode.l10n.t("Create");
    await vscode.commands.executeCommand(RUN_TOOL_COMMAND, { tool, title, run, input });
  };
  return {
    tree,
    commands: {
      [WORK_VIEW_COMMAND.refresh.command]: () => tree.refresh(),
      [WORK_VIEW_COMMAND.newTask.command]: () => fill("task_write", vscode.l10n.t("New Task")),
      [WORK_VIEW_COMMAND.newSchedule.command]: async () => {
        const when = await pickTimes();
        await (when && fill("schedule_write", vscode.l10n.t("New Schedule"), when));
      },
      [WORK_VIEW_COMMAND.run.command]: async (row) => {
        const { task } = tree.subjectOf(row) ?? {};
        await (task && vscode.commands.executeCommand(WORK_COMMAND.runTask, { task }));
      },
      [WORK_VIEW_COMMAND.runSchedule.command]: async (row) => {
        const { schedule } = tree.subjectOf(row) ?? {};
        await (schedule && host.runSchedule(schedule));
      },
      [WORK_VIEW_COMMAND.approve.command]: async (row) => {
        const { schedule } = tree.subjectOf(row) ?? {};
        await (schedule && vscode.commands.executeCommand(WORK_COMMAND.approve, { schedule }));
      },
      [WORK_VIEW_COMMAND.open.command]: async (row) => {
        const { path } = tree.subjectOf(row) ?? {};
        const uri = path === undefined ? undefined : await host.addressOf(path);
        await (uri && vscode.commands.executeCommand("vscode.open", uri));
      },
      [WORK_VIEW_COMMAND.openSession.command]: async (row) => {
        const { session } = tree.subjectOf(row) ?? {};
        await (session && openSession(session));
      },
    },
    dispose: () => {
      tree.dispose();
      watcher.dispose();
    },
  };
}

/**
 * Asks when a schedule runs, since few people write cron.
 *
 * @returns no times if they are to be typed; undefined if the user left
 */
async function pickTimes(): Promise<{ schedule?: string } | undefined> {
  const rows: (vscode.QuickPickItem & { schedule?: string })[] = [
    ...COMMON_TIMES.map((schedule) => ({
      label: sentence(cronWords(schedule) ?? schedule),
      description: schedule,
      schedule,
    })),
    { label: vscode.l10n.t("Other times…"), description: vscode.l10n.t("typed as cron") },
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t("Toolhost: New Schedule"),
    placeHolder: vscode.l10n.t("When does it run?"),
    ignoreFocusOut: true,
  });
  return picked && (picked.schedule === undefined ? {} : { schedule: picked.schedule });
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function taskRows(listed: readonly Listed<TaskFields>[]): Row<Subject>[] {
  const tasks = listed.flatMap(({ parsed }) => (parsed.ok ? [parsed.document] : []));
  const order = Object.keys(STATUSES);
  const rankOf = ({ parsed }: Listed<TaskFields>): number =>
    parsed.ok
      ? order.indexOf(parsed.document.fields.status) * TASK_PRIORITIES.length +
        TASK_PRIORITIES.indexOf(parsed.document.fields.priority)
      : -1;
  return listed
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map(({ name, path, parsed }) => {
      if (!parsed.ok) {
        return malformedRow(name, path, parsed.problem);
      }
      const { title, status, priority, waiting_reason, output, session } = parsed.document.fields;
      const blockers = status === "pending" ? openBlockers(parsed.document, tasks) : [];
      return rowOf(
        { path, task: name, session },
        {
          id: path,
          action: WORK_VIEW_COMMAND.open,
          icon: STATUSES[status].icon,
          label: title,
          words: [
            STATUSES[status].words,
            priority === "medium" ? "" : vscode.l10n.t("{0} priority", priority),
            blockers.length === 0 ? "" : vscode.l10n.t("after {0}", blockers.join(", ")),
            (status === "waiting" ? waiting_reason : status === "failed" ? output : undefined) ?? "",
          ],
          context: [
            "task file",
            ...(status === "pending" && blockers.length === 0 ? ["pending"] : []),
            ...(session === undefined ? [] : ["session"]),
          ].join(" "),
        },
      );
    });
}

async function scheduleRow(host: WorkTreeHost, file: ScheduleFile): Promise<Row<Subject>> {
  const { name, path, parsed } = file;
  if (!parsed.ok) {
    return malformedRow(name, path, parsed.problem);
  }
  const { fields } = parsed.document;
  const now = host.now();
  const state = await stateOf(file, host.approvals);
  const [next] = (await nextRuns(fields, now)).next;
  const rest = state === "on" ? host.restOfSchedules() : undefined;
  const runs = state === "on" && rest === undefined;
  return rowOf(
    { path, schedule: name },
    {
      id: path,
      action: WORK_VIEW_COMMAND.open,
      icon: state === "inert" ? "unverified" : state === "off" ? "circle-slash" : "calendar",
      label: name,
      words: [
        state === "inert"
          ? vscode.l10n.t("needs your approval")
          : state === "off"
            ? vscode.l10n.t("off")
            : (rest ?? ""),
        cronWords(fields.schedule) ?? fields.schedule,
        runs && next !== undefined ? vscode.l10n.t("next {0}", clockTime(next, now)) : "",
        fields.description ?? "",
      ],
      more: [fields.schedule],
      context: `schedule file${state === "inert" ? " inert" : runs ? " runnable" : ""}`,
    },
  );
}

function malformedRow(name: string, path: string, problem: string): Row<Subject> {
  const words = [vscode.l10n.t("malformed: {0}", problem)];
  return rowOf(
    { path },
    { id: path, icon: "warning", label: name, words, context: "file", action: WORK_VIEW_COMMAND.open },
  );
}
