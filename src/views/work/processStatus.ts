import * as vscode from "vscode";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { LINK_COMMAND } from "../../names/contributed.js";
import type { ProcessOwner } from "../../ports/processes.js";
import type { Commands } from "../shared/commandTable.js";

/** Maximum characters of a command in the list. */
const MAX_COMMAND = 120;

/** A running background process. */
export interface RunningProcess {
  id: string;
  title: string;
  command: string;
  workdir: string;
  /** In milliseconds since the epoch. */
  started: number;
  owner: ProcessOwner;
}

/** The background processes of a window, as people see them. */
export interface BackgroundProcesses {
  /** Lists the running background processes, oldest first. */
  list(): readonly RunningProcess[];
  /** Calls the listener when a process starts or ends. */
  onDidChange: vscode.Event<void>;
  stop(id: string): void;
  /** Shows the process's terminal; returns false if there is none. */
  show(id: string): boolean;
  now(): number;
}

const STOP: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("debug-stop"), tooltip: vscode.l10n.t("Stop") };

interface ProcessItem extends vscode.QuickPickItem {
  process: RunningProcess;
}

/** Shows in the status bar how many background processes are running, and lists them on a click. Hidden if none are. */
export class ProcessStatus implements vscode.Disposable {
  readonly #parts: BackgroundProcesses;
  readonly #item = vscode.window.createStatusBarItem("toolhost.processes", vscode.StatusBarAlignment.Left);
  readonly #owned: { dispose(): void }[];

  constructor(parts: BackgroundProcesses) {
    this.#parts = parts;
    this.#item.name = vscode.l10n.t("Toolhost: Running Processes");
    this.#item.command = LINK_COMMAND.showProcesses;
    this.#owned = [this.#item, parts.onDidChange(() => this.#update())];
    this.#update();
  }

  /** The command that lists the processes. */
  get commands(): Commands {
    return { [LINK_COMMAND.showProcesses]: () => this.#pick() };
  }

  dispose(): void {
    this.#owned.forEach((owned) => owned.dispose());
  }

  #update(): void {
    const running = this.#parts.list();
    if (running.length === 0) {
      this.#item.hide();
      return;
    }
    this.#item.text = `$(terminal) ${running.length} running`;
    // Plain text: commands come from a model and must not become links.
    this.#item.tooltip = [
      vscode.l10n.t("Toolhost's background processes"),
      ...running.map(({ id, title }) => `${id}  ${shorten(oneLine(title), MAX_COMMAND)}`),
    ].join("\n");
    this.#item.accessibilityInformation = {
      label:
        running.length === 1
          ? vscode.l10n.t("Toolhost: 1 background process running")
          : vscode.l10n.t("Toolhost: {0} background processes running", running.length),
    };
    this.#item.show();
  }

  /** Lists the running processes. The list updates while it is open. */
  async #pick(): Promise<void> {
    const pick = vscode.window.createQuickPick<ProcessItem>();
    pick.title = vscode.l10n.t("Toolhost: Running Processes");
    pick.placeholder = vscode.l10n.t("Choose a process to see its terminal or to stop it");
    pick.matchOnDetail = true;
    const fill = (): void => {
      const items = this.#parts.list().map((process) => this.#itemOf(process));
      pick.items = items;
      if (items.length === 0) {
        pick.placeholder = vscode.l10n.t("No background process is running");
      }
    };
    fill();
    const changes = this.#parts.onDidChange(fill);
    const chosen = await new Promise<RunningProcess | undefined>((resolve) => {
      pick.onDidAccept(() => resolve(pick.selectedItems[0]?.process));
      pick.onDidTriggerItemButton(({ item }) => this.#parts.stop(item.process.id));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
    changes.dispose();
    pick.dispose();
    if (chosen !== undefined) {
      await this.#act(chosen);
    }
  }

  async #act({ id, title }: RunningProcess): Promise<void> {
    const actions = [
      { label: `$(terminal) ${vscode.l10n.t("Show Terminal")}`, act: () => void this.#show(id) },
      {
        label: `$(debug-stop) ${vscode.l10n.t("Stop")}`,
        description: vscode.l10n.t("SIGTERM to it and its child processes, then SIGKILL"),
        act: () => this.#parts.stop(id),
      },
    ];
    const action = await vscode.window.showQuickPick(actions, {
      title: `${id}  ${shorten(oneLine(title), MAX_COMMAND)}`,
    });
    action?.act();
  }

  #show(id: string): void {
    if (!this.#parts.show(id)) {
      void vscode.window.showInformationMessage(vscode.l10n.t("{0} has ended, and its terminal is closed.", id));
    }
  }

  #itemOf(process: RunningProcess): ProcessItem {
    const { id, command, workdir, started } = process;
    return {
      // An icon's name in a command must not become an icon.
      label: plain(shorten(oneLine(command), MAX_COMMAND)),
      // A description would be cut off after a long command.
      detail: [
        id,
        vscode.l10n.t("running for {0}", elapsed(this.#parts.now() - started)),
        workdir === "." ? vscode.l10n.t("in the workspace") : vscode.l10n.t("in {0}", workdir),
      ].join(" · "),
      buttons: [STOP],
      process,
    };
  }
}

/** Formats a duration: `42 s`, `3 min`, `2 h 5 min`. */
function elapsed(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) {
    return `${Math.max(0, Math.floor(milliseconds / 1_000))} s`;
  }
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
