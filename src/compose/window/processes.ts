import * as vscode from "vscode";
import { ProcessTable } from "../../features/processes/processTable.js";
import { commandEnvironment } from "../../hosts/node/environment.js";
import { stateRoot } from "../../hosts/node/state/stateFolder.js";
import { Sandbox } from "../../hosts/node/processes/sandbox.js";
import { NodeSpawner } from "../../hosts/node/processes/spawner.js";
import { ProcessStatus } from "../../views/work/processStatus.js";
import { sandboxSetting } from "../../hosts/vscode/settings.js";
import { VscodeTasks } from "../../hosts/vscode/tasks/tasks.js";
import { VscodeTerminals } from "../../hosts/vscode/terminal/terminals.js";
import { UsersShell } from "../../hosts/vscode/terminal/usersShell.js";
import { plain } from "../../text/plainText.js";
import { visibleLine } from "../../text/showHidden.js";
import { watchCommands } from "../effects.js";
import type { WindowFiles } from "./files.js";
import type { WindowState } from "./state.js";

/** The processes of a window. */
export interface WindowProcesses extends vscode.Disposable {
  processes: ProcessTable;
  tasks: VscodeTasks;
}

/** Creates the processes of a window, which run commands and tasks, shown in terminals and in the status bar. */
export function runProcesses(
  { folder, files }: WindowFiles,
  { state, changes }: WindowState,
  log: vscode.LogOutputChannel,
): WindowProcesses {
  const terminals = new VscodeTerminals();
  const usersShell = new UsersShell();
  const changed = new vscode.EventEmitter<void>();
  const effects = watchCommands(folder, files, { changes, state }, (message) => {
    log.warn(message);
    void vscode.window.showWarningMessage(plain(visibleLine(message)));
  });
  void effects.recover();
  const saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => effects.saved(uri.fsPath));
  const processes = new ProcessTable({
    spawner: new NodeSpawner(
      new Sandbox({
        isOn: sandboxSetting,
        folders: () => files.roots().flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : [])),
        secretFiles: state.secretFiles,
        stateFolder: stateRoot,
        onMissing: (why) => log.info(why),
      }),
    ),
    results: state.results,
    terminals,
    effects,
    usersShell: (request, timeLimit, signal) => usersShell.run(request, timeLimit, signal),
    onChange: () => changed.fire(),
  });
  const status = new ProcessStatus({
    list: () => processes.list().filter(({ background, end }) => background && end === undefined),
    onDidChange: changed.event,
    stop: (id) => void processes.find(id)?.stop("cancelled"),
    show: (id) => terminals.reveal(id),
    now: Date.now,
  });
  const shown = vscode.Disposable.from(saves, terminals, usersShell, changed, status);
  return {
    processes,
    tasks: new VscodeTasks({
      pathOf: (uri) => files.pathOf(uri),
      environment: () => commandEnvironment(process.env, {}, ""),
    }),
    dispose: () => void shown.dispose(),
  };
}
