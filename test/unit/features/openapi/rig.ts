// A real server, and the tools of a description that call it.
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import type { ToolResult } from "../../../../src/core/outcome.js";
import type { Tool, ToolContext } from "../../../../src/core/contract.js";
import { loadOpenApiTools, type OpenApiTools } from "../../../../src/features/openapi/load.js";
import { openApiEntry } from "../../../../src/features/openapi/entry.js";
import { nodeHttp } from "../../../../src/hosts/node/http/nodeHttp.js";
import type { AnswerData } from "../../../../src/features/openapi/answer.js";

const fixtures = fileURLToPath(new URL("../../../fixtures/openapi/", import.meta.url));

export const fixture = (name: string): string => readFileSync(isAbsolute(name) ? name : join(fixtures, name), "utf8");

export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface TestServer {
  origin: string;
  asked: Asked[];
}

/** Starts a server that records what it is asked; without `answer` it says `{"ok":true}`. */
export async function startHttp(
  answer?: (asked: Asked, response: ServerResponse) => void,
  encoding: BufferEncoding = "utf8",
): Promise<TestServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding(encoding).on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const one = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
      asked.push(one);
      if (answer === undefined) {
        response.setHeader("content-type", "application/json").end('{"ok":true}');
      } else {
        answer(one, response);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The server has no port.");
  }
  return { origin: `http://127.0.0.1:${address.port}`, asked };
}

export interface LoadOptions {
  address?: string;
  secrets?: Record<string, string>;
  taken?: string[];
  maxTools?: number;
  now?: () => number;
}

/** Loads the tools of a description, given as text or as a value. */
export function load(spec: string | object, entry: object = {}, options: LoadOptions = {}): OpenApiTools {
  const { address, secrets = {}, taken = [], maxTools = 50, now = () => 0 } = options;
  return loadOpenApiTools(openApiEntry().parse({ spec: "./spec.json", ...entry }), {
    text: typeof spec === "string" ? spec : JSON.stringify(spec),
    address,
    http: nodeHttp("Toolhost/test"),
    secret: async (name) => secrets[name],
    secretAdvice: (name) => `Set ${name}.`,
    taken: (name) => taken.includes(name),
    maxTools,
    now,
  });
}

/** A description with one operation, `op`, at `server`. */
export function oneOperation(
  operation: object,
  { server, path = "/x", method = "get" }: { server?: string; path?: string; method?: string } = {},
): object {
  return {
    openapi: "3.1.0",
    servers: [{ url: server ?? "https://api.example.com" }],
    paths: { [path]: { [method]: { operationId: "op", ...operation } } },
  };
}

/** A result store in memory. */
export class StoredTexts {
  readonly texts: string[] = [];

  async open(): ReturnType<ToolContext<"results">["results"]["open"]> {
    const index = this.texts.push("") - 1;
    const id = `r${index}`;
    return {
      id,
      write: async (...parts) => {
        this.texts[index] += parts.join("");
      },
      close: async () => ({ id, characters: this.texts[index]?.length ?? 0, pages: 2, dropped: 0 }),
      discard: async () => undefined,
    };
  }

  async page(id: string): ReturnType<ToolContext<"results">["results"]["page"]> {
    const text = this.texts[Number(id.slice(1))] ?? "";
    const result = { id, characters: text.length, pages: 2, dropped: 0 };
    return { text: text.slice(0, 8_000), page: 1, result, complete: true };
  }
}

/** Calls a tool as the pipeline does: an input that its schema refuses is `invalid_input`. */
export async function call(
  tools: readonly Tool[],
  name: string,
  input: Record<string, unknown> = {},
  results = new StoredTexts(),
  signal = new AbortController().signal,
): Promise<ToolResult<AnswerData>> {
  const tool = tools.find((each) => each.name === name);
  const parsed = tool?.parse(input);
  if (tool === undefined || parsed?.ok !== true) {
    const issues = parsed?.ok === false ? parsed.issues.map(({ path, message }) => `${path}: ${message}`) : [];
    throw new ToolError("invalid_input", issues.length > 0 ? issues.join("; ") : `no tool ${name}`);
  }
  const context = { signal, report: () => undefined, results } as unknown as Parameters<Tool["execute"]>[1];
  return (await tool.execute(parsed.input, context, undefined)) as ToolResult<AnswerData>;
}
