import type * as vscode from "vscode";
import { plainTerminalText } from "../../../text/terminal/text.js";
import { count } from "../../../text/words.js";

/** Maximum characters of output kept, from its end: ten times what an answer holds. */
const MAX_OUTPUT = 1_000_000;
/** Upper limit for the length of a mark, in characters. */
const MARK_LENGTH = 100;

/** The output that the shell prints between the marks. */
export class ShellOutput {
  readonly #mark: RegExp;
  #held = "";
  #dropped = 0;
  #tellEnd: () => void = () => undefined;
  /** Resolves when the mark after the output has been read. */
  readonly ended = new Promise<void>((resolve) => (this.#tellEnd = resolve));
  hasBegun = false;
  /** The exit code in the mark; undefined if it has none. */
  exitCode: number | undefined;

  constructor(mark: string) {
    this.#mark = new RegExp(`\\x1b\\]7777;${mark};(start|\\d+)\\x07`, "g");
  }

  /** Reads to the end. Must be called immediately, or the first output is lost (microsoft/vscode#237208). */
  async read(execution: vscode.TerminalShellExecution): Promise<void> {
    for await (const data of execution.read()) {
      this.#take(data);
    }
  }

  #take(data: string): void {
    if (this.exitCode !== undefined) {
      return;
    }
    // A mark may arrive in two pieces.
    this.#mark.lastIndex = Math.max(0, this.#held.length - MARK_LENGTH);
    this.#held += data;
    for (let found = this.#mark.exec(this.#held); found !== null; found = this.#mark.exec(this.#held)) {
      this.#mark.lastIndex = 0;
      if (found[1] === "start") {
        this.hasBegun = true;
        this.#held = this.#held.slice(found.index + found[0].length);
      } else {
        this.#held = this.#held.slice(0, found.index);
        this.exitCode = Number(found[1]);
        this.#tellEnd();
      }
    }
    if (this.#held.length > 2 * MAX_OUTPUT) {
      const from = this.#held.indexOf("\n", this.#held.length - MAX_OUTPUT) + 1 || this.#held.length - MAX_OUTPUT;
      this.#dropped += from;
      this.#held = this.#held.slice(from);
    }
  }

  /** Returns plain text; only its end if there was too much. */
  text(): string {
    const text = plainTerminalText(this.#held);
    return this.#dropped === 0 ? text : `[${count(this.#dropped, "character")} before this were not kept.]\n${text}`;
  }
}
