import * as vscode from "vscode";
import { within } from "./patience.js";

/**
 * Waits until a document has its file's text: servers tell lines of the text that the document has, and VS Code hears of
 * changes on disk some time later.
 *
 * @param read returns the file's text; undefined if it is too long to compare
 *
 * @returns whether it came to that within the limit, in ms
 */
export async function caughtUp(
  document: vscode.TextDocument,
  read: () => Promise<string | undefined>,
  limit: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + limit;
  let heard: (() => void) | undefined;
  let changes = 0;
  const listening = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document) {
      changes++;
      heard?.();
    }
  });
  try {
    for (;;) {
      const seen = changes;
      const text = await read();
      if (text === undefined || document.isDirty || document.isClosed || sameText(text, document.getText())) {
        return true;
      }
      const change = new Promise<void>((resolve) => {
        heard = resolve;
      });
      if (seen === changes && (await within(change, end - performance.now(), signal)) === "late") {
        return false;
      }
    }
  } finally {
    listening.dispose();
  }
}

/** Whether texts are the same, but for a byte order mark and line endings, of which VS Code keeps one kind. */
function sameText(one: string, other: string): boolean {
  const plain = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  return one === other || plain(one) === plain(other);
}
