import * as vscode from "vscode";
import { userValue } from "../../hosts/vscode/userSettings.js";
import { changeSettings } from "../../hosts/vscode/settings.js";
import { SETTING } from "../../names/settings.js";
import { plain } from "../../text/plainText.js";
import { visibleLine } from "../../text/showHidden.js";
import { messageOf } from "../../text/words.js";
import { ChangeKeeper } from "../../features/changes/changes.js";
import { ProcessTable } from "../../features/processes/processTable.js";
import { WorkspaceScan } from "../../hosts/search/workspaceScan.js";
import { followMoves } from "../moves.js";
import { keepState } from "../state.js";
import { commandReaders, syntaxCode } from "../pipeline.js";
import { SandboxUses } from "../sandboxUses.js";
import type { WindowParts, WindowPipeline } from "./pipeline.js";

/** The sandboxes in which a window's tools work. */
export interface WindowSandboxes extends vscode.Disposable {
  uses: SandboxUses;
}

/** Opens the one that the user's settings name, and those that other extensions choose. */
export function openSandboxes({
  registry,
  files,
  state,
  running,
  log,
  pipeline: shared,
}: Omit<WindowParts, "models"> & { pipeline: WindowPipeline }): WindowSandboxes {
  const notice = (message: string): void => {
    log.warn(message);
    void vscode.window.showWarningMessage(plain(visibleLine(message)));
  };
  const { programs, powershell } = commandReaders(files.folder, { isElsewhere: true });
  const readers = { programs, powershell };
  const uses = new SandboxUses(
    () => ({
      ...{ rules: shared.rules, localSpawner: () => running.spawner, onNotice: notice },
      undo: { activity: shared.recorder, isTrusted: shared.isTrusted },
      remark: (where) =>
        `Tools work in ${where} now, not in the window's folders. Unsaved text of editors is not there.`,
      maker: {
        ...{ folder: files.folder, run: files.run, onNotice: notice, onChanged: state.touched },
        ...{ ChangeKeeper, ProcessTable, WorkspaceScan, followMoves, keepState, syntaxCode },
        processesOf: (spawner, name) => running.inSandbox(spawner, name),
        updatesImports: () => changeSettings().updateImports,
        pipelineOf: ({ capabilities, ...seen }) =>
          shared.pipelineOf(registry, {
            ...{ ...seen, ...readers, rules: seen.rules ?? shared.rules },
            capabilities: { ...capabilities, sessions: shared.agents },
          }),
      },
    }),
    () => {
      const now = uses.current;
      shared.forgetShown();
      log.info(now === undefined ? "Tools work in the window's folders." : `Tools work in the sandbox ${now.name}.`);
      state.touched();
    },
  );
  let chosen: vscode.Disposable | undefined;
  // From the user's own settings: a workspace must not say where calls run.
  const follow = (): void => {
    chosen?.dispose();
    chosen = undefined;
    const address = userValue(SETTING.sandboxClient);
    if (address === undefined || address === null || address === "") {
      return;
    }
    try {
      chosen = uses.use(address);
    } catch (error) {
      notice(`${SETTING.sandboxClient}: ${messageOf(error)} Tools work in the window's folders.`);
    }
  };
  follow();
  const changed = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTING.sandboxClient)) {
      follow();
    }
  });
  return { uses, dispose: () => void changed.dispose() };
}
