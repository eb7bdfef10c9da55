import type { Files } from "../../ports/files.js";
import type { KnowledgeArea, KnowledgeProgress, KnowledgeRefresh } from "../../ports/knowledge.js";
import { decodeText, looksBinary } from "../../text/encoding.js";
import { textVersion } from "../../text/contentVersion.js";
import { withoutName } from "../../text/withoutName.js";
import { ToolError } from "../../core/errors.js";
import { withoutFrontMatter } from "../memory/note.js";
import { isChanged } from "./changedFile.js";
import type { ChunkIndex, Reading } from "./chunkIndex.js";
import { takeInLarge } from "./largeFile.js";
import { listArea, workspacePath, type KeptFile } from "./places.js";

/**
 * Maximum bytes of an indexed file: about ten seconds of work, for which the first search after the file appears has to
 * wait.
 */
const MAX_FILE = 50_000_000;
/** Maximum bytes of an indexed memory file: no note is nearly as long. */
const MAX_NOTE = 4_000_000;
/** Maximum bytes of a file that is read whole. A longer one is indexed in parts. */
const MAX_WHOLE = 2_000_000;
/** Bytes indexed in one transaction: other windows have to wait that long. */
const BATCH_BYTES = 500_000;
/** Files indexed in one transaction. */
const BATCH_FILES = 200;
const BINARY = "is not text (binary)";

export interface Following {
  files: Files;
  index: ChunkIndex;
  area: KnowledgeArea;
  signal: AbortSignal;
  now: () => number;
  /** Only files below this path; empty for all. */
  below?: string;
  /** Whether to read files again even if they seem unchanged. */
  all?: boolean;
  /** Whether nobody waits for it: it goes on to the end, with pauses. */
  isAhead?: boolean;
  report?: (progress: KnowledgeProgress) => void;
}

/** Brings the index up to date with the files: reads new and changed ones, forgets those that are gone. */
export async function followFiles(following: Following): Promise<KnowledgeRefresh> {
  const { files, index, area, signal, now, below = "", all = false } = following;
  const isWanted = (path: string): boolean => below === "" || path === below || path.startsWith(`${below}/`);
  const began = now();
  const listed = (await listArea(files, area, signal)).filter(({ path }) => isWanted(path));
  const known = new Map(
    index
      .files()
      .filter(({ path }) => isWanted(path))
      .map((file) => [file.path, file]),
  );
  const changed = listed.filter((file) => all || isChanged(file, known.get(file.path)));
  const indexed = await takeIn(following, changed, began);
  for (const { path } of listed) {
    known.delete(path);
  }
  if (known.size > 0) {
    index.remove([...known.values()].map(({ id }) => id));
  }
  const failed = index.problems().filter(({ path }) => isWanted(path));
  return { indexed, unchanged: Math.max(0, listed.length - indexed - failed.length), removed: known.size, failed };
}

/** Reads and indexes files, one batch at a time. Returns how many were new or changed. */
async function takeIn(following: Following, changed: readonly KeptFile[], began: number): Promise<number> {
  const { files, index, area, signal, report } = following;
  let indexed = 0;
  let batch: { file: KeptFile; reading: Reading }[] = [];
  let bytes = 0;
  const flush = (): void => {
    indexed += batch.length === 0 ? 0 : index.put(batch, began);
    batch = [];
    bytes = 0;
  };
  for (const [done, file] of changed.entries()) {
    signal.throwIfAborted();
    const progress = (share: number): void =>
      report?.({ message: file.path, fraction: (done + share) / changed.length });
    progress(0);
    if (file.size > MAX_WHOLE && file.size <= MAX_FILE && area === "context") {
      flush();
      const taken = await takeInParts(following, file, began, progress);
      if (typeof taken === "object") {
        batch.push({ file, reading: taken });
      } else {
        indexed += taken ? 1 : 0;
      }
      continue;
    }
    const reading = await read(files, area, file);
    if (reading === undefined) {
      continue;
    }
    batch.push({ file, reading });
    bytes += file.size;
    if (bytes >= BATCH_BYTES || batch.length >= BATCH_FILES) {
      flush();
      // Let others run between batches: each batch is work without a pause.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  flush();
  return indexed;
}

/** Indexes a long file. Returns whether it was changed, or why it is not in the index. */
async function takeInParts(
  { files, index, area, signal }: Following,
  file: KeptFile,
  now: number,
  report: (share: number) => void,
): Promise<boolean | Reading> {
  try {
    return await takeInLarge({
      file,
      at: await files.resolve(workspacePath(files, area, file.path)),
      files,
      index,
      signal,
      now,
      report,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return error.type === "not_found"
      ? false
      : { problem: error.type === "binary" ? BINARY : problemOf(error, workspacePath(files, area, file.path)) };
  }
}

/** Returns a file's text, or why it is not in the index; undefined if it disappeared since it was listed. */
async function read(files: Files, area: KnowledgeArea, file: KeptFile): Promise<Reading | undefined> {
  if (file.unlisted !== undefined) {
    return { problem: file.unlisted };
  }
  if (file.size > (area === "memory" ? MAX_NOTE : MAX_FILE)) {
    return {
      problem: `is too large to search (${file.size} bytes; the limit is ${area === "memory" ? MAX_NOTE : MAX_FILE}). Split it, or use query or context_read`,
    };
  }
  try {
    const bytes = await files.readBytes(await files.resolve(workspacePath(files, area, file.path)), MAX_NOTE);
    if (looksBinary(bytes)) {
      return { problem: BINARY };
    }
    const { text, exact } = decodeText(bytes);
    // A note's dates are not part of its content.
    const said = area === "memory" ? withoutFrontMatter(text) : text;
    return exact ? { text: said, hash: await textVersion(text) } : { problem: "is not valid UTF-8. Save it as UTF-8" };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return error.type === "not_found"
      ? undefined
      : { problem: problemOf(error, workspacePath(files, area, file.path)) };
  }
}

/** Returns an error as a problem of its file, to be shown after the file's name: `is too large`. */
function problemOf({ message }: ToolError, path: string): string {
  return withoutName(message, path).replace(/\.$/, "");
}
