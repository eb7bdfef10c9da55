import type { Results } from "../ports/results.js";
import { clipStart, keepHeadAndTail } from "../text/clip.js";

/** Code units of a result that a model is told whole; a longer one is stored. */
const WHOLE_RESULT = 10_000;
/** Code units of a stored one that it is told at once: enough to see what it is. */
const PREVIEW = 1_500;

/**
 * A result as the model is told it: itself when it is short or its tool pages by itself, else a preview and how to read
 * on.
 *
 * @param source what it is the result of, for people
 */
export async function fitResult(
  text: string,
  isPaged: boolean,
  source: string,
  results: Results | undefined,
): Promise<string> {
  if (isPaged || text.length <= WHOLE_RESULT) {
    return text;
  }
  try {
    const stored = await store(text, source, results);
    if (stored !== undefined) {
      const preview = clipStart(text, PREVIEW);
      return (
        `${preview}\n[… The result has ${text.length} characters; these are the first ${preview.length}. The whole is stored as ${stored.id}: ` +
        `read_result {"id": "${stored.id}", "page": 1} reads it, page 1 of ${stored.pages}.]`
      );
    }
  } catch {
    // A full disk, say: what fits is told all the same.
  }
  return keepHeadAndTail(text, WHOLE_RESULT);
}

async function store(
  text: string,
  source: string,
  results: Results | undefined,
): Promise<{ id: string; pages: number } | undefined> {
  const writer = await results?.open(source);
  if (writer === undefined) {
    return undefined;
  }
  try {
    await writer.write(text);
    return await writer.close();
  } catch (error) {
    await writer.discard().catch(() => undefined);
    throw error;
  }
}
