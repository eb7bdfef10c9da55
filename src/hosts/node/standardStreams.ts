import { fstatSync } from "node:fs";
import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { showHidden } from "../../text/showHidden.js";

/** Milliseconds until it is said that standard input is waited for. */
const STDIN_PATIENCE = 3_000;

/** Whether a program or a file is at standard input; a terminal and /dev/null are neither. */
export function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}

/** All of standard input. */
export async function readStdin(signal: AbortSignal): Promise<string> {
  // A pipe that nobody closes looks like a command that hangs.
  const waiting = "Waiting for standard input to end. (Give it < /dev/null when there is none.)";
  const timer = setTimeout(() => warn(waiting), STDIN_PATIENCE);
  try {
    return await text(addAbortSignal(signal, process.stdin));
  } finally {
    clearTimeout(timer);
  }
}

/** Says something that is not the command's output. */
export function warn(message: string): void {
  // Words of servers and file names may be in it, which a terminal must not obey.
  process.stderr.write(`toolhost: ${showHidden(message, true).text}\n`);
}

/**
 * Writes a line. File contents and names may be in it, which a terminal must not obey; a program gets them as they are.
 */
export function writeLine(to: NodeJS.WriteStream, line: string): void {
  to.write(`${to.isTTY ? showHidden(line, true).text : line}\n`);
}

/**
 * Ends the process in order when its output cannot be written.
 *
 * @param onReaderGone a reader that leaves early (`toolhost grep x | head -1`) is no error
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
