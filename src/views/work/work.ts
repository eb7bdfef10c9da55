import * as vscode from "vscode";
import { Scheduler } from "../../agent/work/scheduler.js";
import { TaskWorker } from "../../agent/work/taskWorker.js";
import { tickEveryMinute } from "../../agent/work/ticker.js";
import type { WorkHost } from "../../agent/work/workHost.js";
import { ToolError } from "../../core/errors.js";
import { isRecord } from "../../core/jsonSchema.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";
import type { ScheduleFile } from "../../tools/automation/scheduleFiles.js";
import type { Commands } from "../shared/commandTable.js";
import { showFailure } from "../shared/failureNotice.js";
import { approveSchedules } from "./approve.js";
import type { WindowWorkHost } from "./host.js";
import { openSession } from "./openSession.js";
import { runNextTask } from "./runTask.js";
import { WorkStatus } from "./status.js";
import { WORK_COMMAND } from "../../names/contributed.js";

/** Maximum characters of a notification. */
const MAX_NOTICE = 500;

/** Runs schedules by itself until disposed. */
export interface WindowWork extends vscode.Disposable {
  commands: Commands;
  /** What runs now. */
  status: Pick<WorkStatus, "running" | "doing" | "onDidChange">;
  /** Starts a schedule now, or says why not. */
  runSchedule(name: string): Promise<void>;
  /** Tells that the user may have approved schedules. */
  onDidApprove: vscode.Event<void>;
}

/** Runs the tasks and schedules of a window's workspace: the commands, the clock and the status bar item. */
export function startWork(host: WindowWorkHost): WindowWork {
  const ending = new AbortController();
  const status = new WorkStatus();
  const approved = new vscode.EventEmitter<void>();
  const shared: WorkHost = {
    ...host,
    door: "agent",
    model: (id, signal) => host.models.find(id, signal),
    onEvent: (event) => status.onEvent(event),
  };
  const scheduler: Scheduler = new Scheduler({
    ...shared,
    tell: (message) => tell(host, message),
    onChange: () => status.setSchedules(scheduler.running()),
    onInert: (inert) => void offerApproval(inert),
    onEnd: ({ name, session, result }) => {
      host.note(`Schedule ${name}: ${result.reason} (session ${session})`);
      if (result.reason === "answered" && result.text.trim() !== "") {
        void vscode.window
          .showInformationMessage(plain(shorten(`${oneLine(name)}: ${oneLine(result.text)}`, MAX_NOTICE)), OPEN)
          .then((pressed) => (pressed === undefined ? undefined : openSession(session)));
      }
    },
  });
  const worker = new TaskWorker(shared);
  // Start after the window has opened: nothing waits for schedules.
  const clock = setTimeout(
    () =>
      void tickEveryMinute(
        () => (host.hasSchedules() ? scheduler.tick(ending.signal) : Promise.resolve()),
        host.now,
        ending.signal,
      ),
    FIRST_LOOK,
  );
  return {
    status,
    onDidApprove: approved.event,
    runSchedule: async (name) => {
      try {
        await scheduler.runNow(name, ending.signal);
        host.note(`Schedule ${name}: started by the user`);
      } catch (error) {
        const failed = error instanceof ToolError ? error : new ToolError("internal_error", messageOf(error));
        void showFailure(failed);
      }
    },
    commands: {
      [WORK_COMMAND.runTask]: (given) => runNextTask(host, worker, status, nameIn(given, "task")),
      [WORK_COMMAND.approve]: async (given) => {
        await approveSchedules(host, nameIn(given, "schedule"));
        approved.fire();
      },
    },
    dispose: () => {
      ending.abort();
      clearTimeout(clock);
      status.dispose();
      approved.dispose();
    },
  };
}

/** Returns the task or schedule that a command's argument names, such as `{"task": "fix-the-login"}`. */
function nameIn(argument: unknown, field: "task" | "schedule"): string | undefined {
  const name = isRecord(argument) ? argument[field] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** How long to wait before the first check of schedules, in ms. */
const FIRST_LOOK = 2_000;
const OPEN = vscode.l10n.t("Open Session");
const REVIEW = vscode.l10n.t("Review…");

function tell(host: WindowWorkHost, message: string): void {
  host.note(message);
  void vscode.window.showWarningMessage(plain(shorten(message, MAX_NOTICE)));
}

async function offerApproval(inert: readonly ScheduleFile[]): Promise<void> {
  const [first] = inert;
  const name = shorten(oneLine(first?.name ?? ""), 80);
  const what =
    inert.length === 1
      ? vscode.l10n.t("The schedule “{0}” of this workspace does nothing until you approve it.", name)
      : `${inert.length} schedules of this workspace do nothing until you approve them.`;
  const pressed = await vscode.window.showInformationMessage(plain(what), REVIEW);
  if (pressed === REVIEW) {
    await vscode.commands.executeCommand(WORK_COMMAND.approve);
  }
}
