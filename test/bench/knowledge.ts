// What agents keep: taking texts in, searching 100,000 chunks, how well searches answer beside MiniSearch on the same
// chunks, and what memory large results take on their way.
// In plain Node on a real folder. Writes its part of docs/benchmarks.md, and fails where a bar of issue 7 is missed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import MiniSearch from "minisearch";
import { ChunkIndex } from "../../src/features/knowledge/chunkIndex.js";
import { KnowledgeBase } from "../../src/features/knowledge/knowledgeBase.js";
import { rankChunks } from "../../src/features/knowledge/rank.js";
import { NodeDisk } from "../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../src/hosts/node/disk/files.js";
import { KnowledgeStores } from "../../src/hosts/node/state/knowledgeStore.js";
import { openRoots } from "../../src/hosts/node/workspace.js";
import { chunksOf, type Chunk } from "../../src/text/search/chunks.js";
import { writePart } from "./page.js";
import { pipeCases, pipeMemory, type PipeCase } from "./pipeMemory.js";
import { documents, isAnswer, measureRanking, questions, type Document } from "./retrieval.js";
import type { Tally } from "./tally.js";

/** Bytes of text a second. */
const INDEX_BAR = 5_000_000;
/** Milliseconds of the processor. */
const SEARCH_BARS = { p50: 20, p95: 60 } as const;
/** Bytes of memory that a pipe takes at its peak. */
const PIPE_BAR = 100_000_000;
const PIPED = 100_000_000;
const CHUNKS = 100_000;
/** Documents in one file: an area of 2,000 files of 50 chunks is what a long session keeps. */
const DOCUMENTS_A_FILE = 10;

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-bench-"));
  const before = process.env["TOOLHOST_STATE"];
  process.env["TOOLHOST_STATE"] = join(folder, "state");
  try {
    return await measureAll(repository, folder);
  } finally {
    if (before === undefined) {
      delete process.env["TOOLHOST_STATE"];
    } else {
      process.env["TOOLHOST_STATE"] = before;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll(repository: string, folder: string): Promise<Tally> {
  const all = documents(repository);
  const asked = questions(repository);
  const retrieval = await measureRetrieval(join(folder, "quality"), all, asked);
  const speed = await measureSpeed(
    join(folder, "speed"),
    all,
    asked.map(({ query }) => query),
  );
  const pipes = await measurePipes(repository);
  const bars: { title: string; holds: boolean; is: string }[] = [
    {
      title: "taking texts in: at least 5 MB/s",
      holds: speed.bytesPerSecond >= INDEX_BAR,
      is: `${(speed.bytesPerSecond / 1e6).toFixed(1)} MB/s`,
    },
    {
      title: `search over ${CHUNKS} chunks: p50 below ${SEARCH_BARS.p50} ms`,
      holds: speed.p50 < SEARCH_BARS.p50,
      is: `${speed.p50.toFixed(1)} ms`,
    },
    {
      title: `search over ${CHUNKS} chunks: p95 below ${SEARCH_BARS.p95} ms`,
      holds: speed.p95 < SEARCH_BARS.p95,
      is: `${speed.p95.toFixed(1)} ms`,
    },
    {
      title: "recall@6 not below MiniSearch",
      holds: retrieval.ours.recall >= retrieval.mini.recall,
      is: retrieval.ours.recall.toFixed(3),
    },
    {
      title: "MRR not below MiniSearch",
      holds: retrieval.ours.reciprocal >= retrieval.mini.reciprocal,
      is: retrieval.ours.reciprocal.toFixed(3),
    },
    ...pipes.flatMap(({ name, title, bytes, peak, written }) =>
      hasBar(name)
        ? [
            {
              title: `${title}, ${megabytes(bytes)}: under ${megabytes(PIPE_BAR)} of memory`,
              holds: peak < PIPE_BAR && written === bytes,
              is: `${megabytes(peak)}, ${written} bytes written`,
            },
          ]
        : [],
    ),
  ];
  const part = [
    "## What agents keep",
    "",
    `On ${cpus()[0]?.model ?? "this machine"}; ${all.length} documentation files of the dependency tree (${(total(all) / 1e6).toFixed(1)} MB, ${retrieval.chunks} chunks), ${asked.length} questions with known answers.`,
    "",
    "| ranking by words | recall@6 | MRR |",
    "|---|---|---|",
    `| Toolhost | ${retrieval.ours.recall.toFixed(3)} | ${retrieval.ours.reciprocal.toFixed(3)} |`,
    `| MiniSearch, same chunks | ${retrieval.mini.recall.toFixed(3)} | ${retrieval.mini.reciprocal.toFixed(3)} |`,
    "",
    `Of the answers among the first 6, ${(100 * retrieval.kept).toFixed(0)} % score 0.35 or more.`,
    "",
    ...bars.map(({ title, holds, is }) => `- ${holds ? "Held" : "**Missed**"}: ${title}; it is ${is}.`),
    "",
    `A search of ${speed.files} files that looks at each of them for changes first, as a tool's does, takes ${speed.whole.toFixed(0)} ms (median, by the clock).`,
    "",
    "Memory that storing a result takes at its peak, over what the process and the tool itself had before; a process for each row:",
    "",
    "| | stored | memory |",
    "|---|---|---|",
    ...pipes.map(({ title, written, peak }) => `| ${title} | ${megabytes(written)} | ${megabytes(peak)} |`),
  ].join("\n");
  console.log(part);
  writePart(repository, "knowledge", part);
  const missed = bars.filter(({ holds }) => !holds);
  return {
    passed: bars.length - missed.length,
    failed: missed.length,
    skipped: 0,
    failures: missed.map(({ title, is }) => ({ title, message: `it is ${is}` })),
  };
}

/**
 * Node alone is there to compare with; data is held by its tool as a whole, so what more that takes is the engine's
 * choice.
 */
function hasBar(name: PipeCase): boolean {
  return name === "exec" || name === "letters" || name === "text";
}

async function measurePipes(repository: string) {
  const rows: { name: PipeCase; title: string; bytes: number; peak: number; written: number }[] = [];
  for (const [name, bytes] of [
    ["exec", PIPED],
    ["exec", 2 * PIPED],
    ["letters", PIPED],
    ["plain", PIPED],
    ["text", PIPED],
    ["data", PIPED],
    ["plainData", PIPED],
  ] as const) {
    rows.push({ name, title: pipeCases[name].title, bytes, ...(await pipeMemory(repository, name, bytes)) });
  }
  return rows;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function total(all: readonly Document[]): number {
  return all.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

async function measureRetrieval(folder: string, all: readonly Document[], asked: ReturnType<typeof questions>) {
  const stores = new KnowledgeStores(() => [folder]);
  const index = new ChunkIndex(await stores.current(), "context");
  index.put(
    all.map(({ path, text }) => ({ file: { path, size: text.length, modified: 0 }, reading: { text, hash: path } })),
    0,
  );
  const chunks: (Chunk & { path: string })[] = all.flatMap(({ path, text }) =>
    chunksOf(text, /\.(?:md|mdx|markdown)$/i.test(path)).map((chunk) => ({ ...chunk, path })),
  );
  const unanswerable = asked.find((question) => !chunks.some((chunk) => isAnswer(question, chunk)));
  if (unanswerable !== undefined) {
    throw new Error(`no chunk answers: ${unanswerable.query} (${unanswerable.file}: ${unanswerable.words})`);
  }
  const search = new MiniSearch({ fields: ["path", "heading", "text"] });
  search.addAll(chunks.map((chunk, id) => ({ ...chunk, id })));
  const mini = measureRanking(asked, (query) =>
    search
      .search(query)
      .slice(0, 10)
      .flatMap(({ id }) => chunks[id as number] ?? []),
  );
  const ours = measureRanking(asked, (query) => rankChunks(index, query, "", 10).hits.map(({ chunk }) => chunk));
  const found = asked.filter((question) => !ours.missed.includes(question));
  const kept = found.filter((question) =>
    rankChunks(index, question.query, "", 6)
      .hits.slice(0, 6)
      .some(({ chunk, score }) => score >= 0.35 && isAnswer(question, chunk)),
  );
  stores.close();
  return { ours, mini, chunks: chunks.length, kept: kept.length / found.length };
}

async function measureSpeed(folder: string, all: readonly Document[], queries: readonly string[]) {
  mkdirSync(folder);
  const files = new NodeFiles(new NodeDisk(), openRoots(folder, undefined));
  const stores = new KnowledgeStores(() => [folder]);
  const base = new KnowledgeBase({ files, stores, embeddings: () => undefined, now: Date.now });
  const index = new ChunkIndex(await stores.current(), "context");
  const { signal } = new AbortController();
  let count = 0;
  let bytes = 0;
  let used = 0;
  for (let copy = 0; index.count() < CHUNKS; copy += 1) {
    bytes += plant(join(folder, ".toolhost/context"), all, copy);
    used += await processorTime(
      async () => void (await base.search({ area: "context", query: "warm", limit: 1, minScore: 0 }, signal)),
    );
    count += Math.ceil(all.length / DOCUMENTS_A_FILE);
  }
  const times: number[] = [];
  for (const query of queries) {
    times.push(await processorTime(() => Promise.resolve(rankChunks(index, query, "", 6))));
  }
  const whole: number[] = [];
  for (const query of queries.slice(0, 40)) {
    const began = performance.now();
    await base.search({ area: "context", query, limit: 6, minScore: 0.35 }, signal);
    whole.push(performance.now() - began);
  }
  stores.close();
  return {
    bytesPerSecond: (1000 * bytes) / used,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    whole: quantile(whole, 0.5),
    files: count,
  };
}

/** Writes the documents, several in a file; their bytes. */
function plant(folder: string, all: readonly Document[], copy: number): number {
  let bytes = 0;
  for (let at = 0; at < all.length; at += DOCUMENTS_A_FILE) {
    const text = all
      .slice(at, at + DOCUMENTS_A_FILE)
      .map(({ path, text }) => `# ${path}\n\n${text}\n`)
      .join("\n");
    const path = join(folder, `copy${copy}`, `${at}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    bytes += Buffer.byteLength(text);
  }
  return bytes;
}

/** Milliseconds of the processor: what else the machine does does not count. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
