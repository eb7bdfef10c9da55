import type { Embeddings } from "../../ports/embeddings.js";
import { ToolError } from "../../core/errors.js";
import type { ChunkIndex } from "./chunkIndex.js";

/** How often vectors may change their length while all are fetched: a server replaces its model once at most. */
const MAX_CHANGES = 1;
/** Texts per request, and of the first one if they may be cut short: each further one has twice as many. */
const BATCH = 64;
const FIRST_BATCH = 8;
/** Maximum characters of a chunk that are embedded; usually all of it. */
const MAX_TEXT = 2_000;
/**
 * Maximum number of vector components held in memory, over all vectors (64 MB). In a larger area only the first chunks
 * are searched by meaning.
 */
const MAX_HELD = 16 * 1024 * 1024;
/** Vectors read from the store in one query. */
const PAGE = 1_000;
/** Chunks compared with each other to measure how near unrelated texts are. */
const SAMPLE = 64;
/**
 * Assumed nearness of unrelated texts if there are too few chunks to measure it, and the number of chunks that this
 * assumption counts for.
 */
const PRIOR = { nearness: 0.3, chunks: 16 } as const;

/** A chunk close to a query in meaning. */
export interface Near {
  chunk: number;
  /** 0 to 1: 0 is as near as unrelated texts, 1 the same text. */
  nearness: number;
}

/** The vectors of an area, cached until something changes. */
interface Held {
  key: string;
  chunks: Float64Array;
  numbers: Float32Array;
  unrelated: number;
}

/** Finds chunks by their meaning. */
export class Vectors {
  readonly embeddings: Embeddings;
  #held: Held | undefined;
  #dimension: number | undefined;

  constructor(embeddings: Embeddings) {
    this.embeddings = embeddings;
  }

  get model(): string {
    return this.embeddings.model;
  }

  /** Returns the query's vector. Drops vectors of another model or length: they have to be fetched again. */
  async embedQuery(index: ChunkIndex, query: string, signal: AbortSignal): Promise<Float32Array> {
    const [vector = new Float32Array()] = await this.embeddings.embed([query.slice(0, MAX_TEXT)], signal);
    this.#expect(index, vector.length);
    return vector;
  }

  /**
   * Fetches missing vectors, oldest chunks first.
   *
   * @param most maximum number of texts to send
   * @param isCutShort whether it may end before the server has answered: then the first requests are small
   */
  async fill(
    index: ChunkIndex,
    most: number,
    signal: AbortSignal,
    onBatch: (done: number) => void = () => undefined,
    isCutShort = most < Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const asked = this.#dimension;
    let changes = 0;
    // A slow server must answer some of them before that: what it has not answered is asked for again.
    let batch = isCutShort ? FIRST_BATCH : BATCH;
    for (let done = 0; done < most;) {
      const missing = index.unembedded(this.model, Math.min(batch, most - done));
      batch = Math.min(BATCH, 2 * batch);
      if (missing.length === 0) {
        return;
      }
      const vectors = await this.embeddings.embed(
        missing.map(({ path, heading, text }) => `${path}\n${heading}\n${text}`.slice(0, MAX_TEXT)),
        signal,
      );
      const before = this.#dimension;
      this.#expect(index, vectors[0]?.length ?? 0);
      changes += this.#dimension === before ? 0 : 1;
      if (changes > MAX_CHANGES) {
        break;
      }
      index.keepVectors(
        this.model,
        missing.flatMap(({ id }, i) => (vectors[i] === undefined ? [] : [{ chunk: id, vector: vectors[i] }])),
      );
      done += missing.length;
      onBatch(done);
    }
    if (changes > MAX_CHANGES || (most < Number.POSITIVE_INFINITY && this.#dimension !== asked)) {
      throw new ToolError(
        "unavailable",
        `${this.model} returns vectors of a different length than a moment ago.`,
        "Make sure the server has only one model with this name, then refresh the index.",
      );
    }
  }

  /** Returns the chunks nearest to a vector, nearest first. */
  nearest(index: ChunkIndex, query: Float32Array, limit: number, wanted?: ReadonlySet<number>): Near[] {
    const { chunks, numbers, unrelated } = this.#load(index, query.length);
    const near: Near[] = [];
    for (let row = 0; row < chunks.length; row += 1) {
      const chunk = chunks[row] ?? 0;
      if (wanted !== undefined && !wanted.has(chunk)) {
        continue;
      }
      const nearness = (product(numbers, row * query.length, query) - unrelated) / (1 - unrelated);
      if (nearness > 0) {
        near.push({ chunk, nearness: Math.min(1, nearness) });
      }
    }
    return near.sort((a, b) => b.nearness - a.nearness).slice(0, limit);
  }

  #expect(index: ChunkIndex, dimension: number): void {
    if (dimension !== this.#dimension) {
      index.dropVectors(this.model, dimension);
      this.#dimension = dimension;
    }
  }

  #load(index: ChunkIndex, dimension: number): Held {
    const key = `${index.state()} ${dimension}`;
    if (this.#held?.key !== key) {
      const chunks: number[] = [];
      const parts: Float32Array[] = [];
      while ((chunks.length + PAGE) * dimension <= MAX_HELD) {
        const rows = index.vectors(this.model, dimension, chunks.at(-1) ?? 0, PAGE);
        for (const { chunk, vector } of rows) {
          chunks.push(chunk);
          // Copied because a row's bytes may start at any offset of their buffer.
          parts.push(new Float32Array(vector.slice().buffer));
        }
        if (rows.length < PAGE) {
          break;
        }
      }
      const numbers = new Float32Array(chunks.length * dimension);
      parts.forEach((part, row) => numbers.set(part, row * dimension));
      this.#held = {
        key,
        chunks: Float64Array.from(chunks),
        numbers,
        unrelated: unrelatedNearness(numbers, dimension),
      };
    }
    return this.#held;
  }
}

/**
 * Measures how near unrelated texts are, which differs from model to model: the mean of pairs of stored chunks plus two
 * standard deviations.
 */
function unrelatedNearness(numbers: Float32Array, dimension: number): number {
  const rows = dimension === 0 ? 0 : numbers.length / dimension;
  const sample = Math.min(rows, SAMPLE);
  const at = (i: number): number => Math.floor((i * rows) / sample) * dimension;
  const values: number[] = [];
  for (let a = 0; a < sample; a += 1) {
    for (let b = a + 1; b < sample; b += 1) {
      values.push(product(numbers, at(a), numbers.subarray(at(b), at(b) + dimension)));
    }
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length || 1));
  const told = sample / (sample + PRIOR.chunks);
  return Math.min(0.9, Math.max(0, told * (mean + 2 * deviation) + (1 - told) * PRIOR.nearness));
}

function product(numbers: Float32Array, offset: number, other: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < other.length; i += 1) {
    sum += (numbers[offset + i] ?? 0) * (other[i] ?? 0);
  }
  return sum;
}
