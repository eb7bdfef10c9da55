import type { Results } from "../ports/results.js";
import { clipStart, keepHeadAndTail } from "../text/clip.js";

/** Maximum code units of a result that a model gets in full; longer ones are stored. */
const WHOLE_RESULT = 10_000;
/** Code units of the preview of a stored result: enough to see what it is. */
const PREVIEW = 1_500;

/**
 * Returns a result for the model: unchanged if it is short or its tool pages its output, otherwise a preview and how to
 * read the rest.
 *
 * @param source the origin of the result, for people
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
        `${preview}\n[… The result has ${text.length} characters; these are the first ${preview.length}. It is stored as ${stored.id}: ` +
        `read_result {"id": "${stored.id}", "page": 1} reads it, page 1 of ${stored.pages}.]`
      );
    }
  } catch {
    // Storing failed, for example because the disk is full: return what fits.
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
