import type { DocumentFormat, Evaluated } from "../../../ports/expressions.js";

/** The worker's input. */
export interface Work {
  expression: string;
  text: string;
  format: DocumentFormat;
}

/** The worker's messages: first that the evaluation begins, then the outcome. */
export type Report =
  | { kind: "compiled" }
  | { kind: "done"; result: Evaluated }
  | { kind: "failed"; type: "invalid_json" | "invalid_expression" | "evaluation_error"; message: string };
