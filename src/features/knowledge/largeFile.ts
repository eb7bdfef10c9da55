import type { Files, GatedPath } from "../../ports/files.js";
import { textVersion } from "../../text/contentVersion.js";
import type { ChunkIndex } from "./chunkIndex.js";
import type { KeptFile } from "./places.js";

/** Code units indexed in one transaction: about a tenth of a second, during which this and other windows wait. */
const PART = 500_000;

export interface LargeFile {
  file: KeptFile;
  at: GatedPath;
  files: Files;
  index: ChunkIndex;
  signal: AbortSignal;
  now: number;
  report: (share: number) => void;
}

/**
 * Indexes a file that is too long to hold in memory, a part at a time, and lets others run between two parts. If the
 * rest of a file never arrives (cancelled, a crash), the next run notices and indexes the file again.
 *
 * @returns whether it was new or changed
 * @throws the errors of `Files.readChunks`
 */
export async function takeInLarge(large: LargeFile): Promise<boolean> {
  const { file, index, signal, now, report } = large;
  let hash = "";
  for await (const part of partsOf(large)) {
    hash = await textVersion(`${hash}\n${part}`);
  }
  const id = index.begin(file, hash, now);
  if (id === undefined) {
    return false;
  }
  let line = 1;
  let taken = 0;
  for await (const part of partsOf(large)) {
    signal.throwIfAborted();
    if (!index.addPart(id, file.path, part, line)) {
      // Another window has taken over.
      return false;
    }
    line += part.split("\n").length - 1;
    taken += part.length;
    report(Math.min(1, taken / file.size));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  index.finish(id, file, hash, now);
  return true;
}

/**
 * Splits the text into parts that end with a line, unless a line is longer than a part. The same text always yields the
 * same parts, however it is read.
 */
async function* partsOf({ files, at, signal }: LargeFile): AsyncGenerator<string> {
  let held = "";
  for await (const chunk of files.readChunks(at, signal)) {
    held += chunk;
    while (held.length >= 2 * PART) {
      const end = endOfPart(held);
      yield held.slice(0, end);
      held = held.slice(end);
    }
  }
  while (held.length > PART) {
    const end = endOfPart(held);
    yield held.slice(0, end);
    held = held.slice(end);
  }
  if (held !== "") {
    yield held;
  }
}

function endOfPart(text: string): number {
  const newline = text.lastIndexOf("\n", PART - 1) + 1;
  // Never between the halves of a surrogate pair.
  return newline > 0 ? newline : PART - (/[\ud800-\udbff]/.test(text.charAt(PART - 1)) ? 1 : 0);
}
