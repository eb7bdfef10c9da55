import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  KnowledgeBase,
  type IndexStores,
  type KnowledgeHost,
} from "../../../../src/features/knowledge/knowledgeBase.js";
import { openMemoryIndex } from "../../../memory/knowledgeIndex.js";
import type { KnowledgeArea, KnowledgeRefresh, KnowledgeSearch } from "../../../../src/ports/knowledge.js";
import { openWorkspace, type FileTree, type TestWorkspace, type WorkspaceOptions } from "../../tools/workspace.js";

/** A workspace and the index of what is kept in it. */
export interface Rig {
  workspace: TestWorkspace;
  base: KnowledgeBase;
  search: (request: Partial<KnowledgeSearch>) => ReturnType<KnowledgeBase["search"]>;
  refresh: (path?: string, area?: KnowledgeArea) => Promise<KnowledgeRefresh>;
}

export interface RigOptions extends WorkspaceOptions {
  stores?: IndexStores;
  embeddings?: KnowledgeHost["embeddings"];
  patience?: number;
}

/** The index of this Node's own SQLite. */
export function memoryIndex(): IndexStores {
  const stores = openMemoryIndex();
  if (stores === undefined) {
    throw new Error("this Node has no SQLite");
  }
  return stores;
}

/** @param kept files by their path below `.toolhost/context` */
export async function openKnowledge(
  kept: FileTree,
  { stores = memoryIndex(), embeddings = () => undefined, patience, ...options }: RigOptions = {},
): Promise<Rig> {
  const workspace = await openWorkspace(
    Object.fromEntries(Object.entries(kept).map(([path, content]) => [`.toolhost/context/${path}`, content])),
    options,
  );
  const base = new KnowledgeBase({
    files: workspace.files,
    stores,
    embeddings,
    now: Date.now,
    ...(patience === undefined ? {} : { patience }),
  });
  const { signal } = new AbortController();
  return {
    workspace,
    base,
    search: (request) => base.search({ area: "context", limit: 6, minScore: 0.35, ...request }, signal),
    refresh: (path, area = "context") => base.refresh(area, path, signal, () => undefined),
  };
}

/** An embeddings server on this machine, gone with the test. */
export interface EmbeddingsEndpoint {
  url: string;
  /** Texts of every request. */
  requests: string[][];
  /** Headers of every request. */
  headers: IncomingMessage["headers"][];
  /** What it does from now on, after `delay` milliseconds. */
  behaviour: { vector: (text: string) => number[]; status?: number; delay?: number; body?: string; location?: string };
  stop: () => Promise<void>;
}

/** A real HTTP server that speaks as OpenAI's embeddings do. */
export async function embeddingsEndpoint(vector: (text: string) => number[]): Promise<EmbeddingsEndpoint> {
  const endpoint: EmbeddingsEndpoint = {
    url: "",
    requests: [],
    headers: [],
    behaviour: { vector },
    stop: () => stop(server),
  };
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const { input } = JSON.parse(body) as { input: string[] };
      const { vector, status = 200, delay = 0, body: answer, location } = endpoint.behaviour;
      endpoint.requests.push(input);
      endpoint.headers.push(request.headers);
      await new Promise((resolve) => setTimeout(resolve, delay));
      response.writeHead(status, {
        "content-type": "application/json",
        ...(location === undefined ? {} : { location }),
      });
      response.end(
        answer ?? JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vector(text) })) }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => stop(server));
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return endpoint;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) {
    body += String(part);
  }
  return body;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
