import { fork } from "node:child_process";
import { ToolError } from "../../core/errors.js";
import { oneLine, shorten } from "../../text/clip.js";

/** Maximum characters kept of the last output of the process. */
const MAX_LAST_WORDS = 10_000;
/** Maximum characters of an error's message. */
const MAX_MESSAGE = 300;

/** A program of Toolhost's that works on what nobody vouches for: an expression, a document. */
export interface OwnProgram<Report, Result> {
  /** Absolute path of its file. */
  script: string;
  /** Megabytes of heap. */
  memory: number;
  /** For errors: what the program does, as in "The evaluation was cancelled.". */
  task: string;
  /** The time until its first report. */
  first: Deadline;
  /** What a report means: the result, an error, a new deadline, or nothing. */
  onReport: (report: Report) => { result: Result } | { error: ToolError } | { next: Deadline } | undefined;
  /**
   * Explains an end without a result.
   *
   * @param how "with exit code 1", "by the signal SIGKILL", or "out-of-memory"
   */
  onEnd: (how: string) => ToolError;
}

/** A limit, in ms, and the error when it has passed. */
export interface Deadline {
  milliseconds: number;
  error: ToolError;
}

/**
 * Runs a program in its own process, gives it one piece of work and returns its result. A computation without end never
 * yields its thread, so no timer there would fire: it is killed from here. A worker thread would be enough for that,
 * but not for memory: one that reaches its limit within a single step, such as JSON.parse, takes the whole process down
 * (Node 24, `resourceLimits`).
 *
 * @throws ToolError the program's own, `unavailable` if it cannot be started, `cancelled` if the signal is aborted
 */
export async function runOwnProgram<Report, Result>(
  { script, memory, task, first, onReport, onEnd }: OwnProgram<Report, Result>,
  work: object,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  const child = fork(script, [], {
    execArgv: [`--max-old-space-size=${memory}`],
    env: environment(),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (said: string) => {
    lastWords = (lastWords + said).slice(-MAX_LAST_WORDS);
  });
  try {
    return await new Promise<Result>((resolve, reject) => {
      const endBy = ({ milliseconds, error }: Deadline): void => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(error), milliseconds);
      };
      onAbort = () => reject(new ToolError("cancelled", `${task} was cancelled.`));
      signal.addEventListener("abort", onAbort, { once: true });
      endBy(first);
      child.on("message", (report: Report) => {
        const meant = onReport(report);
        if (meant === undefined) {
          return;
        }
        if ("next" in meant) {
          endBy(meant.next);
        } else if ("result" in meant) {
          resolve(meant.result);
        } else {
          reject(meant.error);
        }
      });
      child.on("error", (error) =>
        reject(
          new ToolError("unavailable", `${task} is not possible here: ${shorten(oneLine(error.message), MAX_MESSAGE)}`),
        ),
      );
      // By then its pipes are closed, so all its output has been read.
      child.on("close", (code, signalName) =>
        reject(
          onEnd(
            /heap out of memory|Reached heap limit/.test(lastWords)
              ? "out-of-memory"
              : signalName === null
                ? `with exit code ${code}`
                : `by the signal ${signalName}`,
          ),
        ),
      );
      child.send(work, () => undefined);
    });
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) {
      signal.removeEventListener("abort", onAbort);
    }
    child.kill("SIGKILL");
  }
}

/**
 * Returns the variables that a program needs to start, and none of the user's other variables. In VS Code the program
 * is Electron.
 */
function environment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return { ELECTRON_RUN_AS_NODE: "1", ...(SystemRoot === undefined ? {} : { SystemRoot }) };
}
