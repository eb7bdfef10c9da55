import type { Results } from "../ports/results.js";
import { keepHeadAndTail } from "../text/clip.js";

/** Maximum code units of a result that a model of ours gets in full; longer ones are stored. */
const WHOLE_RESULT = 10_000;

/** Characters kept free for the mark at a cut. */
const CUT_MARK = 50;

/**
 * Returns a result for the model: unchanged if it is short or its tool pages its output, otherwise its first page and
 * how to read on behind it.
 *
 * @param source the origin of the result, for people
 * @param whole maximum code units of a result that is returned in full
 */
export async function fitResult(
  text: string,
  isPaged: boolean,
  source: string,
  results: Results | undefined,
  whole = WHOLE_RESULT,
): Promise<string> {
  if (isPaged || text.length <= whole) {
    return text;
  }
  try {
    const stored = await store(text, source, results);
    if (stored !== undefined) {
      const { first } = stored;
      return (
        `${first}\n[… The first ${first.length} of ${text.length} characters, page 1 of ${stored.pages} of ${stored.id}. ` +
        `Continue with read_result {"id": "${stored.id}", "page": 2}, or search it with pattern.]`
      );
    }
  } catch {
    // Storing failed, for example because the disk is full: return what fits.
  }
  return keepHeadAndTail(text, whole - CUT_MARK);
}

async function store(
  text: string,
  source: string,
  results: Results | undefined,
): Promise<{ id: string; pages: number; first: string } | undefined> {
  if (results === undefined) {
    return undefined;
  }
  const writer = await results.open(source);
  try {
    await writer.write(text);
    const { id, pages } = await writer.close();
    return { id, pages, first: (await results.page(id, 1)).text };
  } catch (error) {
    await writer.discard().catch(() => undefined);
    throw error;
  }
}
