import * as vscode from "vscode";
import type { ToolFile } from "../../features/custom/toolFiles.js";
import { plain } from "../../text/plainText.js";

/** Shows what is wrong with files of tools in the Problems view. */
export class ToolDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection("toolhost-tools");

  /** @param files those that are there now, with their addresses */
  show(files: readonly { file: ToolFile; uri: vscode.Uri }[]): void {
    this.#collection.clear();
    for (const { file, uri } of files) {
      this.#collection.set(uri, [...file.problems.map(problem), ...approval(file)].map(named));
    }
  }

  dispose(): void {
    this.#collection.dispose();
  }
}

function problem({
  line,
  column,
  tool,
  message,
  isWaiting,
  isWarning,
}: ToolFile["problems"][number]): vscode.Diagnostic {
  const at = new vscode.Position(line - 1, column - 1);
  return new vscode.Diagnostic(
    new vscode.Range(at, at.translate(0, 1)),
    plain(tool === undefined ? message : `${tool}: ${message}`),
    isWaiting === true
      ? vscode.DiagnosticSeverity.Information
      : isWarning === true
        ? vscode.DiagnosticSeverity.Warning
        : vscode.DiagnosticSeverity.Error,
  );
}

function approval({ isApproved, lastApproved, unknown, text }: ToolFile): vscode.Diagnostic[] {
  if (isApproved || text === undefined) {
    return [];
  }
  const why =
    unknown ??
    (lastApproved === undefined ? "You have not approved this file" : "This file has changed since you approved it");
  return [
    new vscode.Diagnostic(
      new vscode.Range(0, 0, 0, 1),
      plain(`${why}, so its tools do not run. Approve it with “Toolhost: Approve Tools…”.`),
      vscode.DiagnosticSeverity.Information,
    ),
  ];
}

function named(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  diagnostic.source = "Toolhost";
  return diagnostic;
}
