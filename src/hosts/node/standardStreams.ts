import { isUtf8 } from "node:buffer";
import { fstatSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { buffer } from "node:stream/consumers";
import { showHidden } from "../../text/showHidden.js";

/** Delay before reporting that we are waiting for standard input, in ms. */
const STDIN_PATIENCE = 3_000;

/** Whether standard input is a program or a file; a terminal and /dev/null are neither. */
export function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}

/**
 * Reads all of standard input.
 *
 * @param exact whether to throw an Error where it is not UTF-8, in place of the marks that decoding leaves
 */
export async function readStdin(signal: AbortSignal, exact = false): Promise<string> {
  // A pipe that nobody closes looks like a command that hangs.
  const waiting = "Waiting for standard input to end. (Use < /dev/null if there is none.)";
  const timer = setTimeout(() => warn(waiting), STDIN_PATIENCE);
  try {
    const bytes = await buffer(addAbortSignal(signal, process.stdin));
    if (exact && !isUtf8(bytes)) {
      throw new Error("it is not UTF-8 text");
    }
    return new TextDecoder().decode(bytes);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a message that is not part of the command's output. */
export function warn(message: string): void {
  // The message may contain server messages and file names, which must not control the terminal.
  process.stderr.write(`toolhost: ${showHidden(message, true).text}\n`);
}

/**
 * Writes a line that may contain file contents and names. These must not control a terminal; programs get them
 * unchanged.
 */
export function writeLine(to: NodeJS.WriteStream, line: string): void {
  to.write(`${to.isTTY ? showHidden(line, true).text : line}\n`);
}

/**
 * Ends the process cleanly if its output cannot be written.
 *
 * @param onReaderGone a reader that exits early (`toolhost grep x | head -1`) is not an error
 */
export function watchOutput(onReaderGone: () => void): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") {
      onReaderGone();
      return;
    }
    process.stderr.write(`toolhost: the output could not be written: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on("error", () => process.exit());
}
