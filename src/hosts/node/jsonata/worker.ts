import { Worker } from "node:worker_threads";
import jsonata from "jsonata";
import type { Evaluated } from "../../../ports/expressions.js";
import type { Report, Work } from "./messages.js";
import { missingFields } from "./missingFields.js";
import { sortNatively } from "./nativeSort.js";
import { parseDocument, type ParsedDocument } from "./parseDocument.js";

/**
 * Runs one expression in a process that its host kills if it takes too long; bundled to its own file,
 * dist/jsonata-worker.js.
 */

/** Time until the worker kills itself, in ms. Its host would kill it long before, but may have been killed itself. */
const LAST = 60_000;

/** Maximum characters of a result that is written in one line. */
const ONE_LINE = 200;

// An expression that recurses without end never yields its thread, so the timer is on another one.
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
  let remark: string | undefined;
  try {
    compiled = jsonata(expression);
    remark = [document.remark, missingFields(compiled.ast(), document.value)].filter(Boolean).join(" ") || undefined;
    sortNatively(compiled);
  } catch (error) {
    return { kind: "failed", type: "invalid_expression", message: placed(error) };
  }
  process.send?.({ kind: "compiled" } satisfies Report);
  try {
    return {
      kind: "done",
      result: {
        ...describe(await compiled.evaluate(document.value)),
        ...(remark === undefined ? {} : { remark }),
      },
    };
  } catch (error) {
    return { kind: "failed", type: "evaluation_error", message: placed(error) };
  }
}

/** @throws Error if JSON has no such value */
function describe(value: unknown): Evaluated {
  if (isFunction(value)) {
    throw new Error(
      "the expression returns a function, which is not a value. Call it, or apply it with $map or $filter",
    );
  }
  // JSONata has a value for "absent", and JSON's equivalent is null.
  const plain = value === undefined ? null : value;
  const json = entryALine(plain);
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

/** Returns a value as JSON with a line for each entry or field, so that it can be searched and costs a model little. */
function entryALine(value: unknown): string {
  const short = toJson(value);
  if (short.length <= ONE_LINE || typeof value !== "object" || value === null) {
    return short;
  }
  if (Array.isArray(value)) {
    // By index: the lists that JSONata computes have more properties than their entries.
    return `[\n${Array.from(value, (item) => toJson(item)).join(",\n")}\n]`;
  }
  const fields = Object.entries(value).filter(([, item]) => item !== undefined && !isFunction(item));
  return `{\n${fields.map(([name, item]) => `${JSON.stringify(name)}: ${toJson(item)}`).join(",\n")}\n}`;
}

function toJson(value: unknown): string {
  const json = JSON.stringify(value, (_key, item: unknown) => (isFunction(item) ? undefined : item)) as
    | string
    | undefined;
  return json ?? "null";
}

/** Whether a value is a JavaScript function or a JSONata one: JSONata's have one of these marks. */
function isFunction(value: unknown): boolean {
  return (
    typeof value === "function" ||
    (typeof value === "object" && value !== null && ("_jsonata_lambda" in value || "_jsonata_function" in value))
  );
}

/** Returns JSONata's message, with the character if it reports one. */
function placed(error: unknown): string {
  const { position } = error as { position?: unknown };
  return typeof position === "number" ? `${reasonOf(error)} (at character ${position})` : reasonOf(error);
}

/** Returns an error's message; JSONata's errors are plain objects with one. */
function reasonOf(error: unknown): string {
  const { message } = error as { message?: unknown };
  return typeof message === "string" ? message : String(error);
}
