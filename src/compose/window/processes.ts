import * as vscode from "vscode";
import { ProcessTable } from "../../features/processes/processTable.js";
import { commandEnvironment } from "../../hosts/node/environment.js";
import { stateRoot } from "../../hosts/node/state/stateFolder.js";
import { Sandbox } from "../../hosts/node/processes/sandbox.js";
import { NodeSpawner } from "../../hosts/node/processes/spawner.js";
import type { VscodeFiles } from "../../hosts/vscode/files/files.js";
import { SETTING } from "../../names/settings.js";
import type { Spawner } from "../../features/processes/spawner.js";
import type { Effects } from "../../ports/effects.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { ProcessStatus, type BackgroundProcesses } from "../../views/work/processStatus.js";
import { readSandboxHosts } from "../../hosts/vscode/sandboxHosts.js";
import { rehearseSetting, sandboxSetting, viewsSetting } from "../../hosts/vscode/settings.js";
import { VscodeTasks } from "../../hosts/vscode/tasks/tasks.js";
import { VscodeTerminals } from "../../hosts/vscode/terminal/terminals.js";
import { UsersShell } from "../../hosts/vscode/terminal/usersShell.js";
import { plain } from "../../text/plainText.js";
import { visibleLine } from "../../text/showHidden.js";
import { watchCommands } from "../effects.js";
import { openViews } from "../views.js";
import type { WindowFiles } from "./files.js";
import type { WindowState } from "./state.js";

/** Processes and tasks. */
interface SeenProcesses {
  processes: ProcessTable;
  tasks: VscodeTasks;
}

/**
 * How long after its start, in ms, changes count as those of a command that is waited for: longer than elsewhere, since a
 * window knows what its user saves.
 */
const ALONE_IN_WINDOW = 60_000;

/** The processes of a window. */
export interface WindowProcesses extends SeenProcesses, vscode.Disposable {
  /** Whether commands that change files are contained: not those of callers that see one folder. */
  contains: () => Promise<boolean>;
  /** Whether commands that ask are tried first. */
  rehearses: () => Promise<boolean>;
  /** Returns the processes and tasks of callers that see one folder as if it were the only one. @param path the root's */
  inFolder: (path: string, files: VscodeFiles) => SeenProcesses;
  /** Returns the processes in a sandbox, whose terminals say its name. */
  inSandbox: (spawner: Spawner, name: string) => ProcessTable;
  /** Starts programs of this machine. */
  spawner: Spawner;
  /** Returns the process that a call of a session has started since a time, in ms; undefined if it has started none. */
  processOf: (session: string, call: string, since: number) => string | undefined;
  /** Brings the terminal of a process to the front; returns false if it is closed or shows a later command. */
  showTerminal: (process: string) => boolean;
  /** Commands of the status bar item. */
  commands: Commands;
  closeAll: () => Promise<void>;
  /** Those in the background. */
  background: BackgroundProcesses;
}

/** What commands run with, where it is not what the window's own do. */
type TableParts = Partial<Pick<ConstructorParameters<typeof ProcessTable>[0], "views" | "spawner" | "terminals">>;

/** Creates the processes of a window, which run commands and tasks, shown in terminals and in the status bar. */
export function runProcesses(
  { folder, files }: WindowFiles,
  { state, changes }: WindowState,
  log: vscode.LogOutputChannel,
): WindowProcesses {
  const terminals = new VscodeTerminals();
  const usersShell = new UsersShell();
  const changed = new vscode.EventEmitter<void>();
  const warn = (message: string): void => {
    log.warn(message);
    void vscode.window.showWarningMessage(plain(visibleLine(message)));
  };
  const effects = watchCommands(folder, files, { changes, state }, warn, ALONE_IN_WINDOW);
  void effects.recover();
  const saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => effects.saved(uri.fsPath));
  const onMissing = (why: string): void => log.info(why);
  const sandbox = new Sandbox({
    isOn: sandboxSetting,
    folders: () => files.roots().flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : [])),
    secretFiles: state.secretFiles,
    stateFolder: stateRoot,
    bundles: folder,
    onMissing,
  });
  void readHosts(log);
  const views = openViews(files, changes, sandbox, viewsSetting, rehearseSetting, onMissing);
  const spawner = new NodeSpawner(sandbox);
  const tables: ProcessTable[] = [];
  const ofFolders = new Map<string, ProcessTable>();
  const addTable = (seen: Effects | undefined, prefix: string, given: TableParts = {}): ProcessTable => {
    const table = new ProcessTable({
      ...{ spawner, results: state.results, terminals, prefix, ...given },
      ...(seen && {
        effects: seen,
        usersShell: (request, timeLimit, signal) => usersShell.run(request, timeLimit, signal),
      }),
      onChange: () => changed.fire(),
    });
    tables.push(table);
    return table;
  };
  const tasksOf = (seen: VscodeFiles, only?: string): VscodeTasks =>
    new VscodeTasks({
      pathOf: (uri) => seen.pathOf(uri),
      environment: () => commandEnvironment(process.env, {}, ""),
      only,
    });
  const processes = addTable(effects, "p", { views });
  const background: BackgroundProcesses = {
    list: () =>
      tables
        .flatMap((table) => table.list())
        .filter(({ background, end }) => background && end === undefined)
        .sort((a, b) => a.started - b.started),
    onDidChange: changed.event,
    stop: (id) => tables.forEach((table) => void table.find(id)?.stop("cancelled")),
    show: (id) => terminals.reveal(id),
    now: Date.now,
  };
  const status = new ProcessStatus(background);
  const hostsChanged = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTING.sandboxHosts)) {
      void readHosts(log);
    }
  });
  const shown = vscode.Disposable.from(hostsChanged, saves, terminals, usersShell, changed, status);
  return {
    ...{ processes, background },
    contains: () => views.canOpen(),
    rehearses: () => views.rehearses(),
    tasks: tasksOf(files),
    inFolder: (path, seen) => {
      // Terminals and the list of running processes know a process by its id alone. Those of a folder that is closed and
      // opened again are still its own.
      const table = ofFolders.get(path) ?? addTable(effects.seenIn(path), `f${tables.length}p`);
      ofFolders.set(path, table);
      return { processes: table, tasks: tasksOf(seen, path) };
    },
    spawner,
    inSandbox: (inThere, name) =>
      addTable(undefined, `s${tables.length}p`, {
        spawner: inThere,
        terminals: {
          show: (process, controls) =>
            terminals.show(
              { ...process, title: `${name}: ${process.title}`, workdir: `${name}:${process.workdir}` },
              controls,
            ),
        },
      }),
    processOf: (session, call, since) =>
      tables
        .flatMap((table) => table.list())
        .findLast(({ owner, started }) => owner.session === session && owner.callId === call && started >= since)?.id,
    showTerminal: (process) => terminals.reveal(process),
    commands: status.commands,
    closeAll: async () => void (await Promise.all(tables.map((table) => table.closeAll()))),
    dispose: () => void shown.dispose(),
  };
}

/** Reads the hosts that contained commands may reach, and says what is wrong with the user's list. */
async function readHosts(log: vscode.LogOutputChannel): Promise<void> {
  const problems = await readSandboxHosts();
  const [first] = problems;
  if (first !== undefined) {
    problems.forEach((problem) => log.warn(`${SETTING.sandboxHosts}: ${problem}`));
    const more = problems.length > 1 ? ` (${problems.length - 1} more in the log)` : "";
    void vscode.window.showWarningMessage(plain(visibleLine(`${SETTING.sandboxHosts}: ${first}${more}`)));
  }
}
