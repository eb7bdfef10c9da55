/** Something wrong with a description. */
export interface OpenApiProblem {
  message: string;
  /** JSON pointer of the place in the description. */
  pointer?: string;
  /** Line of a syntax error, 1-based. */
  line?: number;
}

/** Thrown where one operation cannot become a tool, or cannot be called this way; the rest of the description can. */
export class OperationError extends Error {
  override readonly name = "OperationError";
}
