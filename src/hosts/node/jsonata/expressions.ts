import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { ToolError } from "../../../core/errors.js";
import type { DocumentFormat, Evaluated, Expressions } from "../../../ports/expressions.js";
import { oneLine, shorten } from "../../../text/clip.js";
import type { Report, Work } from "./messages.js";

/** Bounds of one evaluation; tests have their own. */
export interface EvaluationLimits {
  /** Milliseconds to read the text: YAML of 20 MB takes seconds. */
  reading: number;
  /** Milliseconds to evaluate: what takes longer on 20 MB does not end, as a rule. */
  evaluation: number;
  /** Megabytes of objects: 20 MB of JSON take about 150 as values, and an expression makes copies of them. */
  memory: number;
}

const LIMITS: EvaluationLimits = { reading: 20_000, evaluation: 5_000, memory: 512 };
/** Characters of a message: JSONata quotes values, which may be a whole document. */
const MAX_MESSAGE = 300;

/**
 * JSONata in a worker thread of its own for each expression. One that recurses without end never gives its thread back, so no timer
 * there would fire: the thread is ended from here. It has a heap of its own with a limit, and no environment.
 */
export class WorkerExpressions implements Expressions {
  readonly #script: string;
  readonly #limits: EvaluationLimits;

  /** @param folder where `jsonata-worker.js` lies: beside the bundle */
  constructor(folder: string, limits: Partial<EvaluationLimits> = {}) {
    this.#script = join(folder, "jsonata-worker.js");
    this.#limits = { ...LIMITS, ...limits };
  }

  async evaluate(expression: string, { text, format }: { text: string; format: DocumentFormat }, signal: AbortSignal): Promise<Evaluated> {
    signal.throwIfAborted();
    const work: Work = { expression, text, format };
    const worker = new Worker(this.#script, {
      workerData: work,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memory, maxYoungGenerationSizeMb: 64 },
    });
    try {
      return await this.#outcome(worker, signal);
    } finally {
      await worker.terminate();
    }
  }

  #outcome(worker: Worker, signal: AbortSignal): Promise<Evaluated> {
    const { reading, evaluation, memory } = this.#limits;
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const outcome = new Promise<Evaluated>((resolve, reject) => {
      const endIn = (milliseconds: number, error: ToolError): void => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(error), milliseconds);
      };
      onAbort = () => reject(new ToolError("cancelled", "The evaluation was cancelled."));
      signal.addEventListener("abort", onAbort, { once: true });
      endIn(reading, new ToolError("invalid_json", `The document could not be read within ${reading / 1_000} s.`, "Query a smaller document."));
      worker.on("message", (report: Report) => {
        if (report.kind === "compiled") {
          endIn(evaluation, tookTooLong(evaluation));
        } else if (report.kind === "done") {
          resolve(report.result);
        } else {
          reject(failed(report));
        }
      });
      worker.on("error", (error) => reject(crashed(error, memory)));
      worker.on("exit", () => reject(new ToolError("evaluation_error", "The evaluation ended without a result.", SIMPLER)));
    });
    return outcome.finally(() => {
      clearTimeout(timer);
      if (onAbort !== undefined) {
        signal.removeEventListener("abort", onAbort);
      }
    });
  }
}

const SIMPLER = "Filter before you group or sort, and see that every recursive function ends.";

function tookTooLong(milliseconds: number): ToolError {
  return new ToolError("evaluation_error", `The evaluation was ended after ${milliseconds / 1_000} s.`, SIMPLER);
}

function failed({ type, message }: Extract<Report, { kind: "failed" }>): ToolError {
  return new ToolError(type, shorten(oneLine(message), MAX_MESSAGE));
}

function crashed(error: unknown, memory: number): ToolError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") {
    return new ToolError("evaluation_error", `The document and what the expression made of it took more than ${memory} MB of memory and was ended.`, SIMPLER);
  }
  return new ToolError("evaluation_error", `The evaluation failed: ${shorten(oneLine(message), MAX_MESSAGE)}`, SIMPLER);
}
