import { LineSplitter, type Ripgrep } from "../../ripgrep/ripgrep.js";
import { ToolError } from "../../../core/errors.js";
import { loadOnce } from "../../../core/once.js";
import { messageOf } from "../../../text/words.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** Maximum threads that search at once: each holds the text that it searches, and the program's own memory. */
const MAX_THREADS = 2;

/** A thread of the browser, as much of it as is needed here. */
export interface Thread {
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
  onmessageerror?: (() => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

export interface ThreadsHost {
  /** Starts a thread that runs worker.ts. */
  start: () => Promise<Thread>;
  /** Returns ripgrep for WASI (preview 1). */
  program: () => Promise<Uint8Array>;
}

/**
 * Runs ripgrep in threads of the browser, on texts alone: there are no files. The signal ends the thread, so that no
 * pattern can hang the window. This build has no PCRE2, and says so in ripgrep's words.
 */
export function ripgrepInThreads(host: ThreadsHost): Ripgrep {
  const compiled = loadOnce(async () => WebAssembly.compile((await host.program()) as Uint8Array<ArrayBuffer>));
  const idle: Thread[] = [];
  /** Runs that wait for a thread: each gets the place of one that ends. */
  const waiting = new Set<() => void>();
  let running = 0;
  /** Returns whether the caller has a place now; false if the signal came first. */
  const queue = (signal: AbortSignal): Promise<boolean> => {
    if (running < MAX_THREADS) {
      running += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const go = (): void => settle(true);
      const stop = (): void => settle(false);
      const settle = (isNext: boolean): void => {
        waiting.delete(go);
        signal.removeEventListener("abort", stop);
        resolve(isNext);
      };
      waiting.add(go);
      signal.addEventListener("abort", stop);
    });
  };
  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
    } else {
      next();
    }
  };
  const take = async (): Promise<Thread> => {
    const known = idle.pop();
    if (known !== undefined) {
      return known;
    }
    let thread: Thread | undefined;
    try {
      const module = await compiled();
      thread = await host.start();
      thread.postMessage({ module });
      return thread;
    } catch (error) {
      thread?.terminate();
      throw new ToolError("unavailable", `Search cannot start in this browser: ${messageOf(error)}.`);
    }
  };
  return async ({ args, input = "", signal, onLine, lineEnd }) => {
    if (signal.aborted || !(await queue(signal))) {
      return { exitCode: undefined, errors: "" };
    }
    try {
      const thread = await take();
      let isReusable = false;
      try {
        const lines = new LineSplitter(onLine, lineEnd);
        const ended = await runIn(thread, { args, input }, signal, (text) => lines.push(text, signal));
        isReusable = ended.exitCode !== undefined;
        return ended;
      } finally {
        if (isReusable) {
          idle.push(thread);
        } else {
          thread.terminate();
        }
      }
    } finally {
      release();
    }
  };
}

/** Runs it in a thread. @returns no exit code if the signal came first: the thread then runs on, and is to be ended */
function runIn(
  thread: Thread,
  run: Extract<ToWorker, { args: readonly string[] }>,
  signal: AbortSignal,
  onOutput: (text: string) => void,
): Promise<{ exitCode: number | undefined; errors: string }> {
  return new Promise((resolve, reject) => {
    const stop = (): void => settle(() => resolve({ exitCode: undefined, errors: "" }));
    const settle = (end: () => void): void => {
      signal.removeEventListener("abort", stop);
      thread.onmessage = null;
      thread.onerror = null;
      thread.onmessageerror = null;
      end();
    };
    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener("abort", stop);
    thread.onmessage = ({ data }) => {
      if ("output" in data) {
        onOutput(data.output);
      } else {
        settle(() => resolve(data));
      }
    };
    thread.onerror = ({ message = "its thread ended" }) =>
      settle(() => reject(new ToolError("io_error", `ripgrep failed: ${message}`)));
    thread.onmessageerror = () =>
      settle(() => reject(new ToolError("io_error", "ripgrep failed: its answer could not be read")));
    thread.postMessage(run);
  });
}
