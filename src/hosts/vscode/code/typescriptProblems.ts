import * as vscode from "vscode";
import type { ReportedProblem } from "../../../ports/languageServers.js";

/** Languages of TypeScript's server, which checks by itself only files that are open in a tab. */
const LANGUAGES: ReadonlySet<string> = new Set(["typescript", "typescriptreact", "javascript", "javascriptreact"]);
const EXTENSIONS = /\.[cm]?[jt]sx?$/;

/** A problem as TypeScript's server gives it; lines and offsets are 1-based. */
interface Given {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
  text: string;
  code?: number;
  category?: string;
}

/** Whether a file is of one of its languages, by its name. */
export function isTypescript(path: string): boolean {
  return EXTENSIONS.test(path);
}

/** Whether a document is of one of its languages. */
export function isOfTypescript({ languageId }: vscode.TextDocument): boolean {
  return LANGUAGES.has(languageId);
}

/**
 * Asks TypeScript's server for the problems of a file that need not be open in a tab.
 *
 * @param file the address of an open document, or the path of a file of a project that the server has read
 *
 * @returns undefined if it does not answer
 */
export async function typescriptProblems(
  file: vscode.Uri | string,
  path: string,
): Promise<ReportedProblem[] | undefined> {
  const found: ReportedProblem[] = [];
  for (const command of ["syntacticDiagnosticsSync", "semanticDiagnosticsSync"]) {
    const answer = await vscode.commands
      .executeCommand<{ body?: Given[] } | undefined>("typescript.tsserverRequest", command, { file })
      .then(
        (given) => given,
        () => undefined,
      );
    if (!Array.isArray(answer?.body)) {
      return undefined;
    }
    found.push(...answer.body.map((each) => asProblem(each, path)));
  }
  return found;
}

function asProblem({ start, end, text, code, category }: Given, path: string): ReportedProblem {
  return {
    path,
    range: { start: { line: start.line, column: start.offset }, end: { line: end.line, column: end.offset } },
    severity: category === "error" ? "error" : category === "warning" ? "warning" : "hint",
    ...{ message: text, source: "ts", code: code === undefined ? undefined : String(code), related: [] },
  };
}
