/** Turns texts into vectors that are close to each other if the texts have similar meanings. */
export interface Embeddings {
  /** Vectors of different models cannot be compared. */
  readonly model: string;
  /**
   * Returns a unit vector for each text, all of the same dimension.
   *
   * Throws `ToolError`: `unavailable` (no answer, or a malformed one), `timeout`. `cancelled` is passed through.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}
