import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import { pathBelow } from "../../../core/paths/pathShape.js";
import type { CodeAnswer, CodePosition, CodeRange } from "../../../ports/code.js";
import type { GatedPath } from "../../../ports/files.js";
import type {
  CodeAction,
  FileEdits,
  LanguageServers,
  ProblemReport,
  ReportedProblem,
  TextEdit,
} from "../../../ports/languageServers.js";
import { messageOf } from "../../../text/words.js";
import type { VscodeFiles } from "../files/files.js";
import { ourRange, theirPosition } from "./convert.js";
import type { Languages } from "./languages.js";
import { within } from "./patience.js";
import { isOfTypescript, typescriptProblems } from "./typescriptProblems.js";
import type { UnreadProjects } from "./unreadProjects.js";

/** How long a server may take to work a change out, in ms. */
const CHANGE_LIMIT = 30_000;
/** How many actions a server is asked to work out. */
const MAX_RESOLVED = 100;
/** How long to wait for the problems of a file that was just opened, in ms, and for silence after the last. */
const PROBLEMS_LIMIT = 5_000;
const QUIET = 400;
/** How long to wait for those of a file in a tab, in ms, which has most likely been checked. */
const SHOWN_LIMIT = 1_500;

const RESTRICTED =
  "The workspace is not trusted, so not every language server and linter runs: there may be problems that nobody reports.";

const SEVERITIES = ["error", "warning", "information", "hint"] as const;

/** What the window's language servers can change and report. */
export class VscodeLanguageServers implements LanguageServers {
  readonly #files: VscodeFiles;
  readonly #languages: Languages;
  readonly #unread: UnreadProjects;

  constructor(files: VscodeFiles, languages: Languages, unread: UnreadProjects) {
    this.#files = files;
    this.#languages = languages;
    this.#unread = unread;
  }

  async rename(
    at: GatedPath,
    position: CodePosition,
    name: string,
    signal: AbortSignal,
  ): Promise<CodeAnswer<FileEdits[]>> {
    const served = await this.#languages.served(at, signal);
    if (served.state !== "served") {
      return served;
    }
    const { document } = served;
    const place = theirPosition(position);
    const old = document.getText(document.getWordRangeAtPosition(place));
    const renamed = async (): Promise<FileEdits[] | "late"> => {
      const edit = await within(
        vscode.commands.executeCommand<vscode.WorkspaceEdit>(
          "vscode.executeDocumentRenameProvider",
          document.uri,
          place,
          name,
        ),
        CHANGE_LIMIT,
        signal,
      ).catch((error: unknown) => {
        signal.throwIfAborted();
        throw refusal(old, name, messageOf(error));
      });
      return edit === "late" ? edit : this.#textEdits(edit, `Renaming ${old}`);
    };
    const first = await renamed();
    const late = {
      ...{ state: "not_ready" as const },
      why: `The language server has not worked out the change within ${CHANGE_LIMIT / 1_000} s.`,
    };
    if (first === "late") {
      return late;
    }
    const { isMore, partial } = await this.#unread.open(at, old, new Set(first.map(({ path }) => path)), signal);
    const edits = isMore ? await renamed() : first;
    return edits === "late"
      ? late
      : { state: "answered", by: "server", value: edits, ...(partial !== undefined && { partial }) };
  }

  async actions(
    at: GatedPath,
    range: CodeRange,
    { only, withEdits }: { only?: string; withEdits: boolean },
    signal: AbortSignal,
  ): Promise<CodeAnswer<CodeAction[]>> {
    const served = await this.#languages.served(at, signal);
    if (served.state !== "served") {
      return served;
    }
    const { document } = served;
    // Fixes are offered for problems that the editor knows.
    if (isInTab(document.uri) && (only === undefined || only.startsWith("quickfix"))) {
      await this.#checked(document.uri, signal, SHOWN_LIMIT);
    }
    const place = new vscode.Range(theirPosition(range.start), theirPosition(range.end));
    const given = await within(
      vscode.commands.executeCommand<(vscode.CodeAction | vscode.Command)[]>(
        "vscode.executeCodeActionProvider",
        document.uri,
        place,
        only,
        withEdits ? MAX_RESOLVED : 0,
      ),
      CHANGE_LIMIT,
      signal,
    );
    if (given === "late") {
      return { state: "not_ready", why: `The language server has not answered within ${CHANGE_LIMIT / 1_000} s.` };
    }
    const value: CodeAction[] = [];
    for (const action of given) {
      value.push(await this.#action(action));
    }
    return { state: "answered", by: "server", value };
  }

  async format(at: GatedPath, signal: AbortSignal): Promise<CodeAnswer<TextEdit[]>> {
    const served = await this.#languages.served(at, signal);
    if (served.state === "not_ready") {
      return served;
    }
    const document = await vscode.workspace.openTextDocument(this.#files.uriOf(at));
    const editor = vscode.workspace.getConfiguration("editor", document);
    const edits = await within(
      vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
        "vscode.executeFormatDocumentProvider",
        document.uri,
        {
          tabSize: editor.get("tabSize", 4),
          insertSpaces: editor.get("insertSpaces", true),
        },
      ),
      CHANGE_LIMIT,
      signal,
    );
    if (edits === "late") {
      return { state: "not_ready", why: `The formatter has not answered within ${CHANGE_LIMIT / 1_000} s.` };
    }
    // VS Code gives nothing, too, where the formatter would change nothing.
    return edits === undefined && served.state === "no_server"
      ? { state: "no_server", why: `No formatter here knows ${document.languageId}.` }
      : { state: "answered", by: "server", value: (edits ?? []).map(ourEdit) };
  }

  async problems(inside: GatedPath, isFile: boolean, signal: AbortSignal): Promise<ProblemReport> {
    const report = await this.#problems(inside, isFile, signal);
    return vscode.workspace.isTrusted ? report : { ...report, restricted: RESTRICTED };
  }

  async #problems(inside: GatedPath, isFile: boolean, signal: AbortSignal): Promise<ProblemReport> {
    if (!isFile) {
      const problems: ReportedProblem[] = [];
      for (const [uri, found] of vscode.languages.getDiagnostics()) {
        const path = await this.#files.pathOf(uri);
        if (path !== undefined && (inside.path === "." || pathBelow(inside.path, path, false) !== undefined)) {
          problems.push(...(await this.#reported(path, found)));
        }
      }
      return { problems };
    }
    const uri = this.#files.uriOf(inside);
    const served = await this.#languages.served(inside, signal);
    const asked =
      served.state === "served" && isOfTypescript(served.document)
        ? await within(typescriptProblems(uri, inside.path), CHANGE_LIMIT, signal)
        : undefined;
    const isChecked = asked !== undefined || (await this.#checked(uri, signal));
    const reported = await this.#reported(inside.path, vscode.languages.getDiagnostics(uri));
    const own = asked === undefined || asked === "late" ? [] : asked;
    // Linters report beside TypeScript, which may have reported the same by itself.
    const others = reported.filter(({ source, code }) => own.length === 0 || source !== "ts" || code === undefined);
    return { problems: [...own, ...others], isChecked: isChecked && asked !== "late" };
  }

  /** Waits for a file's problems: until a while after the last report. @returns whether there was a report */
  async #checked(uri: vscode.Uri, signal: AbortSignal, limit = PROBLEMS_LIMIT): Promise<boolean> {
    const key = uri.toString();
    let timer: NodeJS.Timeout | undefined;
    let heard = vscode.languages.getDiagnostics(uri).length > 0;
    let listening: vscode.Disposable | undefined;
    try {
      await within(
        new Promise<void>((resolve) => {
          listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
            if (uris.some((each) => each.toString() === key)) {
              heard = true;
              clearTimeout(timer);
              timer = setTimeout(resolve, QUIET);
            }
          });
          if (heard) {
            timer = setTimeout(resolve, QUIET);
          }
        }),
        limit,
        signal,
      );
    } finally {
      clearTimeout(timer);
      listening?.dispose();
    }
    return heard;
  }

  async #reported(path: string, found: readonly vscode.Diagnostic[]): Promise<ReportedProblem[]> {
    return Promise.all(
      found.map(async ({ range, severity, message, source, code, relatedInformation = [] }) => {
        const value = typeof code === "object" ? code.value : code;
        return {
          ...{ path, range: ourRange(range), severity: SEVERITIES[severity] ?? "error", message, source },
          code: value === undefined ? undefined : String(value),
          related: await Promise.all(
            relatedInformation.map(async ({ location, message: about }) => ({
              path: (await this.#files.pathOf(location.uri)) ?? location.uri.fsPath,
              line: location.range.start.line + 1,
              message: about,
            })),
          ),
        };
      }),
    );
  }

  async #action(given: vscode.CodeAction | vscode.Command): Promise<CodeAction> {
    if (typeof given.command === "string") {
      return { title: given.title, kind: "", isPreferred: false, refused: "runs a command of its extension" };
    }
    const action = given as vscode.CodeAction;
    const named = { title: action.title, kind: action.kind?.value ?? "", isPreferred: action.isPreferred ?? false };
    if (action.disabled !== undefined) {
      return { ...named, refused: `cannot be applied: ${action.disabled.reason}` };
    }
    if (action.edit === undefined) {
      return { ...named, refused: "runs a command of its extension" };
    }
    try {
      return { ...named, edits: await this.#textEdits(action.edit, action.title) };
    } catch (error) {
      return { ...named, refused: `cannot be applied here: ${messageOf(error)}` };
    }
  }

  /** @throws ToolError `unsupported` if it makes, moves or deletes files, which cannot be read out of it */
  async #textEdits(edit: vscode.WorkspaceEdit | undefined, what: string): Promise<FileEdits[]> {
    const entries = edit?.entries() ?? [];
    if (edit !== undefined && edit.size !== entries.length) {
      throw new ToolError(
        "unsupported",
        `${what} also makes, moves or deletes files. Nothing was changed.`,
        "Ask the user to do it in the editor.",
      );
    }
    return Promise.all(
      entries.map(async ([uri, edits]) => ({
        path: (await this.#files.pathOf(uri)) ?? uri.fsPath,
        edits: edits.map(ourEdit),
      })),
    );
  }
}

function isInTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}

function ourEdit({ range, newText }: vscode.TextEdit): TextEdit {
  return { range: ourRange(range), text: newText };
}

function refusal(old: string, name: string, reason: string): ToolError {
  return new ToolError("conflict", `${old} cannot be renamed to ${name}: ${reason} Nothing was changed.`);
}
