import { MAX_SUMMARY } from "./limits.js";
import type { ProcessOutput } from "../../ports/processes.js";
import type { Results } from "../../ports/results.js";

/** Maximum characters of what the store has by which the rest of a running command's output is found. */
const OVERLAP = 500;

/** Yields all of an output, or all until now: one too large for an answer comes from the result store. */
export async function* allOf(
  output: ProcessOutput,
  results: Pick<Results, "chunks">,
  signal: AbortSignal,
): AsyncGenerator<string> {
  await (output.stored === undefined ? output.caughtUp() : undefined);
  const { resultId } = output;
  if (resultId === undefined) {
    yield output.summary(MAX_SUMMARY).text;
    return;
  }
  let end = "";
  for await (const chunk of results.chunks(resultId, signal)) {
    end = (end + chunk).slice(-OVERLAP);
    yield chunk;
  }
  if (output.stored === undefined) {
    // The store lacks the open line, and the last words until it is known that they are not part of a secret.
    const { text } = output.summary(MAX_SUMMARY);
    const at = end === "" ? 0 : text.lastIndexOf(end);
    yield at < 0 ? "" : text.slice(at + end.length);
  }
}
