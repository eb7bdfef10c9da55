import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { DocumentFormat, Evaluated, Expressions } from "../../../ports/expressions.js";
import { oneLine, shorten } from "../../../text/clip.js";
import type { Report, Work } from "./messages.js";

/** Limits of one evaluation; tests use their own. */
export interface EvaluationLimits {
  /** Time to read the text, in ms: YAML of 20 MB takes seconds. */
  reading: number;
  /** Time to evaluate, in ms: an expression that takes longer on 20 MB usually never ends. */
  evaluation: number;
  /** Megabytes of heap: 20 MB of JSON take about 150 as values, and an expression copies them. */
  memory: number;
}

export const LIMITS: EvaluationLimits = { reading: 20_000, evaluation: 5_000, memory: 512 };
/** Maximum characters of a message: JSONata quotes values, which may be a whole document. */
const MAX_MESSAGE = 300;
/** Maximum characters kept of the last output of the process. */
const MAX_LAST_WORDS = 10_000;
const SIMPLER = "Filter before you group or sort, and make sure every recursive function ends.";

/**
 * Evaluates each JSONata expression in its own process. One that recurses without end never yields its thread, so no
 * timer there would fire: it is killed from here. A worker thread would be enough for that, but not for memory: one
 * that reaches its limit within a single step, such as JSON.parse, takes the whole process down (Node 24,
 * `resourceLimits`).
 */
export class ProcessExpressions implements Expressions {
  readonly #script: string;
  readonly #limits: EvaluationLimits;

  /** @param folder that contains `jsonata-worker.js`: the bundle's folder */
  constructor(folder: string, limits: Partial<EvaluationLimits> = {}) {
    this.#script = join(folder, "jsonata-worker.js");
    this.#limits = { ...LIMITS, ...limits };
  }

  async evaluate(
    expression: string,
    { text, format }: { text: string; format: DocumentFormat },
    signal: AbortSignal,
  ): Promise<Evaluated> {
    signal.throwIfAborted();
    const child = fork(this.#script, [], {
      execArgv: [`--max-old-space-size=${this.#limits.memory}`],
      env: environment(),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
    });
    try {
      return await this.#outcome(child, { expression, text, format }, signal);
    } finally {
      child.kill("SIGKILL");
    }
  }

  #outcome(child: ChildProcess, work: Work, signal: AbortSignal): Promise<Evaluated> {
    const { reading, evaluation, memory } = this.#limits;
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    let lastWords = "";
    child.stderr?.setEncoding("utf8").on("data", (said: string) => {
      lastWords = (lastWords + said).slice(-MAX_LAST_WORDS);
    });
    const outcome = new Promise<Evaluated>((resolve, reject) => {
      const endIn = (milliseconds: number, error: ToolError): void => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(error), milliseconds);
      };
      onAbort = () => reject(new ToolError("cancelled", "The evaluation was cancelled."));
      signal.addEventListener("abort", onAbort, { once: true });
      endIn(reading, new ToolError("invalid_json", `It could not be read within ${reading / 1_000} s.`));
      child.on("message", (report: Report) => {
        if (report.kind === "compiled") {
          endIn(
            evaluation,
            new ToolError("evaluation_error", `The evaluation was stopped after ${evaluation / 1_000} s.`, SIMPLER),
          );
        } else if (report.kind === "done") {
          resolve(report.result);
        } else {
          reject(new ToolError(report.type, shorten(oneLine(report.message), MAX_MESSAGE)));
        }
      });
      child.on("error", (error) =>
        reject(
          new ToolError(
            "unavailable",
            `Expressions cannot be evaluated here: ${shorten(oneLine(error.message), MAX_MESSAGE)}`,
          ),
        ),
      );
      // By then its pipes are closed, so all its output has been read.
      child.on("close", (code, signal) => reject(ended({ code, signal, lastWords }, memory)));
      child.send(work, () => undefined);
    });
    return outcome.finally(() => {
      clearTimeout(timer);
      if (onAbort !== undefined) {
        signal.removeEventListener("abort", onAbort);
      }
    });
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

/**
 * Explains why a process ended without a result. Unless memory was the reason, it does not advise a simpler expression:
 * the cause may be something else.
 */
function ended(
  { code, signal, lastWords }: { code: number | null; signal: string | null; lastWords: string },
  memory: number,
): ToolError {
  if (/heap out of memory|Reached heap limit/.test(lastWords)) {
    return new ToolError(
      "evaluation_error",
      `The document and the expression's results took more than ${memory} MB of memory.`,
      SIMPLER,
    );
  }
  const how = signal === null ? `with exit code ${code}` : `by the signal ${signal}`;
  return new ToolError(
    "evaluation_error",
    `The evaluating process ended ${how} without a result, so the result is unknown.`,
    "Try again. If it fails again, memory may be short on this machine, or the installed Toolhost is damaged.",
  );
}
