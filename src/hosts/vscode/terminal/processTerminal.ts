import * as vscode from "vscode";
import type { CommandEnd } from "../../../ports/processes.js";
import type { ShownProcess, TerminalControls } from "../../../ports/terminals.js";
import { commandHeader } from "./commandHeader.js";
import { LineInput } from "./lineInput.js";

/** A process as a terminal shows it. */
export interface TerminalProcess {
  id: string;
  title: string;
  command: string;
  workdir: string;
  interactive: boolean;
  background: boolean;
}

/**
 * Maximum characters waiting for the terminal: usually more than its 1,000 lines of scrollback hold. VS Code does not
 * report how far an extension's terminal has got, so whatever is sent faster than it can draw piles up in the window.
 */
const MAX_HELD = 100_000;
/** Interval between two writes to the terminal, in ms: with MAX_HELD about 2 MB a second, and no flicker. */
const INTERVAL = 50;
const DIM = "\x1b[2m";
const RED = "\x1b[31m";
const PLAIN = "\x1b[0m";
/**
 * Resets terminal modes that a program may have left on: the alternate screen (not with 1049, which moves the cursor),
 * mouse and paste reports, a hidden cursor, colors.
 */
const RESET = "\x1b[?47l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?2004l\x1b[!p\x1b[?25h\x1b[0m";

/**
 * A terminal's content: one process, and after its end perhaps another one below it. Accepts all output immediately and
 * in bounded memory, whether VS Code has opened the terminal, is slow with it, or never opens it.
 */
export class ProcessTerminal implements vscode.Pseudoterminal, vscode.Disposable {
  readonly #writes = new vscode.EventEmitter<string>();
  readonly #names = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#writes.event;
  readonly onDidChangeName = this.#names.event;
  #isOpen = false;
  #held = "";
  /** Number of characters dropped since the last write because they came too fast. */
  #skipped = 0;
  #timer: NodeJS.Timeout | undefined;
  #isAtLineStart = true;
  #name: string;
  #input = new LineInput();
  #isHintShown = false;
  #shown: { process: TerminalProcess; controls: TerminalControls } | undefined;
  #isFirst = true;
  #latest = "";

  /**
   * @param onFree called when a process has ended: the terminal can show another one
   * @param onClosed called when VS Code has closed it
   */
  constructor(
    name: string,
    readonly onFree: () => void,
    readonly onClosed: () => void,
  ) {
    this.#name = name;
  }

  /** The process that is running in it. */
  get running(): TerminalProcess | undefined {
    return this.#shown?.process;
  }

  /** The id of the process that it shows at its end, running or ended; empty if there was none. */
  get latest(): string {
    return this.#latest;
  }

  /** The name of its tab. */
  get name(): string {
    return this.#name;
  }

  show(process: TerminalProcess, controls: TerminalControls): ShownProcess {
    const shown = { process, controls };
    this.#shown = shown;
    this.#latest = process.id;
    this.#input = new LineInput();
    this.#isHintShown = false;
    this.#rename(nameOf(process));
    this.#put(`${this.#isFirst ? "" : "\n"}${RESET}${commandHeader(process)}\n`);
    this.#isFirst = false;
    return {
      // Processes left running may write after the end, when the terminal already shows the next process.
      write: (text) => {
        if (this.#shown === shown) {
          this.#put(text);
        }
      },
      ended: (end) => {
        if (this.#shown === shown) {
          this.#end(process, end);
        }
      },
    };
  }

  open(): void {
    this.#isOpen = true;
    this.#names.fire(this.#name);
    this.#flush();
  }

  /** Called when VS Code closes the terminal: the user closed it, or the window is closing. */
  close(): void {
    const shown = this.#shown;
    this.#shown = undefined;
    this.dispose();
    this.onClosed();
    shown?.controls.stop();
  }

  handleInput(data: string): void {
    if (this.#shown === undefined) {
      return;
    }
    const { process, controls } = this.#shown;
    for (const event of this.#input.take(data)) {
      if ("key" in event) {
        if (event.key === "interrupt") {
          this.#put("^C\n");
          controls.stop();
        } else if (process.interactive) {
          this.#put("^D\n");
          controls.closeInput();
        } else {
          this.#hint(NO_INPUT);
        }
      } else if (!process.interactive) {
        this.#hint(NO_INPUT);
      } else if ("echo" in event) {
        this.#put(event.echo);
      } else {
        controls.input(event.text);
      }
    }
  }

  dispose(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = "";
    this.#writes.dispose();
    this.#names.dispose();
  }

  #end(process: TerminalProcess, end: CommandEnd): void {
    this.#shown = undefined;
    const failed = end.status !== "exited" || end.exitCode !== 0;
    this.#put(`${RESET}${this.#isAtLineStart ? "" : "\n"}${failed ? RED : DIM}[${endInWords(end)}]${PLAIN}\n`);
    this.#rename(
      `${end.status === "cancelled" ? "■" : failed ? "✗" : "✓"} ${nameOf(process)}${end.exitCode === undefined || end.exitCode === 0 ? "" : ` (exit code ${end.exitCode})`}`,
    );
    this.onFree();
  }

  #hint(words: string): void {
    if (!this.#isHintShown) {
      this.#isHintShown = true;
      this.#put(`${this.#isAtLineStart ? "" : "\n"}${DIM}[${words}]${PLAIN}\n`);
    }
  }

  #rename(name: string): void {
    this.#name = name;
    if (this.#isOpen) {
      this.#names.fire(name);
    }
  }

  #put(text: string): void {
    if (text === "") {
      return;
    }
    this.#isAtLineStart = text.endsWith("\n") || text.endsWith("\r");
    this.#held += text;
    if (this.#held.length > 2 * MAX_HELD) {
      // Start at the beginning of a line, so that no escape sequence is cut in two.
      const from = this.#held.indexOf("\n", this.#held.length - MAX_HELD) + 1 || this.#held.length - MAX_HELD;
      this.#skipped += from;
      this.#held = this.#held.slice(from);
    }
    if (this.#isOpen && this.#timer === undefined) {
      this.#flush();
    }
  }

  /** Writes the held output, and nothing more for a moment. */
  #flush(): void {
    this.#timer = undefined;
    if (this.#held === "") {
      return;
    }
    const note =
      this.#skipped === 0
        ? ""
        : `${PLAIN}\n${DIM}[${this.#skipped} characters came too fast to be shown here.]${PLAIN}\n`;
    const text = `${note}${this.#held}`;
    this.#held = "";
    this.#skipped = 0;
    this.#writes.fire(text.replaceAll(/\r?\n/g, "\r\n"));
    this.#timer = setTimeout(() => this.#flush(), INTERVAL);
  }
}

const NO_INPUT = "This command reads no input. Ctrl+C stops it.";

/** Names a background process with its id, which the chat and the status bar use too. */
function nameOf({ title, id, background }: TerminalProcess): string {
  return background ? `${id} ${title}` : title;
}

function endInWords({ status, exitCode, signal, duration, leftRunning, limit }: CommandEnd): string {
  const seconds = duration < 1_000 ? `${Math.round(duration)} ms` : `${(duration / 1_000).toFixed(1)} s`;
  const after =
    duration < 60_000 ? seconds : `${Math.floor(duration / 60_000)} min ${Math.floor((duration % 60_000) / 1_000)} s`;
  const left = leftRunning === true ? "; what it started is still running" : "";
  switch (status) {
    case "exited":
      return `exit code ${exitCode ?? "unknown"} after ${after}${left}`;
    case "signaled":
      return `ended by ${signal ?? "a signal"} after ${after}${left}`;
    case "timeout":
      return `timed out after ${after} and was ended${left}`;
    case "cancelled":
      return `stopped after ${after}${left}`;
    case "limited":
      return `ended after ${after}: ${limit ?? "it exceeded a limit"}${left}`;
    case "unobserved":
      return `its end was not observed (${after})${left}`;
  }
}
