/** Turns texts into vectors that lie near each other when the texts mean the same. */
export interface Embeddings {
  /** Vectors of different models are no use beside each other. */
  readonly model: string;
  /**
   * A vector of unit length for each text, all of one dimension.
   *
   * Throws `ToolError`: `unavailable` (no answer, or one of another shape), `timeout`. `cancelled` passes as it is.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}
