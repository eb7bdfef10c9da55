import { randomBytes } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { ToolError } from "../../../core/errors.js";
import {
  RESULT_PAGE,
  type Results,
  type ResultWriter,
  type StoredResult,
  type TextPart,
} from "../../../ports/results.js";
import { isRecord } from "../../../core/jsonSchema.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { isInsidePair } from "../../../text/splitLines.js";
import { errorCode } from "../disk/diskErrors.js";
import { makeFolderSync } from "../disk/parentFolders.js";
import { messageOf } from "../../../text/words.js";

/**
 * Maximum bytes of one result: a log of two million lines, and the size that issue 7 requires of pipe. Anything beyond
 * is counted but not kept.
 */
export const MAX_RESULT = 250_000_000;
/**
 * Bytes per read of a whole result. With 64 kB, on a busy machine, the engine kept the strings made of each until its old
 * generation was collected: storing 100 MB then took up to 220 MB of memory more than storing a line, in place of 70.
 */
const CHUNK_BYTES = 16 * 1024;
/** Maximum bytes of all results of a workspace; the oldest go first. */
export const MAX_TOTAL = 500_000_000;
/** How long a result is kept, in ms. */
export const MAX_AGE = 7 * 24 * 3_600_000;
/** Maximum characters kept of a source. */
const MAX_SOURCE = 200;

/** The folder for results in a workspace's state. */
export const RESULTS_FOLDER = "results";

const ID = /^r[0-9a-f]{12}$/;

/** The facts stored along with a result's text. */
interface ResultIndex {
  source: string;
  characters: number;
  dropped: number;
  /** Byte offsets of the pages. */
  offsets: number[];
  /** Total bytes. */
  size: number;
}

/**
 * The result store in a folder of the workspace's state: a text and an index per result, shared by every window and the
 * command line.
 */
export class ResultFiles implements Results {
  readonly #folder: () => Promise<string>;
  readonly #open = new Map<string, ResultFile>();
  readonly #limits: { result: number; total: number };

  /**
   * @param folder returns the folder, which need not exist
   * @param limits in bytes; tests use their own
   */
  constructor(folder: () => Promise<string>, limits = { result: MAX_RESULT, total: MAX_TOTAL }) {
    this.#folder = folder;
    this.#limits = limits;
  }

  async open(source: string): Promise<ResultWriter> {
    const folder = await this.#folder();
    try {
      makeFolderSync(folder, 0o700);
      const id = `r${randomBytes(6).toString("hex")}`;
      const file = await open(join(folder, `${id}.txt`), "wx", 0o600);
      // Writing a result does not wait for old files to be removed; closing it does.
      let pruned = Promise.resolve();
      const done = async (): Promise<void> => {
        await pruned;
        this.#open.delete(id);
      };
      const writer = new ResultFile(id, folder, file, shorten(oneLine(source), MAX_SOURCE), this.#limits.result, done);
      this.#open.set(id, writer);
      pruned = this.#prune(folder).catch(() => undefined);
      return writer;
    } catch (error) {
      throw cannotKeep(error);
    }
  }

  async page(
    id: string,
    asked: number,
  ): Promise<{ text: string; page: number; result: StoredResult; complete: boolean }> {
    const writing = this.#open.get(id);
    const folder = await this.#folder();
    const index = writing?.index ?? (ID.test(id) ? await readIndex(folder, id) : undefined);
    if (index === undefined) {
      throw unknownId(id);
    }
    const pages = index.offsets.length;
    const result: StoredResult = { id, characters: index.characters, pages, dropped: index.dropped };
    const complete = writing === undefined;
    const last = Math.max(1, pages);
    const page = asked < 0 ? last + 1 + asked : asked;
    if (page < 1 || page > last) {
      throw new ToolError("page_out_of_range", `${id} has no page ${asked}.`, `Valid pages are 1–${last}.`);
    }
    const from = index.offsets[page - 1];
    const text =
      from === undefined ? "" : await readPart(join(folder, `${id}.txt`), from, index.offsets[page] ?? index.size);
    return { text, page, result, complete };
  }

  async location(id: string): Promise<string> {
    const folder = await this.#folder();
    if (!this.#open.has(id) && (!ID.test(id) || (await readIndex(folder, id)) === undefined)) {
      throw unknownId(id);
    }
    return join(folder, `${id}.txt`);
  }

  async *chunks(id: string, signal: AbortSignal): AsyncGenerator<string> {
    const folder = await this.#folder();
    const index = this.#open.get(id)?.index ?? (ID.test(id) ? await readIndex(folder, id) : undefined);
    if (index === undefined) {
      throw unknownId(id);
    }
    // Of a result that is still written, what there is now: its end would come ever later.
    const all = index.size;
    const file = await open(join(folder, `${id}.txt`), "r").catch((error: unknown) => {
      throw cannotKeep(error);
    });
    try {
      // One buffer for all reads: with new ones the engine, which frees them late, takes 100 MB more.
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      const decoder = new StringDecoder("utf8");
      for (let left = all; left > 0;) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(left, buffer.length));
        signal.throwIfAborted();
        if (bytesRead === 0) {
          throw damaged();
        }
        left -= bytesRead;
        yield decoder.write(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }

  async #prune(folder: string): Promise<void> {
    await pruneResults([folder], { total: this.#limits.total, now: Date.now(), isOpen: (id) => this.#open.has(id) });
  }
}

/**
 * Makes room in results folders, which need not exist: removes results that are too old, and the oldest if all together
 * are too large.
 */
export async function pruneResults(
  folders: readonly string[],
  { total, now, isOpen = () => false }: { /** Bytes. */ total: number; now: number; isOpen?: (id: string) => boolean },
): Promise<void> {
  const stored: { path: string; size: number; modified: number }[] = [];
  for (const folder of folders) {
    const names = new Set(await readdir(folder).catch(() => []));
    for (const name of names) {
      const id = name.replace(/\.(txt|json|json\.tmp)$/, "");
      // Files that a crash left of a result count too; a file that belongs to a text is removed with it.
      if (ID.test(id) && !isOpen(id) && (name.endsWith(".txt") || !names.has(`${id}.txt`))) {
        const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: now }));
        stored.push({ path: join(folder, id), size, modified: mtimeMs });
      }
    }
  }
  let sum = 0;
  for (const { path, size, modified } of stored.sort((a, b) => b.modified - a.modified)) {
    sum += size;
    if (sum > total || now - modified > MAX_AGE) {
      await Promise.all([".txt", ".json", ".json.tmp"].map((end) => rm(path + end, { force: true })));
    }
  }
}

class ResultFile implements ResultWriter {
  /** Describes the text that is in the file. */
  readonly index: ResultIndex;
  readonly #folder: string;
  readonly #file: FileHandle;
  readonly #limit: number;
  readonly #done: () => Promise<void>;
  #writing: Promise<void> = Promise.resolve();
  /** Characters on the last page; set to a full page at first, so that the first text starts a page. */
  #onPage = RESULT_PAGE;
  /** The part of it behind its last line ending: the beginning of the next page if the line does not fit on this one. */
  #open = { characters: RESULT_PAGE, bytes: 0 };

  constructor(
    readonly id: string,
    folder: string,
    file: FileHandle,
    source: string,
    limit: number,
    done: () => Promise<void>,
  ) {
    this.#folder = folder;
    this.#file = file;
    this.#limit = limit;
    this.#done = done;
    this.index = { source, characters: 0, dropped: 0, offsets: [], size: 0 };
  }

  write(...parts: readonly TextPart[]): Promise<void> {
    this.#writing = this.#writing.then(() => this.#take(parts));
    return this.#writing;
  }

  async close(): Promise<StoredResult> {
    await this.#writing;
    await this.#file.close();
    // The index is written last and in one step: a result that has one is complete.
    const path = join(this.#folder, `${this.id}.json`);
    await writeFile(`${path}.tmp`, JSON.stringify(this.index), { mode: 0o600 });
    await rename(`${path}.tmp`, path);
    await this.#done();
    const { characters, offsets, dropped } = this.index;
    return { id: this.id, characters, pages: offsets.length, dropped };
  }

  async discard(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file.close();
    await rm(join(this.#folder, `${this.id}.txt`), { force: true });
    await this.#done();
  }

  async #take(parts: readonly TextPart[]): Promise<void> {
    const written: Uint8Array[] = [];
    const offsets: number[] = [];
    let { characters, dropped, size } = this.index;
    for (const part of parts) {
      if (size >= this.#limit) {
        dropped += part.length;
      } else {
        const bytes = typeof part === "string" ? Buffer.from(part) : part;
        offsets.push(...this.#pagesIn(part, bytes.length).map((offset) => size + offset));
        written.push(bytes);
        characters += part.length;
        size += bytes.length;
      }
    }
    await this.#append(written);
    this.index.offsets.push(...offsets);
    Object.assign(this.index, { characters, dropped, size });
  }

  /**
   * Returns the byte offsets at which pages begin that end or begin in a part: counted from its start, below 0 for one
   * that begins with the last line of an earlier part. A part with as many bytes as characters is ASCII.
   */
  #pagesIn(part: TextPart, size: number): number[] {
    const offsets: number[] = [];
    const bytesIn = (from: number, to: number): number =>
      typeof part === "string" && size !== part.length ? Buffer.byteLength(part.slice(from, to)) : to - from;
    let offset = 0;
    for (let at = 0; at < part.length;) {
      if (
        this.#onPage >= RESULT_PAGE ||
        (this.#onPage === RESULT_PAGE - 1 && typeof part === "string" && isInsidePair(part, at + 1))
      ) {
        // A line that takes the whole page is cut.
        const { characters, bytes } = this.#open;
        const isCut = characters === this.#onPage;
        offsets.push(isCut ? offset : offset - bytes);
        this.#onPage = isCut ? 0 : characters;
        this.#open = isCut ? { characters: 0, bytes: 0 } : this.#open;
        continue;
      }
      let end = Math.min(part.length, at + RESULT_PAGE - this.#onPage);
      if (typeof part === "string" && isInsidePair(part, end)) {
        end--;
      }
      // Only what is looked at now: looking back through a long part each time would take time by its square.
      const newline = at + lastNewline(part, at, end);
      const open = newline < at ? at : newline + 1;
      const bytes = bytesIn(open, end);
      offset += bytesIn(at, open) + bytes;
      this.#open =
        newline < at
          ? { characters: this.#open.characters + end - open, bytes: this.#open.bytes + bytes }
          : { characters: end - open, bytes };
      this.#onPage += end - at;
      at = end;
    }
    return offsets;
  }

  async #append(written: Uint8Array[]): Promise<void> {
    while (written.length > 0) {
      // A signal, or a disk that fills up, may end the write early.
      let { bytesWritten } = await this.#file.writev(written);
      while (written[0] !== undefined && bytesWritten >= written[0].length) {
        bytesWritten -= written[0].length;
        written.shift();
      }
      if (written[0] !== undefined) {
        written[0] = written[0].subarray(bytesWritten);
      }
    }
  }
}

/** Returns where the last line feed of a range is, counted from its start; -1 if there is none. */
function lastNewline(part: TextPart, from: number, to: number): number {
  return typeof part === "string" ? part.slice(from, to).lastIndexOf("\n") : part.subarray(from, to).lastIndexOf(10);
}

function damaged(): ToolError {
  return new ToolError(
    "io_error",
    "The stored result is damaged: part of it is missing.",
    "Repeat the call that returned it.",
  );
}

function unknownId(id: string): ToolError {
  return new ToolError(
    "unknown_id",
    `${shorten(oneLine(id), 40)}: there is no such result, or it is no longer kept.`,
    "Repeat the call that returned it.",
  );
}

/** @returns undefined if there is none. @throws ToolError `io_error` for one that cannot be read or is damaged */
async function readIndex(folder: string, id: string): Promise<ResultIndex | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, `${id}.json`), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") {
      return undefined;
    }
    throw cannotKeep(error);
  }
  const index = parsed(text);
  if (!isIndex(index)) {
    throw damaged();
  }
  return index;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isIndex(index: unknown): index is ResultIndex {
  return (
    isRecord(index) &&
    Array.isArray(index["offsets"]) &&
    ["characters", "dropped", "size"].every((field) => typeof index[field] === "number")
  );
}

async function readPart(path: string, from: number, to: number): Promise<string> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw cannotKeep(error);
  });
  try {
    const buffer = Buffer.alloc(to - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    if (bytesRead < buffer.length) {
      throw damaged();
    }
    return buffer.toString("utf8");
  } finally {
    await file.close();
  }
}

function cannotKeep(error: unknown): ToolError {
  return error instanceof ToolError
    ? error
    : new ToolError("io_error", `The result store cannot be used: ${messageOf(error)}`);
}
