import type { Files, GatedPath } from "../../ports/files.js";

/** Returns a file's text, unsaved changes included; undefined if it is longer than `max` code units. */
export async function sourceText(
  files: Files,
  at: GatedPath,
  max: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  let text = "";
  for await (const chunk of files.readChunks(at, signal)) {
    text += chunk;
    if (text.length > max) {
      return undefined;
    }
  }
  return text;
}
