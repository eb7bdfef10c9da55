import * as vscode from "vscode";
import type { AgentEvent } from "../../agent/events.js";
import type { RunningSchedule } from "../../agent/work/scheduler.js";
import { oneLine, shorten } from "../../text/clip.js";
import { plain } from "../../text/plainText.js";
import { openSession } from "./openSession.js";
import { LINK_COMMAND } from "../../names/contributed.js";

/** Maximum characters of an action in lists. */
const MAX_DOING = 120;

/** A task or schedule running in this window. */
export interface RunningWork {
  kind: "task" | "schedule";
  /** The task's title, or the schedule's name: what it is called wherever it is shown. */
  title: string;
  session: string;
  stop: () => void;
}

interface WorkItem extends vscode.QuickPickItem {
  work: RunningWork;
}

const STOP: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("debug-stop"), tooltip: vscode.l10n.t("Stop") };

/** Shows running tasks and schedules in the status bar, and lists them on a click. Hidden if none are running. */
export class WorkStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("toolhost.work", vscode.StatusBarAlignment.Left);
  readonly #command: vscode.Disposable;
  readonly #tasks = new Set<RunningWork>();
  readonly #doing = new Map<string, string>();
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** Tells that something has started or ended, or does something else. */
  readonly onDidChange = this.#changed.event;
  #schedules: readonly RunningWork[] = [];

  constructor() {
    this.#item.name = vscode.l10n.t("Toolhost: Running Tasks and Schedules");
    this.#item.command = LINK_COMMAND.showWork;
    this.#command = vscode.commands.registerCommand(LINK_COMMAND.showWork, () => this.#pick());
  }

  dispose(): void {
    this.#item.dispose();
    this.#command.dispose();
    this.#changed.dispose();
  }

  setSchedules(running: readonly RunningSchedule[]): void {
    this.#schedules = running.map(({ name, session, stop }) => ({ kind: "schedule", title: name, session, stop }));
    this.#update();
  }

  /** Shows a task until the returned function is called. @param onDoing called with each action in its session, one line */
  follow(work: RunningWork, onDoing: (message: string) => void): () => void {
    this.#tasks.add(work);
    this.#listeners.set(work.session, onDoing);
    this.#update();
    return () => {
      this.#tasks.delete(work);
      this.#listeners.delete(work.session);
      this.#update();
    };
  }

  onEvent(event: AgentEvent): void {
    const doing =
      event.type === "call" ? event.summary : event.type === "request" ? vscode.l10n.t("Thinking") : undefined;
    if (doing !== undefined) {
      this.#doing.set(event.session, doing);
      this.#listeners.get(event.session)?.(doing);
      this.#changed.fire();
    } else if (event.type === "end") {
      this.#doing.delete(event.session);
    }
  }

  running(): RunningWork[] {
    return [...this.#tasks, ...this.#schedules];
  }

  /** Returns what a session does now, one line; empty if it is not known. */
  doing({ session }: RunningWork): string {
    return this.#doing.get(session) ?? "";
  }

  #update(): void {
    this.#changed.fire();
    const running = this.running();
    const [first] = running;
    if (first === undefined) {
      this.#item.hide();
      return;
    }
    const words = running.length === 1 ? labelOf(first.title, 30) : vscode.l10n.t("{0} at work", running.length);
    this.#item.text = `$(sync~spin) ${words}`;
    // Plain text: names come from workspace files and must not become links.
    this.#item.tooltip = [
      vscode.l10n.t("Toolhost is working on"),
      ...running.map(({ kind, title }) => `${shorten(oneLine(title), MAX_DOING)} (${kindWords(kind)})`),
    ].join("\n");
    this.#item.accessibilityInformation = { label: vscode.l10n.t("Toolhost: {0}", words) };
    this.#item.show();
  }

  async #pick(): Promise<void> {
    const pick = vscode.window.createQuickPick<WorkItem>();
    pick.title = vscode.l10n.t("Toolhost: Running Tasks and Schedules");
    pick.placeholder = vscode.l10n.t("Choose one to open its session, or stop it");
    pick.items = this.running().map((work) => ({
      label: labelOf(work.title, MAX_DOING),
      description: kindWords(work.kind),
      detail: labelOf(this.doing(work), MAX_DOING),
      buttons: [STOP],
      work,
    }));
    const chosen = await new Promise<RunningWork | undefined>((resolve) => {
      pick.onDidAccept(() => resolve(pick.selectedItems[0]?.work));
      pick.onDidTriggerItemButton(({ item }) => {
        item.work.stop();
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
    pick.dispose();
    if (chosen !== undefined) {
      await openSession(chosen.session);
    }
  }
}

/** Prepares a text for a label. */
function labelOf(text: string, max: number): string {
  return plain(shorten(oneLine(text), max));
}

/** Says what kind of work it is. */
export function kindWords(kind: RunningWork["kind"]): string {
  return kind === "task" ? vscode.l10n.t("task") : vscode.l10n.t("schedule");
}
