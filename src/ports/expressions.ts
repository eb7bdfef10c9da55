/**
 * How a text is read into one value. `lines` is JSON Lines; `csv` and `tsv` give an object a record, by the names of
 * the first.
 */
export type DocumentFormat = "json" | "lines" | "csv" | "tsv" | "yaml";

/** The kinds of value that JSON has. */
type JsonType = "array" | "object" | "string" | "number" | "boolean" | "null";

/** What an expression gave. */
export interface Evaluated {
  /** The value as JSON, indented by two; `null` when the expression selected nothing. */
  json: string;
  type: JsonType;
  /** Entries of an array, fields of an object. */
  count?: number;
  /** One line on what of the document is not read as it is written: a key of JSON or a column that is there twice. */
  remark?: string;
}

/** JSONata expressions of others, run where whatever they do can be ended. */
export interface Expressions {
  /**
   * Evaluates an expression on a text, in this order: the text is read, the expression compiled, then evaluated.
   *
   * @throws ToolError `invalid_json` when the text is not of its format, `invalid_expression` when the expression does
   * not compile,
   * `evaluation_error` when it fails, takes too long or too much memory; `cancelled` when the signal is aborted
   */
  evaluate(
    expression: string,
    document: { text: string; format: DocumentFormat },
    signal: AbortSignal,
  ): Promise<Evaluated>;
}
