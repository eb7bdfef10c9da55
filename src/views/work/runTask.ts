import * as vscode from "vscode";
import { tellUnread, type UnreadTask } from "../../agent/work/taskBoard.js";
import type { TaskRun, TaskWorker } from "../../agent/work/taskWorker.js";
import { documentPath } from "../../features/documents/document.js";
import { TASK } from "../../features/documents/task.js";
import type { ChatModel } from "../../ports/models.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { UNDO_COMMAND } from "../../names/contributed.js";
import { ToolError } from "../../core/errors.js";
import { showFailure } from "../shared/failureNotice.js";
import { changedBy } from "./changedBy.js";
import { openSession } from "./openSession.js";
import type { WorkStatus } from "./status.js";
import type { WindowWorkHost } from "./host.js";
import { messageOf } from "../../text/words.js";

/** Maximum characters of a notification. */
const MAX_NOTE = 300;
const OPEN_SESSION = vscode.l10n.t("Open Session");
const OPEN_TASK = vscode.l10n.t("Open Task");
const OPEN_FILE = vscode.l10n.t("Open");
const REVIEW = vscode.l10n.t("Review");

/**
 * Runs the next task with its progress in a notification, and reports the result.
 *
 * @param only the name of the task to run instead
 */
export async function runNextTask(
  host: WindowWorkHost,
  worker: TaskWorker,
  status: WorkStatus,
  only?: string,
): Promise<void> {
  try {
    const model = await chooseModel(
      host,
      only === undefined ? vscode.l10n.t("Run Next Task") : vscode.l10n.t("Run Task"),
    );
    if (model === undefined) {
      return;
    }
    let unread: readonly UnreadTask[] = [];
    const run = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        cancellable: true,
      },
      async (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        let forget = (): void => undefined;
        try {
          return await worker.runNext({
            signal: stop.signal,
            model,
            ...(only === undefined ? {} : { only }),
            onUnread: (problems) => {
              unread = problems;
            },
            onBegin: ({ title, session }) => {
              progress.report({ message: plain(shorten(oneLine(title), 100)) });
              forget = status.follow({ title, session, kind: "task", stop: () => stop.abort() }, (message) =>
                progress.report({ message: plain(shorten(`${oneLine(title)}: ${message}`, 150)) }),
              );
            },
          });
        } finally {
          forget();
        }
      },
    );
    if (run === undefined && only !== undefined) {
      const name = shorten(oneLine(only), 80);
      void vscode.window.showInformationMessage(
        plain(vscode.l10n.t("The task “{0}” cannot be done now. Its row in the view says why.", name)),
      );
      return;
    }
    await tellRun(host, run, unread);
  } catch (error) {
    void showFailure(
      error instanceof ToolError ? error : { type: "internal_error", message: messageOf(error), ...hintOf(error) },
    );
  }
}

/** Returns the hint of an error of a model. */
function hintOf(error: unknown): { hint?: string } {
  const hint = (error as { hint?: unknown }).hint;
  return typeof hint === "string" ? { hint } : {};
}

async function tellRun(host: WindowWorkHost, run: TaskRun | undefined, unread: readonly UnreadTask[]): Promise<void> {
  if (run === undefined && unread.length > 0) {
    const path = unread.find((each) => each.path !== undefined)?.path;
    const words = plain(shorten(vscode.l10n.t("No readable task can be done now. {0}", tellUnread(unread)), MAX_NOTE));
    const pressed = await vscode.window.showWarningMessage(words, ...(path === undefined ? [] : [OPEN_FILE]));
    if (pressed !== undefined && path !== undefined) {
      await openFile(host, path);
    }
    return;
  }
  if (run === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("There is no task to do: none is pending, or all wait for other tasks."),
    );
    return;
  }
  const { name, session, status, note } = run;
  host.note(`Task ${name}: ${status} (session ${session})`);
  // Text from a model and a file: a link in it must not run a command.
  // The note says of the others how they ended.
  const end = status === "released" || status === "lost" ? [] : [status];
  const words = [...end, ...(note === "" ? [] : [oneLine(note)])].join(" — ");
  const text = plain(shorten(vscode.l10n.t("Task “{0}”: {1}", oneLine(run.title), words), MAX_NOTE));
  const show = status === "complete" ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const changed = await changedBy(host, session);
  const pressed = await show(text, ...(changed === undefined ? [] : [REVIEW]), OPEN_SESSION, OPEN_TASK);
  if (pressed === REVIEW) {
    await vscode.commands.executeCommand(UNDO_COMMAND.review, changed);
  } else if (pressed === OPEN_SESSION) {
    await openSession(session);
  } else if (pressed === OPEN_TASK) {
    await openFile(host, documentPath(TASK, name));
  }
}

async function openFile(host: WindowWorkHost, path: string): Promise<void> {
  const at = await host.files.resolve(path);
  await vscode.window.showTextDocument((await host.addressOf(at.path)) ?? vscode.Uri.file(at.absolute));
}

/** Returns the user's model for agents, the only model, or the user's pick. @throws ModelError if there is none */
async function chooseModel({ models, chosenModel }: WindowWorkHost, title: string): Promise<ChatModel | undefined> {
  const { signal } = new AbortController();
  if (chosenModel() !== undefined) {
    return models.find(undefined, signal);
  }
  const { models: there } = await models.list(signal);
  if (there.length <= 1) {
    return models.find(undefined, signal);
  }
  const items = there.map((model) => ({ label: model.name, description: model.id, model }));
  return (
    await vscode.window.showQuickPick(items, {
      title,
      placeHolder: vscode.l10n.t("Choose a model for this run; the setting toolhost.agent.model sets a permanent one"),
      matchOnDescription: true,
    })
  )?.model;
}
