import type { Files } from "../../ports/files.js";
import type { KnowledgeArea, KnowledgeProgress, KnowledgeRefresh } from "../../ports/knowledge.js";
import { decodeText, looksBinary } from "../../text/encoding.js";
import { textVersion } from "../../text/contentVersion.js";
import { ToolError } from "../../core/errors.js";
import { withoutFrontMatter } from "../memory/note.js";
import type { ChunkIndex, IndexedFile, Reading } from "./chunkIndex.js";
import { takeInLarge } from "./largeFile.js";
import { listArea, workspacePath, type KeptFile } from "./places.js";

/** Bytes of a file that is indexed: some ten seconds' work, which the first search after it came waits for. */
const MAX_FILE = 50_000_000;
/** Bytes of a file of the memory that is indexed: no note is nearly as long. */
const MAX_NOTE = 4_000_000;
/** Bytes of a file that is read whole. A longer one is taken in by parts. */
const MAX_WHOLE = 2_000_000;
/** Bytes taken in by one transaction: other windows wait as long. */
const BATCH_BYTES = 500_000;
/** Files taken in by one transaction. */
const BATCH_FILES = 200;
/** Milliseconds within which a file can change twice and show one time of change, on any file system. */
const TIME_STEP = 2_000;

const BINARY = "is no text (binary)";

export interface Following {
  files: Files;
  index: ChunkIndex;
  area: KnowledgeArea;
  signal: AbortSignal;
  now: () => number;
  /** Only what lies below it; empty for all. */
  below?: string;
  /** Read again what seems unchanged, too. */
  all?: boolean;
  report?: (progress: KnowledgeProgress) => void;
}

/** Brings the index up to date with the files: reads what is new or changed, forgets what is gone. */
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

function isChanged(file: KeptFile, known: IndexedFile | undefined): boolean {
  return (
    known === undefined ||
    known.size !== file.size ||
    known.modified !== file.modified ||
    known.checked < file.modified + TIME_STEP
  );
}

/** Reads files and takes them in, a batch at a time; how many were new or other than before. */
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
      // Others get their turn between batches: each is work without a pause.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  flush();
  return indexed;
}

/** Takes in a long file; whether it was other than before, or why it is not in the index. */
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
    return error.type === "not_found" ? false : { problem: error.type === "binary" ? BINARY : error.message };
  }
}

/** A file's text, or why it is not in the index; undefined when it went away since it was listed. */
async function read(files: Files, area: KnowledgeArea, file: KeptFile): Promise<Reading | undefined> {
  if (file.unlisted !== undefined) {
    return { problem: file.unlisted };
  }
  if (file.size > (area === "memory" ? MAX_NOTE : MAX_FILE)) {
    return {
      problem: `has ${file.size} bytes; at most ${area === "memory" ? MAX_NOTE : MAX_FILE} are searched. Split it, or use query or context_read on it`,
    };
  }
  try {
    const bytes = await files.readBytes(await files.resolve(workspacePath(files, area, file.path)), MAX_NOTE);
    if (looksBinary(bytes)) {
      return { problem: BINARY };
    }
    const { text, exact } = decodeText(bytes);
    // When a note was written is not what it says.
    const said = area === "memory" ? withoutFrontMatter(text) : text;
    return exact ? { text: said, hash: await textVersion(text) } : { problem: "is not valid UTF-8. Save it as UTF-8" };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return error.type === "not_found" ? undefined : { problem: error.message };
  }
}
