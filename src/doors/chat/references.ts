import * as vscode from "vscode";
import { keepHeadAndTail } from "../../text/clip.js";

/** Code units of a selection or text that is sent with the question; a file is named and read by tool. */
const MAX_INLINE = 4_000;

/** What the user attached to a message, in the order in which it stands there, each as a text for the model. */
export function describeReferences(references: readonly vscode.ChatPromptReference[]): string[] {
  // VS Code lists them from the end of the prompt to its beginning.
  return references.toReversed().flatMap(({ value }) => {
    if (value instanceof vscode.Uri) {
      return [`Attached: ${vscode.workspace.asRelativePath(value)}`];
    }
    if (value instanceof vscode.Location) {
      const { start, end } = value.range;
      return [`Attached: ${vscode.workspace.asRelativePath(value.uri)}, lines ${start.line + 1}-${end.line + 1}`];
    }
    return [typeof value === "string" ? `Attached text:\n${keepHeadAndTail(value, MAX_INLINE)}` : "Attached: something that Toolhost cannot read."];
  });
}
