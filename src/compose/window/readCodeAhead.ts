import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import type { Files } from "../../ports/files.js";
import { codeSearch } from "../../tools/code/codeSearch.js";
import { l10n } from "../../views/shared/l10n.js";
import type { CodeIndex } from "../state.js";

/** How long after the first call of a tool, in ms: the calls of a turn's beginning come first. */
const DELAY = 5_000;

export interface ReadCodeAheadParts {
  index: Pick<CodeIndex, "readAhead">;
  files: Pick<Files, "roots">;
  /** Returns the tools that can be used now. */
  tools: () => readonly Tool[];
  onDidCall: vscode.Event<void>;
}

/**
 * Reads a window's code into its index once an agent works there, so that its first search need not. Shows how far it
 * is in the status bar. Folders that are not on a disk of this machine are read with the first search.
 */
export function readCodeAhead({ index, files, tools, onDidCall }: ReadCodeAheadParts): vscode.Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = (): void => {
    const isHere = files.roots().every(({ scheme }) => scheme === "file");
    if (!isHere || !tools().some(({ name }) => name === codeSearch.name)) {
      return;
    }
    let shown: vscode.Progress<{ message: string }> | undefined;
    const reading = index.readAhead(({ message }) => {
      if (shown === undefined) {
        const title = l10n.t("Toolhost is indexing code");
        void vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, (progress) => {
          shown = progress;
          return reading;
        });
      }
      shown?.report({ message });
    });
  };
  const first = onDidCall(() => {
    first.dispose();
    timer = setTimeout(read, DELAY);
  });
  return {
    dispose: () => {
      first.dispose();
      clearTimeout(timer);
    },
  };
}
