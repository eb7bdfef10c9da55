import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { DocumentFormat, Evaluated, Expressions } from "../../../ports/expressions.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { runOwnProgram } from "../ownProcess.js";
import { lighterForm } from "./lighter.js";
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

/** Evaluates each JSONata expression in its own process. */
export class ProcessExpressions implements Expressions {
  readonly #script: string;
  readonly #limits: EvaluationLimits;

  /** @param folder that contains `jsonata-worker.js`: the bundle's folder */
  constructor(folder: string, limits: Partial<EvaluationLimits> = {}) {
    this.#script = join(folder, "jsonata-worker.js");
    this.#limits = { ...LIMITS, ...limits };
  }

  evaluate(
    expression: string,
    { text, format }: { text: string; format: DocumentFormat },
    signal: AbortSignal,
  ): Promise<Evaluated> {
    const { reading, evaluation, memory } = this.#limits;
    const lighter = lighterForm(expression);
    const late = {
      milliseconds: evaluation,
      error: new ToolError("evaluation_error", `The evaluation was stopped after ${evaluation / 1_000} s.`, lighter),
    };
    return runOwnProgram<Report, Evaluated>(
      {
        script: this.#script,
        memory,
        task: "The evaluation",
        first: {
          milliseconds: reading,
          error: new ToolError("invalid_json", `It could not be read within ${reading / 1_000} s.`),
        },
        onReport: (report) => {
          switch (report.kind) {
            case "compiled":
              return { next: late };
            case "done":
              return { result: report.result };
            case "failed":
              return { error: new ToolError(report.type, shorten(oneLine(report.message), MAX_MESSAGE)) };
          }
        },
        onEnd: (how) => ended(how, memory, lighter),
      },
      { expression, text, format } satisfies Work,
      signal,
    );
  }
}

/**
 * Explains why a process ended without a result. Unless memory was the reason, it does not advise a simpler expression:
 * the cause may be something else.
 */
function ended(how: string, memory: number, lighter: string): ToolError {
  if (how === "out-of-memory") {
    return new ToolError(
      "evaluation_error",
      `The document and the expression's results took more than ${memory} MB of memory.`,
      lighter,
    );
  }
  return new ToolError(
    "evaluation_error",
    `The evaluating process ended ${how} without a result, so the result is unknown.`,
    "Try again. If it fails again, memory may be short on this machine, or the installed Toolhost is damaged.",
  );
}
