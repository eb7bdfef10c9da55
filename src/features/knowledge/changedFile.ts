import type { IndexedFile } from "./chunkIndex.js";
import type { KeptFile } from "./places.js";

/** Period in which a file can change twice and keep one modification time, on any file system, in ms. */
const TIME_STEP = 2_000;

/** Whether a file may differ from what the index has of it. */
export function isChanged(file: KeptFile, known: IndexedFile | undefined): boolean {
  return (
    known === undefined ||
    known.size !== file.size ||
    known.modified !== file.modified ||
    known.checked < file.modified + TIME_STEP
  );
}
