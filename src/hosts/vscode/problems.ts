import * as vscode from "vscode";
import type { GatedPath } from "../../ports/files.js";
import type { Problem, ProblemCheck, Problems, ProblemsByFile } from "../../ports/problems.js";
import type { VscodeFiles } from "./files/files.js";
import { isShown } from "./shown.js";

/** How long without a change of problems until a language server counts as finished, in ms. */
const QUIET = 250;

type Check = Required<Problems>["check"];

/** What VS Code's Problems view shows for the workspace. */
export class VscodeProblems implements Problems {
  readonly #files: VscodeFiles;
  /** Languages in which somebody has reported problems, or their absence. */
  readonly #checked = new Set<string>();
  readonly #listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    const named = new Set(uris.map((uri) => uri.toString()));
    vscode.workspace.textDocuments
      .filter(({ uri }) => named.has(uri.toString()))
      .forEach(({ languageId }) => this.#checked.add(languageId));
  });

  readonly #ask: Check;

  /** @param ask asks a server that can be asked; loaded with the first change */
  constructor(files: VscodeFiles, ask: Check) {
    this.#files = files;
    this.#ask = ask;
  }

  check(changing: readonly GatedPath[], signal: AbortSignal): Promise<ProblemCheck | undefined> {
    return this.#ask(changing, signal);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  async now(): Promise<ProblemsByFile> {
    const found = new Map<string, Problem[]>();
    for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
      const told = diagnostics.filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
      const path = told.length === 0 ? undefined : await this.#files.pathOf(uri);
      if (path !== undefined) {
        found.set(path, told.map(asProblem));
      }
    }
    return found;
  }

  async settled(changed: readonly GatedPath[], limit: number, signal: AbortSignal): Promise<ProblemsByFile> {
    if (changed.some((at) => this.#isChecked(this.#files.uriOf(at)))) {
      await quiet(limit, signal);
    }
    return this.now();
  }

  /**
   * Whether to expect reports: language servers check files that an editor shows. For other files, also those that
   * are open without one, and for languages that nobody checks, there are none to wait for.
   */
  #isChecked(uri: vscode.Uri): boolean {
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    const isSeen = (shown: vscode.TextDocument): boolean =>
      isShown(shown) || vscode.window.visibleTextEditors.some((editor) => editor.document === shown);
    return document !== undefined && isSeen(document) && this.#checked.has(document.languageId);
  }
}

/** Resolves after a quiet period since the last change of problems, or after `limit` ms. */
function quiet(limit: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let silence: NodeJS.Timeout | undefined;
    const done = (): void => {
      clearTimeout(silence);
      clearTimeout(end);
      news.dispose();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const end = setTimeout(done, limit);
    // Start measuring silence at the first event: a server that has not started checking is silent too.
    const news = vscode.languages.onDidChangeDiagnostics(() => {
      clearTimeout(silence);
      silence = setTimeout(done, QUIET);
    });
    signal.addEventListener("abort", done, { once: true });
  });
}

function asProblem({ range, severity, message, source, code }: vscode.Diagnostic): Problem {
  const value = typeof code === "object" ? code.value : code;
  return {
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severity === vscode.DiagnosticSeverity.Error ? "error" : "warning",
    message,
    source,
    code: value === undefined ? undefined : String(value),
  };
}
