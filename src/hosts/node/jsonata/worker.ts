import { Worker } from "node:worker_threads";
import jsonata from "jsonata";
import type { Evaluated } from "../../../ports/expressions.js";
import type { Report, Work } from "./messages.js";
import { parseDocument, type ParsedDocument } from "./parseDocument.js";

/**
 * Runs one expression in a process that its host ends when it takes too long: bundled to a file of its own,
 * dist/jsonata-worker.js.
 */

/** Milliseconds after which it ends itself: its host, which ends it long before, may have been killed. */
const LAST = 60_000;

// An expression that recurses without end never gives its thread back, so the clock is on another one.
new Worker(`setTimeout(() => process.kill(process.pid, "SIGKILL"), ${LAST})`, { eval: true }).unref();

process.once("message", (work: Work) => {
  void run(work).then((last) => process.send?.(last, () => process.disconnect?.()));
});

async function run({ expression, text, format }: Work): Promise<Report> {
  let document: ParsedDocument;
  try {
    document = parseDocument(text, format);
  } catch (error) {
    return { kind: "failed", type: "invalid_json", message: reasonOf(error) };
  }
  let compiled: jsonata.Expression;
  try {
    compiled = jsonata(expression);
  } catch (error) {
    return { kind: "failed", type: "invalid_expression", message: placed(error) };
  }
  process.send?.({ kind: "compiled" } satisfies Report);
  try {
    return {
      kind: "done",
      result: {
        ...describe(await compiled.evaluate(document.value)),
        ...(document.remark === undefined ? {} : { remark: document.remark }),
      },
    };
  } catch (error) {
    return { kind: "failed", type: "evaluation_error", message: placed(error) };
  }
}

/** @throws Error when the value is none that JSON has */
function describe(value: unknown): Evaluated {
  if (isFunction(value)) {
    throw new Error("the expression gives a function, which is no value. Call it, or apply it with $map or $filter");
  }
  // JSONata knows a value that is not there; JSON has null for it.
  const plain = value === undefined ? null : value;
  const json = JSON.stringify(plain, (_key, item: unknown) => (isFunction(item) ? undefined : item), 2);
  if (plain === null) {
    return { json, type: "null" };
  }
  if (Array.isArray(plain)) {
    return { json, type: "array", count: plain.length };
  }
  if (typeof plain === "object") {
    return { json, type: "object", count: Object.keys(plain).length };
  }
  return { json, type: typeof plain as "string" | "number" | "boolean" };
}

/** A function of JavaScript, or one of JSONata: its own have one of these marks. */
function isFunction(value: unknown): boolean {
  return (
    typeof value === "function" ||
    (typeof value === "object" && value !== null && ("_jsonata_lambda" in value || "_jsonata_function" in value))
  );
}

/** What JSONata says, and at which character when it tells. */
function placed(error: unknown): string {
  const { position } = error as { position?: unknown };
  return typeof position === "number" ? `${reasonOf(error)} (at character ${position})` : reasonOf(error);
}

/** Its errors are plain objects with a message. */
function reasonOf(error: unknown): string {
  const { message } = error as { message?: unknown };
  return typeof message === "string" ? message : String(error);
}
