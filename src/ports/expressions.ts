/**
 * How to parse a text into one value. `lines` is JSON Lines; `csv` and `tsv` become one object per record, with keys
 * from the header record.
 */
export type DocumentFormat = "json" | "lines" | "csv" | "tsv" | "yaml";

/** The types of JSON values. */
type JsonType = "array" | "object" | "string" | "number" | "boolean" | "null";

/** An expression's result. */
export interface Evaluated {
  /** The value as JSON, indented by two spaces; `null` if the expression selected nothing. */
  json: string;
  type: JsonType;
  /** Number of entries of an array, or of fields of an object. */
  count?: number;
  /**
   * One line about what may make the result wrong: a JSON key or a column that occurs twice, a field that the expression
   * names and the document does not have.
   */
  remark?: string;
}

/** Evaluates untrusted JSONata expressions where they can be stopped, whatever they do. */
export interface Expressions {
  /**
   * Parses the text, compiles the expression, then evaluates it.
   *
   * @throws ToolError `invalid_json` if the text is not in its format, `invalid_expression` if the expression does not
   * compile, `evaluation_error` if it fails or takes too much time or memory; `cancelled` if the signal is aborted
   */
  evaluate(
    expression: string,
    document: { text: string; format: DocumentFormat },
    signal: AbortSignal,
  ): Promise<Evaluated>;
}
