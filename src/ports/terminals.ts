import type { CommandEnd } from "./processes.js";

/** What a terminal can do to the process it shows. */
export interface TerminalControls {
  /** What the user typed; only where the process reads. */
  input(text: string): void;
  /** The user pressed Ctrl+D: there is no more to read. */
  closeInput(): void;
  /** The user closed the terminal, or pressed Ctrl+C in it. */
  stop(): void;
}

/** A terminal that shows a process. */
export interface ShownProcess {
  /** What it has written, escape sequences and all. Never waits for the terminal. */
  write(text: string): void;
  ended(end: CommandEnd): void;
}

/** Shows people the processes that run. A process never waits for its terminal. */
export interface Terminals {
  show(
    process: { id: string; title: string; command: string; workdir: string; interactive: boolean; background: boolean },
    controls: TerminalControls,
  ): ShownProcess;
}
