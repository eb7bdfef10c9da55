import { closeSync, constants, openSync, readSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import type { LineTerminal } from "../../ports/lineTerminal.js";
import { takeInterrupts } from "./interrupts.js";

/** Rows and columns of a terminal that does not report its size (VT100). */
const USUAL = { rows: 24, columns: 80 };
/** How long to wait for input typed ahead where it cannot be discarded, in ms: it is already in the terminal's buffer. */
const TYPED_AHEAD = 50;

/** How long nothing may arrive after something was discarded, in ms: somebody types, or a full terminal has more to give. */
const TYPED_MORE = 300;
/** How long input may go on before a question is shown, in ms; then nobody answers it. */
const MAX_WAIT = 10_000;

/** Maximum bytes of input typed ahead that are discarded at once: more comes from a program, and may never end. */
const MAX_TYPED_AHEAD = 1_000_000;

/**
 * Opens the terminal that this process was started from; undefined if there is none. It is used even if standard input
 * or output are redirected, as long as one of the three streams is the terminal: if all three are redirected, nobody is
 * watching.
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
 * @param open opens the terminal again; if absent, standard input is read
 * @param shown a stream that is the terminal; if absent, it is opened for each text
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
    prompt: (text, signal, { interruptEnds = false } = {}) => {
      // Opened for one answer only: reading a terminal for longer keeps the process alive and takes input that its
      // commands may need.
      const input = open === undefined ? process.stdin : new ReadStream(open());
      const typedAhead = open === undefined ? TYPED_AHEAD : discardTyped(input);
      return readLine(input, () => write(text), signal, { interruptEnds, typedAhead }).finally(() =>
        input === process.stdin ? input.pause() : input.destroy(),
      );
    },
  };
}

/**
 * Discards what was typed before: it does not answer a question that nobody has seen yet. Also an unfinished line: only
 * a terminal in raw mode gives that.
 *
 * @returns how long nothing may arrive until all of it is discarded, in ms
 */
function discardTyped(input: NodeJS.ReadStream): number {
  let terminal: number | undefined;
  let all = 0;
  // The reading that follows reports a terminal that is gone.
  const ignore = (): void => undefined;
  input.on("error", ignore);
  try {
    terminal = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK);
    input.setRawMode(true);
    const buffer = Buffer.alloc(4_096);
    for (let read = 1; read > 0; all += read) {
      if (all > MAX_TYPED_AHEAD) {
        return TYPED_MORE;
      }
      read = readSync(terminal, buffer);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) {
      return TYPED_AHEAD;
    }
  } finally {
    input.setRawMode(false);
    input.off("error", ignore);
    if (terminal !== undefined) {
      closeSync(terminal);
    }
  }
  return all === 0 ? 0 : TYPED_MORE;
}

/**
 * @param onReady called once what had been typed before has been discarded
 * @param typedAhead how long nothing may arrive until it is, in ms; what arrives is discarded
 */
function readLine(
  input: NodeJS.ReadStream,
  onReady: () => void,
  signal: AbortSignal,
  { interruptEnds, typedAhead }: { interruptEnds: boolean; typedAhead: number },
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let typed = "";
    let isListening = false;
    let giveBack = (): void => undefined;
    const listen = (): void => {
      isListening = true;
      onReady();
    };
    let timer = typedAhead === 0 ? undefined : setTimeout(listen, typedAhead);
    const started = Date.now();
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      input.off("data", onData).off("end", onEnd).off("error", onEnd);
      signal.removeEventListener("abort", onAbort);
      giveBack();
      finish();
    };
    const onData = (chunk: Buffer | string): void => {
      if (!isListening) {
        clearTimeout(timer);
        timer = setTimeout(Date.now() - started > MAX_WAIT ? onEnd : listen, typedAhead);
        return;
      }
      typed += chunk.toString();
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
    giveBack = interruptEnds ? takeInterrupts(onEnd) : giveBack;
    if (timer === undefined) {
      listen();
    }
    input.on("data", onData).on("end", onEnd).on("error", onEnd);
    input.resume();
  });
}
