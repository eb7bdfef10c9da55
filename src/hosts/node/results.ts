import { randomBytes } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.js";
import { RESULT_PAGE, type Results, type ResultWriter, type StoredResult } from "../../ports/results.js";
import { oneLine, shorten } from "../../text/clip.js";
import { makeFolderSync } from "./parentFolders.js";

/** Bytes of one result: a log of a million lines. What comes after is counted and not kept. */
const MAX_RESULT = 100_000_000;
/** Bytes of all results of a workspace; the oldest go first. */
const MAX_TOTAL = 500_000_000;
/** Milliseconds that a result is kept at most. */
const MAX_AGE = 7 * 24 * 3_600_000;
/** Characters of a source that are kept. */
const MAX_SOURCE = 200;

const ID = /^r[0-9a-f]{12}$/;

/** What is kept beside a result's text. */
interface ResultIndex {
  source: string;
  characters: number;
  dropped: number;
  /** Byte offsets at which pages begin. */
  offsets: number[];
  /** Bytes in all. */
  size: number;
}

/** The result store in a folder of the workspace's state: a text and an index a result, for every window and the command line. */
export class ResultFiles implements Results {
  readonly #folder: () => Promise<string>;
  readonly #open = new Map<string, ResultFile>();
  readonly #limits: { result: number; total: number };

  /**
   * @param folder gives the folder, which need not exist
   * @param limits bytes; tests have their own
   */
  constructor(folder: () => Promise<string>, limits = { result: MAX_RESULT, total: MAX_TOTAL }) {
    this.#folder = folder;
    this.#limits = limits;
  }

  async open(source: string): Promise<ResultWriter> {
    const folder = await this.#folder();
    try {
      makeFolderSync(folder, 0o700);
      await this.#prune(folder);
      const id = `r${randomBytes(6).toString("hex")}`;
      const file = await open(join(folder, `${id}.txt`), "wx", 0o600);
      const writer = new ResultFile(id, folder, file, shorten(oneLine(source), MAX_SOURCE), this.#limits.result, () => this.#open.delete(id));
      this.#open.set(id, writer);
      return writer;
    } catch (error) {
      throw cannotKeep(error);
    }
  }

  async page(id: string, page: number): Promise<{ text: string; result: StoredResult; complete: boolean }> {
    const writing = this.#open.get(id);
    const folder = await this.#folder();
    const index = writing?.index ?? (ID.test(id) ? await readIndex(folder, id) : undefined);
    if (index === undefined) {
      throw new ToolError("unknown_id", `${shorten(oneLine(id), 40)}: there is no such result, or it is no longer kept.`, "Run the call again that gave it.");
    }
    const tail = writing?.tail ?? "";
    const pages = index.offsets.length + (tail === "" ? 0 : 1);
    const result: StoredResult = { id, characters: index.characters, pages, dropped: index.dropped };
    const complete = writing === undefined;
    if (page > Math.max(1, pages)) {
      throw new ToolError("page_out_of_range", `${id}: has no page ${page}.`, `Valid pages are 1–${Math.max(1, pages)}.`);
    }
    const from = index.offsets[page - 1];
    // What has not been written yet is the last page.
    const text = from === undefined ? tail : await readPart(join(folder, `${id}.txt`), from, index.offsets[page] ?? index.size);
    return { text, result, complete };
  }

  /** Makes room: results that are too old, and the oldest of too many. */
  async #prune(folder: string): Promise<void> {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".txt") && !this.#open.has(name.slice(0, -4)));
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }));
        return { id: name.slice(0, -4), size, modified: mtimeMs };
      }),
    );
    let total = 0;
    for (const { id, size, modified } of files.sort((a, b) => b.modified - a.modified)) {
      total += size;
      if (total > this.#limits.total || Date.now() - modified > MAX_AGE) {
        await Promise.all([`${id}.txt`, `${id}.json`].map((name) => rm(join(folder, name), { force: true })));
      }
    }
  }
}

class ResultFile implements ResultWriter {
  readonly index: ResultIndex;
  /** What is not a whole page yet. */
  tail = "";
  readonly #folder: string;
  readonly #file: FileHandle;
  readonly #limit: number;
  readonly #done: () => void;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    readonly id: string,
    folder: string,
    file: FileHandle,
    source: string,
    limit: number,
    done: () => void,
  ) {
    this.#folder = folder;
    this.#file = file;
    this.#limit = limit;
    this.#done = done;
    this.index = { source, characters: 0, dropped: 0, offsets: [], size: 0 };
  }

  write(text: string): Promise<void> {
    this.#writing = this.#writing.then(() => this.#take(text));
    return this.#writing;
  }

  async close(): Promise<StoredResult> {
    await this.#writing;
    if (this.tail !== "") {
      await this.#put([this.tail]);
      this.tail = "";
    }
    await this.#file.close();
    // The index comes last and in one step: a result with one is whole.
    const path = join(this.#folder, `${this.id}.json`);
    await writeFile(`${path}.tmp`, JSON.stringify(this.index), { mode: 0o600 });
    await rename(`${path}.tmp`, path);
    this.#done();
    const { characters, offsets, dropped } = this.index;
    return { id: this.id, characters, pages: offsets.length, dropped };
  }

  async discard(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file.close();
    await rm(join(this.#folder, `${this.id}.txt`), { force: true });
    this.#done();
  }

  async #take(text: string): Promise<void> {
    if (this.index.size >= this.#limit) {
      this.index.dropped += text.length;
      return;
    }
    const all = this.tail + text;
    const pages: string[] = [];
    let from = 0;
    while (all.length - from > RESULT_PAGE) {
      const splits = /[\ud800-\udbff]/.test(all.charAt(from + RESULT_PAGE - 1));
      const end = from + RESULT_PAGE - (splits ? 1 : 0);
      pages.push(all.slice(from, end));
      from = end;
    }
    this.index.characters += text.length;
    if (pages.length > 0) {
      await this.#put(pages);
    }
    this.tail = all.slice(from);
  }

  async #put(pages: readonly string[]): Promise<void> {
    const bytes = pages.map((page) => Buffer.from(page));
    await this.#file.appendFile(Buffer.concat(bytes));
    for (const { length } of bytes) {
      this.index.offsets.push(this.index.size);
      this.index.size += length;
    }
  }
}

async function readIndex(folder: string, id: string): Promise<ResultIndex | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, `${id}.json`), "utf8")) as ResultIndex;
  } catch {
    return undefined;
  }
}

async function readPart(path: string, from: number, to: number): Promise<string> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw cannotKeep(error);
  });
  try {
    const buffer = Buffer.alloc(to - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    return buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await file.close();
  }
}

function cannotKeep(error: unknown): ToolError {
  return error instanceof ToolError ? error : new ToolError("io_error", `The result store cannot be used: ${error instanceof Error ? error.message : String(error)}`);
}
