import { closeSync, openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import type { LineTerminal } from "../../ports/lineTerminal.js";

/** Rows and columns of a terminal that does not tell (VT100). */
const USUAL = { rows: 24, columns: 80 };
/** Milliseconds in which what was typed ahead arrives: it waits in the terminal already. */
const TYPED_AHEAD = 50;

/**
 * The terminal that this process was started from; undefined where there is none. It is asked even when standard input
 * or output go elsewhere, as long as one of the three streams is the terminal: a process whose streams are all
 * elsewhere has nobody in front of it.
 */
export function openLineTerminal(): LineTerminal | undefined {
  const { stdin, stdout, stderr } = process;
  if (!stdin.isTTY && !stdout.isTTY && !stderr.isTTY) {
    return undefined;
  }
  if (process.platform !== "win32" && hasControllingTerminal()) {
    return terminalOn(() => openSync("/dev/tty", "r+"), stderr.isTTY ? stderr : stdout.isTTY ? stdout : undefined);
  }
  return stdin.isTTY && stderr.isTTY ? terminalOn(undefined, stderr) : undefined;
}

function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r+"));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param open opens the terminal anew; standard input is read when absent
 * @param shown a stream that is the terminal; it is opened for each text when absent
 */
function terminalOn(open: (() => number) | undefined, shown: WriteStream | undefined): LineTerminal {
  const write = (text: string): void => {
    if (shown !== undefined) {
      shown.write(text);
    } else if (open !== undefined) {
      new WriteStream(open()).end(text);
    }
  };
  return {
    size: () => ({ rows: shown?.rows || USUAL.rows, columns: shown?.columns || USUAL.columns }),
    write,
    prompt: (text, signal) => {
      // Opened for one answer alone: a terminal that is read for longer keeps the process from ending, and takes what
      // its commands may want.
      const input = open === undefined ? process.stdin : new ReadStream(open());
      return readLine(input, () => write(text), signal).finally(() =>
        input === process.stdin ? input.pause() : input.destroy(),
      );
    },
  };
}

/** @param onReady called when what had been typed before is out of the way */
function readLine(input: NodeJS.ReadStream, onReady: () => void, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let typed = "";
    let isListening = false;
    const timer = setTimeout(() => {
      isListening = true;
      onReady();
    }, TYPED_AHEAD);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      input.off("data", onData).off("end", onEnd).off("error", onEnd);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const onData = (chunk: Buffer | string): void => {
      typed += isListening ? chunk.toString() : "";
      const end = typed.indexOf("\n");
      if (end >= 0) {
        settle(() => resolve(typed.slice(0, end).replace(/\r$/, "")));
      }
    };
    const onEnd = (): void => settle(() => resolve(undefined));
    const onAbort = (): void =>
      settle(() => reject(signal.reason instanceof Error ? signal.reason : new Error("cancelled")));
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    input.on("data", onData).on("end", onEnd).on("error", onEnd);
    input.resume();
  });
}
