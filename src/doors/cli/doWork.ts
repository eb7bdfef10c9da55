import { approveSchedule } from "../../agent/work/approveSchedule.js";
import { patientConfirm } from "../../agent/work/patientConfirm.js";
import { Scheduler } from "../../agent/work/scheduler.js";
import { tellUnread, type UnreadTask } from "../../agent/work/taskBoard.js";
import { TaskWorker } from "../../agent/work/taskWorker.js";
import { pause, tickEveryMinute } from "../../agent/work/ticker.js";
import type { WorkHost } from "../../agent/work/workHost.js";
import { ToolError } from "../../core/errors.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Confirm } from "../../ports/confirm.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";
import { readSchedule, type ScheduleFile } from "../../tools/automation/scheduleFiles.js";
import { notTheUser } from "./agentsCommand.js";
import { quoted } from "./allow.js";
import { EXIT } from "./exitCode.js";
import { tellFailure } from "./tellFailure.js";
import type { WorkRequest } from "./work.js";
import type { WorkView } from "./workView.js";

/** How often to look for a task, in ms. */
const TASK_PAUSE = 3_000;

export interface DoWorkOptions extends Pick<WorkRequest, "tasks" | "schedules" | "once" | "parallel"> {
  view: WorkView;
  approvals: ApprovedDocuments;
  /** Asks a person; undefined where there is no terminal. */
  question: Confirm | undefined;
}

/**
 * Does tasks and runs schedules, once or until stopped.
 *
 * @returns the exit code
 */
export async function doWork(
  host: WorkHost,
  { tasks, schedules, parallel, ...options }: DoWorkOptions,
  signal: AbortSignal,
): Promise<number> {
  const { view, once } = options;
  const outcome = { hasFailed: false, isAtWork: false };
  // If one of them fails, the others stop cleanly, too.
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  const worker = new TaskWorker(host);
  const all = [
    ...Array.from({ length: tasks ? parallel : 0 }, () => workOff(worker, view, once, outcome, stop)),
    schedules ? follow(host, { ...options, outcome }, stop) : Promise.resolve(),
  ];
  await Promise.all(all).catch(async (error: unknown) => {
    ending.abort();
    await Promise.allSettled(all);
    throw error;
  });
  if (signal.aborted) {
    return outcome.isAtWork ? EXIT.cancelled : EXIT.ok;
  }
  return outcome.hasFailed ? EXIT.toolError : EXIT.ok;
}

/** The result of a run, for the exit code. */
interface WorkOutcome {
  hasFailed: boolean;
  /** Whether something was stopped while it was running. */
  isAtWork: boolean;
}

async function workOff(
  worker: TaskWorker,
  view: WorkView,
  once: boolean,
  outcome: WorkOutcome,
  signal: AbortSignal,
): Promise<void> {
  let problem = "";
  let unread = "";
  // The worker looks every few seconds, so repeat the message only when it changes.
  const onUnread = (problems: readonly UnreadTask[]): void => {
    const words = tellUnread(problems);
    if (words !== unread) {
      unread = words;
      view.tell(words);
    }
  };
  while (!signal.aborted) {
    try {
      const run = await worker.runNext({ signal, isPatient: !once, onBegin: (task) => view.beginTask(task), onUnread });
      problem = "";
      if (run !== undefined) {
        view.endTask(run);
        // A task that had just ended was not interrupted.
        outcome.isAtWork ||= signal.aborted && (run.status === "released" || run.status === "lost");
        outcome.hasFailed ||= !["complete", "waiting"].includes(run.status);
      }
      if (once) {
        return;
      }
      if (run === undefined) {
        await pause(TASK_PAUSE, signal);
      }
    } catch (error) {
      if (once || (error instanceof ToolError && ["untrusted", "unavailable"].includes(error.type))) {
        throw error;
      }
      // The state may be locked for a moment or the disk full for an hour: report it once and retry.
      const words = tellFailure(error);
      if (words !== problem && !signal.aborted) {
        problem = words;
        view.tell(words);
      }
      await pause(TASK_PAUSE * 10, signal);
    }
  }
}

interface FollowParts extends Omit<DoWorkOptions, "tasks" | "schedules" | "parallel"> {
  outcome: WorkOutcome;
}

async function follow(
  host: WorkHost,
  { view, approvals, question, once, outcome }: FollowParts,
  signal: AbortSignal,
): Promise<void> {
  const begun = new Set<string>();
  const scheduler: Scheduler = new Scheduler({
    ...host,
    tell: (message) => view.tell(message),
    onChange: () => {
      for (const { name, session, due } of scheduler.running()) {
        if (!begun.has(`${session} ${due}`)) {
          begun.add(`${session} ${due}`);
          view.beginSchedule(name, session, due);
        }
      }
    },
    onEnd: ({ name, session, result }) => {
      outcome.isAtWork ||= result.reason === "cancelled";
      outcome.hasFailed ||= result.reason !== "answered" && result.reason !== "terminal";
      view.endSchedule(name, session, result);
    },
    onInert: (inert) => void askForThem(inert),
  });
  const askForThem = async (inert: readonly ScheduleFile[]): Promise<void> => {
    for (const file of inert) {
      if (question === undefined || once || approvals.isClosed === true) {
        view.tell(
          `The schedule ${file.name} does nothing until you approve it: toolhost work --approve ${quoted(file.name)}`,
        );
        continue;
      }
      try {
        // The user may be away: later questions must not wait forever.
        const isApproved = await approveSchedule(
          file,
          patientConfirm(question),
          approvals,
          host.files,
          host.now(),
          signal,
        );
        view.tell(isApproved ? `The schedule ${file.name} is approved.` : `The schedule ${file.name} does nothing.`);
      } catch (error) {
        view.tell(tellFailure(error));
      }
    }
  };
  if (once) {
    await scheduler.tick(signal);
  } else {
    await tickEveryMinute(() => scheduler.tick(signal), host.now, signal);
  }
  await scheduler.settled();
}

export interface ApproveParts {
  files: WorkHost["files"];
  approvals: ApprovedDocuments;
  question: Confirm | undefined;
  out: (text: string) => void;
  signal: AbortSignal;
}

/**
 * Approves schedules after asking on the terminal. Without a terminal the command itself is the approval, and it prints
 * what it approved.
 */
export async function approveByName(
  names: readonly string[],
  { files, approvals, question, out, signal }: ApproveParts,
): Promise<number> {
  let hasAll = true;
  for (const name of names) {
    const file = await readSchedule(files, name);
    if (file === undefined || !file.parsed.ok) {
      const why =
        file === undefined || file.parsed.ok
          ? "there is no schedule with this name"
          : `it is malformed: ${file.parsed.problem}`;
      throw new ToolError(
        file === undefined ? "not_found" : "invalid_input",
        `schedule ${name}: ${why}. It was not approved.`,
        "toolhost cron list shows all schedules.",
      );
    }
    if (approvals.isClosed === true) {
      throw notTheUser(`schedule ${name}`, name);
    }
    const confirm = question ?? {
      ask: ({ detail }) => {
        out(`${showHidden(detail.text, true).text}\n`);
        return Promise.resolve("once" as const);
      },
    };
    const isApproved = await approveSchedule(file, confirm, approvals, files, Date.now(), signal);
    out(`The schedule ${visibleLine(name)} ${isApproved ? "is approved: exactly this text." : "was not approved."}\n`);
    hasAll &&= isApproved;
  }
  return hasAll ? EXIT.ok : EXIT.toolError;
}
