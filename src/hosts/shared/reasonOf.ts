/** Finds why a connection failed: Node hides it in `cause` and, for a name with several addresses, in a list there. */
export function reasonOf(error: unknown): { message: string; code: string; port?: unknown; hostname?: unknown } {
  let inner = error;
  // Deeper than Node nests them; also ends with a cause that is its own cause.
  for (let depth = 0; depth < 5; depth++) {
    const next: unknown =
      inner instanceof AggregateError ? inner.errors[0] : inner instanceof Error ? inner.cause : undefined;
    if (next === undefined) {
      break;
    }
    inner = next;
  }
  const { message, code, port, hostname } = (typeof inner === "object" && inner !== null ? inner : {}) as {
    message?: unknown;
    code?: unknown;
    port?: unknown;
    hostname?: unknown;
  };
  return {
    message:
      typeof message === "string" && message !== "" ? message : error instanceof Error ? error.message : String(error),
    code: typeof code === "string" ? code : "",
    port,
    hostname,
  };
}
