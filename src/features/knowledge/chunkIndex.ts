import type { KnowledgeArea } from "../../ports/knowledge.js";
import type { Store } from "../../ports/store.js";
import { chunksOf, type Chunk } from "../../text/search/chunks.js";
import { termText } from "../../text/search/tokens.js";
import type { KeptFile } from "./places.js";

/** A file as recorded in the index. */
export interface IndexedFile extends KeptFile {
  id: number;
  checked: number;
  hash: string;
  problem: string | null;
}

/** A chunk that may answer a query. */
export interface Candidate {
  id: number;
  path: string;
  startLine: number;
  endLine: number;
  heading: string;
  text: string;
  /** By BM25, above 0; 0 for a chunk found only by meaning. */
  weight: number;
}

/** The result of reading a file: its text, split by whoever read it or else here, or why it cannot be searched. */
export type Reading =
  | {
      text: string;
      hash: string;
      chunks?: readonly Chunk[];
      /** Why it is searched with less than is usual. */
      problem?: string;
    }
  | { problem: string };

/** How much a term counts in a file's path and headings compared with the body. */
const WEIGHT = { path: 2, heading: 2, body: 1 } as const;
/** The size recorded for a file that is only partly indexed: no file has it. */
const UNFINISHED = -1;
const COLUMNS = "chunks.id, files.path, start_line AS startLine, end_line AS endLine, heading, text";
const BELOW = "(?1 = '' OR files.path = ?1 OR (files.path >= ?1 || '/' AND files.path < ?1 || '0'))";

/** The index of one area in the store. */
export class ChunkIndex {
  readonly #store: Store;
  readonly #area: KnowledgeArea;
  #frequencies = new Map<string, number>();
  #frequenciesOf = "";
  #writes = 0;

  constructor(store: Store, area: KnowledgeArea) {
    this.#store = store;
    this.#area = area;
  }

  files(): IndexedFile[] {
    return this.#store.all(
      "SELECT id, path, size, modified, checked, hash, problem FROM files WHERE area = ?",
      this.#area,
    );
  }

  /** Returns the files that are not searched, with the reasons. */
  problems(): { path: string; why: string }[] {
    return this.#store.all(
      "SELECT path, problem AS why FROM files WHERE area = ? AND problem IS NOT NULL ORDER BY path",
      this.#area,
    );
  }

  /** Returns a value that changes with every change of the index, whoever made it. */
  state(): string {
    return `${this.#store.get<{ data_version: number }>("PRAGMA data_version")?.data_version} ${this.#writes}`;
  }

  /** Indexes files as they are now, in one transaction. Returns how many texts were new or changed. */
  put(files: readonly { file: KeptFile; reading: Reading }[], now: number): number {
    return this.#store.transaction(
      () => files.filter(({ file, reading }) => this.#putOne(file, reading, now) && "text" in reading).length,
    );
  }

  /**
   * Starts indexing a file whose text comes in parts; its previous entry is removed. Until `finish` it counts as
   * changed, for every window.
   *
   * @returns its id, or undefined if this text is in the index already
   */
  begin(file: KeptFile, hash: string, now: number): number | undefined {
    return this.#store.transaction(() =>
      this.#knows(file, hash, null, now) ? undefined : this.#insert({ ...file, size: UNFINISHED }, "", null, now),
    );
  }

  /**
   * Indexes the next part of a file that was started. Returns whether it is still ours to index.
   *
   * @param line number of the part's first line
   */
  addPart(id: number, path: string, text: string, line: number): boolean {
    return this.#store.transaction(() => {
      if (this.#store.get("SELECT id FROM files WHERE id = ? AND size = ?", id, UNFINISHED) === undefined) {
        return false;
      }
      this.#store.run("UPDATE files SET chunks = chunks + ? WHERE id = ?", this.#addChunks(id, path, text, line), id);
      this.#writes += 1;
      return true;
    });
  }

  finish(id: number, { size, modified }: KeptFile, hash: string, now: number): void {
    this.#store.run(
      "UPDATE files SET size = ?, modified = ?, checked = ?, hash = ? WHERE id = ?",
      size,
      modified,
      now,
      hash,
      id,
    );
  }

  remove(ids: readonly number[]): void {
    this.#store.transaction(() => {
      for (const id of ids) {
        this.#removeChunks(id);
        this.#store.run("DELETE FROM files WHERE id = ?", id);
      }
    });
    this.#writes += 1;
  }

  /** Returns the total number of chunks. */
  count(): number {
    return (
      this.#store.get<{ n: number | null }>("SELECT sum(chunks) AS n FROM files WHERE area = ?", this.#area)?.n ?? 0
    );
  }

  /** Returns the number of chunks that contain a term. */
  frequency(term: string): number {
    const state = this.state();
    if (state !== this.#frequenciesOf) {
      this.#frequenciesOf = state;
      this.#frequencies = new Map();
    }
    let frequency = this.#frequencies.get(term);
    if (frequency === undefined) {
      frequency =
        this.#store.get<{ doc: number }>(`SELECT doc FROM vocabulary_${this.#area} WHERE term = ?`, term)?.doc ?? 0;
      this.#frequencies.set(term, frequency);
    }
    return frequency;
  }

  /**
   * Returns the chunks that contain any of the terms, best first by BM25.
   *
   * @param below a file or folder; empty for all
   */
  matching(terms: readonly string[], below: string, limit: number): Candidate[] {
    const inPath =
      below === ""
        ? ""
        : `AND rowid IN (SELECT chunks.id FROM chunks JOIN files ON files.id = chunks.file WHERE area = '${this.#area}' AND ${BELOW})`;
    const matched = `SELECT rowid AS id, bm25(terms_${this.#area}, ${WEIGHT.path}, ${WEIGHT.heading}, ${WEIGHT.body}) AS bm25 FROM terms_${this.#area}
      WHERE terms_${this.#area} MATCH ?2 ${inPath} ORDER BY bm25 LIMIT ?3`;
    // Every term is quoted, so that nothing in it is read as an operator.
    const match = terms.map((term) => `"${term}"`).join(" OR ");
    return this.#store.all(
      `SELECT ${COLUMNS}, -bm25 AS weight FROM (${matched}) AS found JOIN chunks ON chunks.id = found.id JOIN files ON files.id = chunks.file ORDER BY bm25, chunks.id`,
      below,
      match,
      limit,
    );
  }

  /** Returns chunks by their ids, those that still exist. */
  byId(ids: readonly number[]): Candidate[] {
    return ids.flatMap((id) =>
      this.#store.all<Candidate>(
        `SELECT ${COLUMNS}, 0.0 AS weight FROM chunks JOIN files ON files.id = chunks.file WHERE chunks.id = ?`,
        id,
      ),
    );
  }

  /** Returns the files below a path, in order. */
  below(path: string): { id: number; path: string }[] {
    return this.#store.all(
      `SELECT id, path FROM files WHERE ${BELOW} AND area = ?2 AND chunks > 0 ORDER BY path`,
      path,
      this.#area,
    );
  }

  /** Returns the ids of the chunks below a path. */
  chunksBelow(path: string): Set<number> {
    return new Set(
      this.#store
        .all<{ id: number }>(
          `SELECT chunks.id FROM chunks JOIN files ON files.id = chunks.file WHERE ${BELOW} AND area = ?2`,
          path,
          this.#area,
        )
        .map(({ id }) => id),
    );
  }

  /** Returns a file's text as it was indexed. */
  text(file: number): string {
    return this.#store
      .all<{ text: string }>("SELECT text FROM chunks WHERE file = ? ORDER BY id", file)
      .map(({ text }) => text)
      .join("");
  }

  /** Returns chunks that have no vector of this model. */
  unembedded(model: string, limit: number): { id: number; text: string; heading: string; path: string }[] {
    return this.#store.all(
      `SELECT chunks.id, text, heading, path FROM chunks JOIN files ON files.id = chunks.file LEFT JOIN vectors ON vectors.chunk = chunks.id AND model = ?2
       WHERE area = ?1 AND vectors.chunk IS NULL ORDER BY chunks.id LIMIT ?3`,
      this.#area,
      model,
      limit,
    );
  }

  keepVectors(model: string, vectors: readonly { chunk: number; vector: Float32Array }[]): void {
    this.#writes += 1;
    this.#store.transaction(() => {
      for (const { chunk, vector } of vectors) {
        // The chunk may be gone by now.
        this.#store.run(
          "INSERT OR REPLACE INTO vectors (chunk, model, vector) SELECT id, ?2, ?3 FROM chunks WHERE id = ?1",
          chunk,
          model,
          new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
        );
      }
    });
  }

  /** Drops vectors of another model or length: a server may change its model under the same name. */
  dropVectors(model: string, dimension: number): void {
    this.#writes += 1;
    this.#store.run(
      "DELETE FROM vectors WHERE (model <> ?1 OR length(vector) <> ?2) AND chunk IN (SELECT chunks.id FROM chunks JOIN files ON files.id = chunks.file WHERE area = ?3)",
      model,
      4 * dimension,
      this.#area,
    );
  }

  vectors(model: string, dimension: number, after: number, limit: number): { chunk: number; vector: Uint8Array }[] {
    return this.#store.all(
      `SELECT chunk, vector FROM vectors JOIN chunks ON chunks.id = chunk JOIN files ON files.id = chunks.file
       WHERE area = ?1 AND model = ?2 AND length(vector) = ?3 AND chunk > ?4 ORDER BY chunk LIMIT ?5`,
      this.#area,
      model,
      4 * dimension,
      after,
      limit,
    );
  }

  #putOne(file: KeptFile, reading: Reading, now: number): boolean {
    const hash = "hash" in reading ? reading.hash : "";
    const problem = reading.problem ?? null;
    if (this.#knows(file, hash, problem, now)) {
      return false;
    }
    const id = this.#insert(file, hash, problem, now);
    if ("text" in reading) {
      const chunks = this.#addChunks(id, file.path, reading.text, 1, reading.chunks);
      this.#store.run("UPDATE files SET chunks = ? WHERE id = ?", chunks, id);
    }
    return true;
  }

  /** Whether a file is in the index in this state; another window may have been faster. */
  #knows({ path, size, modified }: KeptFile, hash: string, problem: string | null, now: number): boolean {
    const known = this.#store.get<{ id: number; hash: string; problem: string | null }>(
      "SELECT id, hash, problem FROM files WHERE area = ? AND path = ?",
      this.#area,
      path,
    );
    if (known?.hash !== hash || known.problem !== problem) {
      return false;
    }
    this.#store.run("UPDATE files SET size = ?, modified = ?, checked = ? WHERE id = ?", size, modified, now, known.id);
    return true;
  }

  /** Replaces what was known of a file. Returns its id. */
  #insert(file: KeptFile, hash: string, problem: string | null, now: number): number {
    for (const { id } of this.#store.all<{ id: number }>(
      "SELECT id FROM files WHERE area = ? AND path = ?",
      this.#area,
      file.path,
    )) {
      this.#removeChunks(id);
      this.#store.run("DELETE FROM files WHERE id = ?", id);
    }
    this.#writes += 1;
    const { id } = this.#store.run(
      "INSERT INTO files (area, path, size, modified, checked, hash, problem, chunks) VALUES (?, ?, ?, ?, ?, ?, ?, 0)",
      this.#area,
      file.path,
      file.size,
      file.modified,
      now,
      hash,
      problem,
    );
    return id;
  }

  /** @param line number of the text's first line */
  #addChunks(file: number, path: string, text: string, line: number, given?: readonly Chunk[]): number {
    const pathTerms = termText(path);
    const chunks = given ?? chunksOf(text, /\.(?:md|mdx|markdown)$/i.test(path));
    for (const { text, startLine, endLine, heading } of chunks) {
      const { id } = this.#store.run(
        "INSERT INTO chunks (file, start_line, end_line, heading, text) VALUES (?, ?, ?, ?, ?)",
        file,
        startLine + line - 1,
        endLine + line - 1,
        heading,
        text,
      );
      this.#store.run(
        `INSERT INTO terms_${this.#area} (rowid, path, heading, body) VALUES (?, ?, ?, ?)`,
        id,
        pathTerms,
        termText(heading),
        termText(text),
      );
    }
    return chunks.length;
  }

  #removeChunks(file: number): void {
    for (const { id } of this.#store.all<{ id: number }>("SELECT id FROM chunks WHERE file = ?", file)) {
      this.#store.run(`DELETE FROM terms_${this.#area} WHERE rowid = ?`, id);
      this.#store.run("DELETE FROM chunks WHERE id = ?", id);
    }
  }
}
