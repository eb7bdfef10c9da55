import * as vscode from "vscode";
import { l10n } from "../../views/shared/l10n.js";
import type { Commands } from "../../views/shared/commandTable.js";
import type { WindowProcesses } from "../window/processes.js";

/** The processes of a browser: none. */
export const nothingRuns: Pick<WindowProcesses, "background" | "processOf" | "showTerminal" | "commands"> = {
  background: {
    list: () => [],
    onDidChange: () => new vscode.Disposable(() => undefined),
    stop: () => undefined,
    show: () => false,
    now: Date.now,
  },
  processOf: () => undefined,
  showTerminal: () => false,
  commands: {},
};

/** Returns a handler for each command that package.json contributes: it says that the command is not there. */
export function absentCommands({ packageJSON }: Pick<vscode.Extension<unknown>, "packageJSON">): Commands {
  const { contributes } = packageJSON as { contributes: { commands: { command: string; title: string }[] } };
  return Object.fromEntries(
    contributes.commands.map(({ command, title }) => [
      command,
      () =>
        void vscode.window.showInformationMessage(
          l10n.t("“{0}” does not work in a browser. Open this folder in VS Code on your computer.", title),
        ),
    ]),
  );
}
