import { ToolError } from "../../core/errors.js";
import type { Http } from "../../ports/http.js";
import { MAX_DESCRIPTION, type OpenApiEntry } from "./entry.js";

const TIMEOUT = 60_000;

/**
 * Fetches the description of an entry from its https address, without credentials.
 *
 * @param onProgress called with the bytes so far
 * @throws ToolError if it cannot be had as a whole
 */
export async function fetchDescription(
  { spec, allowPrivate = false }: Pick<OpenApiEntry, "spec" | "allowPrivate">,
  http: Http,
  signal: AbortSignal,
  onProgress?: (bytes: number) => void,
): Promise<string> {
  const answer = await http.send(
    {
      url: spec,
      method: "GET",
      headers: new Map([["accept", "application/json, application/yaml, text/yaml, */*;q=0.5"]]),
      credentials: new Map(),
      timeout: TIMEOUT,
      maxBytes: MAX_DESCRIPTION,
      mayBePrivate: allowPrivate,
      ...(onProgress && { onProgress }),
    },
    signal,
  );
  if (answer.status !== 200) {
    throw new ToolError("io_error", `${spec}: the server answered ${answer.status}.`, "Correct the address.");
  }
  if (answer.broken !== undefined) {
    throw new ToolError(answer.broken.type, `${spec} cannot be read: ${answer.broken.reason}.`, "Try it again.");
  }
  if (!answer.isWhole) {
    throw new ToolError("too_large", `${spec} is larger than ${MAX_DESCRIPTION / 1e6} MB.`, "Use a smaller one.");
  }
  return new TextDecoder().decode(answer.body);
}
