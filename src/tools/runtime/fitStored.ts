import type { Results } from "../../ports/results.js";
import { clipStart } from "../../text/clip.js";

export interface Fitted {
  text: string;
  /** States what is omitted. */
  note?: string;
  id?: string;
}

/** Returns the part of an answer that fits, and stores the whole if it does not. @param most characters that fit */
export async function fitStored(text: string, source: string, results: Results, most: number): Promise<Fitted> {
  if (text.length <= most) {
    return { text };
  }
  const shown = clipStart(text, most);
  const left = `[${text.length - shown.length} of ${text.length} characters omitted above.`;
  const writer = await results.open(source).catch(() => undefined);
  if (writer === undefined) {
    return { text: shown, note: `${left} The rest could not be stored.]` };
  }
  try {
    await writer.write(text);
    const { id } = await writer.close();
    return { text: shown, note: `${left} All of it: read_result ${id}.]`, id };
  } catch {
    await writer.discard().catch(() => undefined);
    return { text: shown, note: `${left} The rest could not be stored.]` };
  }
}
