import type { Embeddings } from "../../ports/embeddings.js";
import type { Files } from "../../ports/files.js";
import type {
  Knowledge,
  KnowledgeArea,
  KnowledgeHit,
  KnowledgeProgress,
  KnowledgeRefresh,
  KnowledgeSearch,
} from "../../ports/knowledge.js";
import type { Store } from "../../ports/store.js";
import { countLineFeeds } from "../../text/splitLines.js";
import { oneLine, shorten } from "../../text/clip.js";
import { ToolError } from "../../core/errors.js";
import { ChunkIndex } from "./chunkIndex.js";
import { followFiles, type Following } from "./follow.js";
import { workspacePath } from "./places.js";
import { patternHits } from "./pattern.js";
import { rankChunks } from "./rank.js";
import { snippetOf } from "./snippet.js";
import { Vectors, type Near } from "./vectors.js";

/** Maximum chunks whose vectors a search fetches itself, for chunks written a moment ago; a refresh fetches all. */
const VECTORS_A_SEARCH = 128;
/** How long a search waits for the embeddings server before it continues without it, in ms. */
const SEARCH_PATIENCE = 5_000;
/** Number of chunks requested by closeness in meaning. */
const NEAR = 50;

/** Said while some embeddings are missing. The code has no refresh of its own. */
const NOT_ALL = {
  code: "Not all of it has embeddings yet: each search fetches some.",
  texts: "Not all of it has embeddings yet: each search fetches some, a refresh all.",
};

/** Maximum files that a search names as not searched, and the characters shown of each name. */
const MAX_NAMED = 3;
const MAX_NAME = 100;

/** Access to the store that contains the index. */
export interface IndexStores {
  /** Throws `unavailable` if there cannot be one. */
  current(): Promise<Store>;
  /** Replaces a damaged index with an empty one. Returns whether it was damaged. */
  renew(): Promise<boolean>;
}

export interface KnowledgeHost {
  files: Files;
  stores: IndexStores;
  /** The server that the user has set; undefined if none. */
  embeddings: () => Embeddings | undefined;
  now: () => number;
  /** How long a search waits for the embeddings server, in ms. Default 5,000. */
  patience?: number;
  /** Brings the index up to date. Default: by the files that agents keep. */
  follow?: (following: Following) => Promise<KnowledgeRefresh>;
  /** Maximum characters of a hit's snippet. Default 700. */
  snippet?: number;
  /** Called after a search that had no time for all changed files, or for all embeddings. */
  onLeft?: (area: KnowledgeArea) => void;
}

interface AreaIndex {
  store: Store;
  index: ChunkIndex;
  vectors: Vectors | undefined;
}

/** The search index of the files that agents keep. */
export class KnowledgeBase implements Knowledge {
  readonly #host: KnowledgeHost;
  readonly #areas = new Map<KnowledgeArea, AreaIndex>();
  /** The latest work on each area's index: only one at a time brings it up to date. */
  readonly #following = new Map<KnowledgeArea, Promise<unknown>>();
  /** What interrupts the work on an area that nobody waits for. */
  readonly #ahead = new Map<KnowledgeArea, AbortController>();

  constructor(host: KnowledgeHost) {
    this.#host = host;
  }

  async search(request: KnowledgeSearch, signal: AbortSignal): ReturnType<Knowledge["search"]> {
    checkRequest(request);
    return this.#withIndex(request.area, async (area) => {
      const { note, left = 0 } = await this.#follow(request.area, area.index, signal, {});
      if (left > 0) {
        this.#host.onLeft?.(request.area);
      }
      const found = await (request.pattern === undefined
        ? this.#byQuery(request, request.query ?? "", area, signal)
        : byPattern(request, request.pattern, area.index, signal));
      const unsearched = leftOut(area.index, request.path ?? "", request.area);
      const notes = [found.note, note].filter((each) => each !== undefined);
      return {
        ...found,
        ...(notes.length > 0 && { note: notes.join(" ") }),
        ...(unsearched !== undefined && { unsearched }),
      };
    });
  }

  refresh(
    name: KnowledgeArea,
    path: string | undefined,
    signal: AbortSignal,
    report: (progress: KnowledgeProgress) => void,
  ): Promise<KnowledgeRefresh> {
    return this.#withIndex(name, async ({ index, vectors }) => {
      const done = await this.#follow(name, index, signal, { below: path ?? "", all: true, report });
      const note = vectors === undefined ? undefined : await fillAll(index, vectors, name, signal, report);
      return note === undefined ? done : { ...done, note };
    });
  }

  /**
   * Brings an area's index up to date although nobody waits for it: it takes a part of the processor's time, gives way to
   * every search, and goes on after it. If it runs already, does nothing.
   *
   * @throws ToolError as `search`; the signal's reason
   */
  async readAhead(
    name: KnowledgeArea,
    signal: AbortSignal,
    report: (progress: KnowledgeProgress) => void = () => undefined,
  ): Promise<void> {
    if (this.#ahead.has(name)) {
      return;
    }
    for (;;) {
      const interrupted = new AbortController();
      this.#ahead.set(name, interrupted);
      const either = AbortSignal.any([signal, interrupted.signal]);
      try {
        await this.#withIndex(name, async ({ index, vectors }) => {
          await this.#follow(name, index, either, { isAhead: true, report });
          if (vectors !== undefined) {
            await fillAll(index, vectors, name, either, report, true);
          }
        });
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (!interrupted.signal.aborted) {
          throw error;
        }
      } finally {
        this.#ahead.delete(name);
      }
    }
  }

  async #byQuery(
    { area, path = "", limit, minScore }: KnowledgeSearch,
    query: string,
    { index, vectors }: AreaIndex,
    signal: AbortSignal,
  ): ReturnType<Knowledge["search"]> {
    const meaning: Meaning =
      vectors === undefined ? { near: [] } : await this.#near(area, query, path, index, vectors, signal);
    const { hits, terms } = rankChunks(index, query, path, limit, meaning.near, area === "code");
    if (terms.length === 0 && meaning.near.length === 0) {
      throw new ToolError(
        "invalid_input",
        "query contains no words to search for.",
        "Give words, or search for the text itself with pattern.",
      );
    }
    const wanted = new Set(terms.map(({ term }) => term));
    const shown = hits.filter(({ score }) => score >= minScore).slice(0, limit);
    const notes = [
      meaning.note,
      hits.length === 0 && index.count() === 0 && area !== "code"
        ? `Nothing is kept in ${workspacePath(this.#host.files, area, path)}.`
        : undefined,
    ].filter((note) => note !== undefined);
    return {
      hits: shown.map(({ chunk, score }): KnowledgeHit => ({
        ...shownPart(chunk, wanted, this.#host.snippet),
        path: chunk.path,
        startLine: chunk.startLine,
        endLine: chunk.endLine,
        score: Math.round(score * 1000) / 1000,
        heading: chunk.heading,
      })),
      ranking: vectors === undefined || meaning.failed === true ? "lexical" : "hybrid",
      ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
    };
  }

  /** Finds chunks close to a query in meaning; returns none if the server does not answer in time. */
  async #near(
    area: KnowledgeArea,
    query: string,
    path: string,
    index: ChunkIndex,
    vectors: Vectors,
    signal: AbortSignal,
  ): Promise<Meaning> {
    const patience = AbortSignal.timeout(this.#host.patience ?? SEARCH_PATIENCE);
    const either = AbortSignal.any([signal, patience]);
    try {
      const vector = await vectors.embedQuery(index, query, either);
      await vectors.fill(index, VECTORS_A_SEARCH, either).catch((error: unknown) => {
        signal.throwIfAborted();
        // Those that came in time count.
        if (!patience.aborted) {
          throw error;
        }
      });
      const missing = index.unembedded(vectors.model, 1).length > 0;
      if (missing) {
        this.#host.onLeft?.(area);
      }
      const wanted = path === "" ? undefined : index.chunksBelow(path);
      return {
        near: vectors.nearest(index, vector, NEAR, wanted),
        ...(missing ? { note: NOT_ALL[area === "code" ? "code" : "texts"] } : {}),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ToolError) && !patience.aborted) {
        throw error;
      }
      const why = patience.aborted ? "no answer in time" : (error as Error).message;
      return {
        near: [],
        failed: true,
        note: `Ranked by words alone, without embeddings (${vectors.model}): ${why.replace(/\.$/, "")}.`,
      };
    }
  }

  /**
   * Brings the index up to date after any work that is under way: it then includes everything written before this call.
   */
  async #follow(
    name: KnowledgeArea,
    index: ChunkIndex,
    signal: AbortSignal,
    options: Pick<Parameters<typeof followFiles>[0], "below" | "all" | "isAhead" | "report">,
  ): Promise<KnowledgeRefresh> {
    if (options.isAhead !== true) {
      this.#ahead.get(name)?.abort();
    }
    const { files, now, follow = followFiles } = this.#host;
    const before = this.#following.get(name);
    const work = (async () => {
      await before?.catch(() => undefined);
      return follow({ files, index, area: name, signal, now, ...options });
    })();
    this.#following.set(name, work);
    return work;
  }

  /** Runs work on the index; if the index is damaged, replaces it and runs the work once more. */
  async #withIndex<Result>(name: KnowledgeArea, work: (area: AreaIndex) => Promise<Result>): Promise<Result> {
    // Reports a missing workspace before anything is opened.
    workspacePath(this.#host.files, name, "");
    try {
      return await work(await this.#open(name));
    } catch (error) {
      if (!(await this.#host.stores.renew())) {
        throw error;
      }
    }
    return work(await this.#open(name));
  }

  async #open(name: KnowledgeArea): Promise<AreaIndex> {
    const store = await this.#host.stores.current();
    const embeddings = this.#host.embeddings();
    const known = this.#areas.get(name);
    const index = known?.store === store ? known.index : new ChunkIndex(store, name);
    const vectors =
      embeddings === undefined
        ? undefined
        : known?.store === store && known.vectors?.embeddings === embeddings
          ? known.vectors
          : new Vectors(embeddings);
    const area = { store, index, vectors };
    this.#areas.set(name, area);
    return area;
  }
}

/** Returns what a chunk has of a query, and the line on which that begins. */
function shownPart(
  { text, startLine }: { text: string; startLine: number },
  wanted: ReadonlySet<string>,
  most: number | undefined,
): { snippet: string; snippetLine: number } {
  const snippet = snippetOf(text, wanted, most);
  const [first = ""] = snippet.split("\n");
  const blank = countLineFeeds(/^\s*/.exec(text)?.[0] ?? "");
  const before = countLineFeeds(text.slice(0, Math.max(0, text.indexOf(snippet.replace(/…$/, "") || first))));
  return { snippet, snippetLine: startLine - blank + before };
}

/** Fetches all missing vectors. Returns the reason if that failed. */
async function fillAll(
  index: ChunkIndex,
  vectors: Vectors,
  name: KnowledgeArea,
  signal: AbortSignal,
  report: (progress: KnowledgeProgress) => void,
  isCutShort = false,
): Promise<string | undefined> {
  report({ message: `Embeddings from ${vectors.model}` });
  try {
    // Any text will do: this checks whether the stored vectors still have the model's length.
    await vectors.embedQuery(index, name, signal);
    const onBatch = (chunks: number): void => report({ message: `Embeddings of ${chunks} chunks` });
    await vectors.fill(index, Number.POSITIVE_INFINITY, signal, onBatch, isCutShort);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return `Not all embeddings could be fetched, so searches use words only: ${error.message} ${error.hint ?? ""}`.trim();
  }
}

/** Says which files were not searched, or not as others are, and why. */
function leftOut(index: ChunkIndex, path: string, area: KnowledgeArea): string | undefined {
  const all = index
    .problems()
    .filter((problem) => path === "" || problem.path === path || problem.path.startsWith(`${path}/`));
  const named = all.slice(0, MAX_NAMED).map((problem) => `${shorten(oneLine(problem.path), MAX_NAME)} ${problem.why}`);
  const rest = all.length - named.length;
  const what = area === "code" ? "Not parsed" : "Not searched";
  return all.length === 0 ? undefined : `${what}: ${named.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}.`;
}

/** The result of comparing vectors with a query. */
interface Meaning {
  near: Near[];
  failed?: boolean;
  note?: string;
}

function checkRequest({ query, pattern }: KnowledgeSearch): void {
  if ((query === undefined) === (pattern === undefined)) {
    throw new ToolError(
      "invalid_input",
      "query, pattern: exactly one of them is needed.",
      "Give query for a ranked search, or pattern for an exact text.",
    );
  }
  if (pattern === "") {
    throw new ToolError("invalid_input", "pattern is empty.", "Give the text to look for.");
  }
}

async function byPattern(
  { path = "", limit }: KnowledgeSearch,
  pattern: string,
  index: ChunkIndex,
  signal: AbortSignal,
): ReturnType<Knowledge["search"]> {
  const hits: KnowledgeHit[] = [];
  for (const file of index.below(path)) {
    signal.throwIfAborted();
    for (const hit of patternHits(file.path, index.text(file.id), pattern)) {
      hits.push(hit);
      if (hits.length >= limit) {
        return { hits, ranking: "pattern", note: `There may be more: only the first ${limit} are listed.` };
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { hits, ranking: "pattern" };
}
