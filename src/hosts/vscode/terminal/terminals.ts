import * as vscode from "vscode";
import type { ShownProcess, TerminalControls, Terminals } from "../../../ports/terminals.js";
import { ProcessTerminal, type TerminalProcess } from "./processTerminal.js";

/**
 * Maximum tabs with running processes: beyond it, processes run unseen until a tab is free or the user asks to see one.
 */
const MAX_OPEN = 20;
/** Maximum tabs whose process has ended: enough to look back, few enough to still find one's own terminals. */
const MAX_ENDED = 3;

interface Tab {
  pty: ProcessTerminal;
  /** Undefined while there are too many tabs. */
  terminal: vscode.Terminal | undefined;
  /** Whether it shows one background process, and no other after it. */
  background: boolean;
}

/**
 * Shows each process in a terminal, live, without taking the focus or opening the panel.
 *
 * Foreground commands follow one another in one tab, so that it keeps their history; those that run in parallel get a
 * tab each. A background process has its own tab. Of the tabs whose process has ended, the newest three stay, and any
 * that the user is looking at.
 *
 * These are terminals of the extension, not tasks: VS Code saves every unsaved file before it runs a task
 * (`task.saveBeforeRun`), even an extension's, and lists it among the user's recent tasks.
 */
export class VscodeTerminals implements Terminals, vscode.Disposable {
  /** Oldest first. */
  readonly #tabs = new Set<Tab>();
  /** A terminal that is closed before VS Code has opened it does not notify its pty. */
  readonly #listener = vscode.window.onDidCloseTerminal((closed) =>
    [...this.#tabs].find(({ terminal }) => terminal === closed)?.pty.close(),
  );

  show(process: TerminalProcess, controls: TerminalControls): ShownProcess {
    const tab = (process.background ? undefined : this.#free()) ?? this.#add(process);
    // The tab used last counts as the newest.
    this.#tabs.delete(tab);
    this.#tabs.add(tab);
    const shown = tab.pty.show(process, controls);
    if (this.#running() <= MAX_OPEN) {
      this.#open(tab);
    }
    return shown;
  }

  /** Brings a process's terminal to the front with the focus; returns false if it no longer has one. */
  reveal(id: string): boolean {
    const tab = [...this.#tabs].find(({ pty }) => pty.latest === id);
    if (tab !== undefined) {
      this.#open(tab).show();
    }
    return tab !== undefined;
  }

  dispose(): void {
    this.#listener.dispose();
    for (const tab of [...this.#tabs]) {
      this.#close(tab);
    }
  }

  /** Returns a foreground tab that shows no running process. */
  #free(): Tab | undefined {
    return [...this.#tabs].findLast(({ pty, background }) => !background && pty.running === undefined);
  }

  #add(process: TerminalProcess): Tab {
    const tab: Tab = {
      pty: new ProcessTerminal(
        process.title,
        () => this.#tidy(),
        () => this.#tabs.delete(tab),
      ),
      terminal: undefined,
      background: process.background,
    };
    this.#tabs.add(tab);
    return tab;
  }

  #open(tab: Tab): vscode.Terminal {
    tab.terminal ??= vscode.window.createTerminal({
      name: tab.pty.name,
      pty: tab.pty,
      iconPath: new vscode.ThemeIcon("tools"),
      isTransient: true,
    });
    return tab.terminal;
  }

  #running(): number {
    return [...this.#tabs].filter(({ pty }) => pty.running !== undefined).length;
  }

  /** Closes old tabs without a process, and opens one for a process that has none yet. */
  #tidy(): void {
    const ended = [...this.#tabs].filter(({ pty }) => pty.running === undefined);
    for (const tab of ended
      .filter(({ terminal }) => terminal === undefined || terminal !== vscode.window.activeTerminal)
      .slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      this.#close(tab);
    }
    const unseen = [...this.#tabs].find(({ terminal }) => terminal === undefined);
    if (
      unseen !== undefined &&
      [...this.#tabs].filter(({ pty, terminal }) => pty.running !== undefined && terminal !== undefined).length <
        MAX_OPEN
    ) {
      this.#open(unseen);
    }
  }

  #close(tab: Tab): void {
    this.#tabs.delete(tab);
    if (tab.terminal === undefined) {
      tab.pty.dispose();
    } else {
      tab.terminal.dispose();
    }
  }
}
