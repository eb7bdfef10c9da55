import * as vscode from "vscode";
import { ToolError } from "../../core/errors.js";
import type { GatedPath, WriteReport } from "../../ports/files.js";

/**
 * Gives an open document a new text by one edit of the least range, so that cursors, folds and decorations
 * elsewhere stay and one undo takes it back. A document that was clean is saved, or has its text back when it
 * cannot be; one whose text is not on disk stays so, as the user left it.
 */
export async function applyToDocument(document: vscode.TextDocument, at: GatedPath, text: string, isUnsaved: boolean): Promise<WriteReport> {
  const before = document.getText();
  const expected = document.version;
  if (!(await giveText(document, text))) {
    throw new ToolError("io_error", `${at.path}: VS Code refused the edit. Nothing was changed.`, "The file may be read-only in the editor.");
  }
  if (document.version === expected && document.getText() !== text) {
    throw new ToolError("io_error", `${at.path}: the edit did not arrive in the editor. Nothing was changed.`, "Try again.");
  }
  if (isUnsaved) {
    return { saved: false, text: document.getText() };
  }
  if (!(await document.save())) {
    await giveText(document, before);
    throw new ToolError("io_error", `${at.path}: VS Code could not save it, so the edit was taken back.`, "The file may be read-only, or have changed on disk.");
  }
  return { saved: true, text: document.getText() };
}

function giveText(document: vscode.TextDocument, text: string): Thenable<boolean> {
  const { range, replacement } = leastChange(document, text);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, replacement);
  return vscode.workspace.applyEdit(edit);
}

/** The shortest range whose replacement turns the document into `text`. */
function leastChange(document: vscode.TextDocument, text: string): { range: vscode.Range; replacement: string } {
  const before = document.getText();
  const shared = Math.min(before.length, text.length);
  let head = 0;
  while (head < shared && before.charCodeAt(head) === text.charCodeAt(head)) {
    head++;
  }
  let tail = 0;
  while (tail < shared - head && before.charCodeAt(before.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) {
    tail++;
  }
  // An editor position cannot stand between \r and \n, nor inside a surrogate pair.
  head -= splitsPair(before, head) || splitsPair(text, head) ? 1 : 0;
  tail -= tail > 0 && (splitsPair(before, before.length - tail) || splitsPair(text, text.length - tail)) ? 1 : 0;
  return {
    range: new vscode.Range(document.positionAt(head), document.positionAt(before.length - tail)),
    replacement: text.slice(head, text.length - tail),
  };
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return (before === 13 && after === 10) || (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff);
}
