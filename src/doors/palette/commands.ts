import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import { isRecord } from "../../core/jsonSchema.js";
import { withParts } from "../../core/toolParts.js";
import { Cancelled } from "../../core/errors.js";
import type { Outcome } from "../../core/outcome.js";
import { newId, type Pipeline } from "../../core/pipeline/pipeline.js";
import type { Person } from "../../ports/person.js";
import type { Confirm } from "../../ports/confirm.js";
import { clipStart } from "../../text/clip.js";
import { firstSentence } from "../../text/sentence.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { showFailure } from "../../views/shared/failureNotice.js";
import { toAbortSignal } from "../../views/shared/abortSignal.js";
import { plain } from "../../text/plainText.js";
import { subjectOf } from "../shared/subject.js";
import { fillIn, type FormWords } from "./formView.js";
import type { ResultView } from "./resultView.js";
import { RUN_TOOL_COMMAND, SEARCH_HERE, toolCommand } from "../../names/contributed.js";

/** Delay before progress is shown, in ms: a notification that only flashes is noise. */
const PROGRESS_DELAY = 400;
/** Maximum characters of the subject in a result's name. */
const MAX_TITLE = 60;

const EDIT_INPUT = "Edit Input…";
/** The tool of the text search. */
const SEARCH = "grep";

export interface PaletteHost {
  pipeline: Pipeline;
  tools: readonly Tool[];
  confirm: Confirm;
  person: Person;
  results: ResultView;
  /** Returns the workspace path of a file or folder; undefined if it lies outside. */
  pathOf(uri: vscode.Uri): Promise<string | undefined>;
}

/**
 * Returns the commands of the palette door: “Toolhost: Run Tool…”, the search in a folder, and a command for each default
 * tool. The first takes a tool's name, or that of a part, with what its form is called and what is filled in:
 * `{"tool": "task_write", "title": "New Task", "run": "Create", "input": {}}`.
 */
export function paletteCommands(host: PaletteHost): Commands {
  const session = newId();
  const shown = host.tools.filter(({ expose }) => expose === "default");
  return {
    [RUN_TOOL_COMMAND]: async (given) => {
      const name = isRecord(given) ? given["tool"] : undefined;
      if (typeof name !== "string") {
        const picked = await pickTool(host);
        await (picked && runTool(host, picked, session));
        return;
      }
      const tool = withParts(host.pipeline.available()).find((each) => each.name === name);
      if (tool === undefined) {
        // Not awaited: the command has ended, and the notification may stay.
        void showFailure({
          type: "unavailable",
          message: `The tool ${name} cannot be used here.`,
          hint: "The view Tools of Toolhost says why.",
        });
        return;
      }
      await runTool(host, tool, session, { ...startingValues(tool), ...startingIn(given) }, wordsIn(given));
    },
    [SEARCH_HERE.command]: async (folder) => {
      const search = host.tools.find(({ name }) => name === SEARCH);
      const path = folder instanceof vscode.Uri ? await host.pathOf(folder).catch(() => undefined) : undefined;
      if (search !== undefined) {
        await runTool(host, search, session, path === undefined ? {} : { path });
      }
    },
    ...Object.fromEntries(shown.map((tool) => [toolCommand(tool), () => runTool(host, tool, session)])),
  };
}

/** Returns what the form of `Run Tool…` is called, as it was given. */
function wordsIn(given: unknown): FormWords {
  const { title, run } = isRecord(given) ? given : {};
  return { ...(typeof title === "string" ? { title } : {}), ...(typeof run === "string" ? { run } : {}) };
}

function startingIn(given: unknown): Record<string, unknown> {
  const input = isRecord(given) ? given["input"] : undefined;
  return isRecord(input) ? input : {};
}

async function pickTool({ pipeline }: PaletteHost): Promise<Tool | undefined> {
  const items = pipeline
    .available()
    // The form of a part has only its own fields.
    .flatMap((tool) => tool.parts?.map((part) => part.tool) ?? [tool])
    .map((tool) => ({ label: tool.title, description: tool.name, detail: firstSentence(tool.description), tool }));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Toolhost: Run Tool",
    placeHolder: "Which tool?",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.tool;
}

async function runTool(
  host: PaletteHost,
  tool: Tool,
  session: string,
  initial: Readonly<Record<string, unknown>> = startingValues(tool),
  words?: FormWords,
): Promise<void> {
  const input = await fillIn(tool, initial, words);
  if (input === undefined) {
    return;
  }
  let refused = false;
  const confirm: Confirm = {
    ask: async (question, signal) => {
      const answer = await host.confirm.ask(question, signal);
      refused = answer === "no";
      return answer;
    },
  };
  const outcome = await withProgress(tool.summary(input), (signal, report) =>
    host.pipeline.invoke(tool.name, input, {
      door: "palette",
      session,
      signal,
      report: ({ message }) => report(message),
      authority: "model",
      // All values of the form were typed or chosen by the user, or are the file on screen.
      typed: true,
      confirm,
      person: host.person,
    }),
  );
  // After a no, the user needs no message.
  if (outcome === undefined || refused) {
    return;
  }
  if (outcome.ok) {
    await host.results.show(tool.name, clipStart(subjectOf(tool, input), MAX_TITLE), outcome.text, outcome.data);
  } else {
    // Not awaited: the command has ended, and the notification may stay.
    void showFailure(outcome.error, EDIT_INPUT).then(async (pressed) => {
      if (pressed === EDIT_INPUT) {
        await runTool(host, tool, session, input, words);
      }
    });
  }
}

/** Prefills `path` with the file on screen, the most likely target. */
function startingValues(tool: Tool): Record<string, unknown> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (
    uri === undefined ||
    !tool.inputSchema.required?.includes("path") ||
    vscode.workspace.getWorkspaceFolder(uri) === undefined
  ) {
    return {};
  }
  return { path: vscode.workspace.asRelativePath(uri) };
}

/** Runs cancellable work, with a progress notification if it takes a while. Returns undefined if cancelled. */
export async function withProgress(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const cancellation = new vscode.CancellationTokenSource();
  const { signal, dispose } = toAbortSignal(cancellation.token);
  let report = (_message: string): void => undefined;
  const running = work(signal, (message) => report(message)).catch((error: unknown) => {
    if (error instanceof Cancelled) {
      return undefined;
    }
    throw error;
  });
  const timer = setTimeout(() => {
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        token.onCancellationRequested(() => cancellation.cancel());
        report = (message) => progress.report({ message: plain(message) });
        await running.catch(() => undefined);
      },
    );
  }, PROGRESS_DELAY);
  try {
    return await running;
  } finally {
    clearTimeout(timer);
    dispose();
    cancellation.dispose();
  }
}
