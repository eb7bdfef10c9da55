import type { CommandEnd } from "./processes.js";

/** A terminal's controls over the process it shows. */
export interface TerminalControls {
  /** Called with text the user typed; only if the process reads input. */
  input(text: string): void;
  /** Called when the user presses Ctrl+D: end of input. */
  closeInput(): void;
  /** Called when the user closes the terminal, or presses Ctrl+C in it. */
  stop(): void;
}

/** A terminal that shows a process. */
export interface ShownProcess {
  /** Shows its output, including escape sequences. Never waits for the terminal. */
  write(text: string): void;
  ended(end: CommandEnd): void;
}

/** Shows running processes to people. A process never waits for its terminal. */
export interface Terminals {
  show(
    process: { id: string; title: string; command: string; workdir: string; interactive: boolean; background: boolean },
    controls: TerminalControls,
  ): ShownProcess;
}
