import type { DocumentFormat, Evaluated } from "../../../ports/expressions.js";

/** What the worker is given. */
export interface Work {
  expression: string;
  text: string;
  format: DocumentFormat;
}

/** What the worker tells: that the evaluation begins, then how it went. */
export type Report =
  | { kind: "compiled" }
  | { kind: "done"; result: Evaluated }
  | { kind: "failed"; type: "invalid_json" | "invalid_expression" | "evaluation_error"; message: string };
