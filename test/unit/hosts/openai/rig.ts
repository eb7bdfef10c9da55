import { afterEach } from "vitest";
import { ModelError } from "../../../../src/features/models/modelError.js";
import { OpenAiServers, type OpenAiServersOptions } from "../../../../src/hosts/openai/servers.js";
import type { WaitLimits } from "../../../../src/hosts/openai/patience.js";
import type { ModelEvent, ModelRequest } from "../../../../src/ports/models.js";
import type { ServerModel } from "../../../../src/ports/modelServers.js";
import { OpenAiServer, type OpenAiServerOptions } from "../../../harness/openai-server.js";

const servers: OpenAiServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** A server that is stopped after the test. */
export async function startOpenAi(options?: OpenAiServerOptions): Promise<OpenAiServer> {
  const server = await OpenAiServer.start(options);
  servers.push(server);
  return server;
}

export const LIMITS: WaitLimits = { begin: 10_000, idle: 10_000, list: 5_000 };

/** The product's view of some servers. */
export function openServers(
  setting: unknown,
  {
    key,
    limits = LIMITS,
    patience,
    later,
  }: { key?: string; limits?: WaitLimits; patience?: number; later?: OpenAiServersOptions["later"] } = {},
): OpenAiServers {
  return new OpenAiServers({
    vendor: "test",
    setting: () => setting,
    keyOf: async () => key,
    userAgent: "Toolhost/test",
    limits,
    ...(patience === undefined ? {} : { patience }),
    ...(later === undefined ? {} : { later }),
    now: Date.now,
  });
}

/** The model `test-model` of a server, under the name `local`. */
export function modelOf(
  { baseUrl }: { baseUrl: string },
  options: { key?: string; limits?: WaitLimits; entry?: object; model?: object } = {},
): ServerModel {
  const entry = {
    baseUrl,
    ...(options.model ? { models: [{ id: "test-model", ...options.model }] } : {}),
    ...options.entry,
  };
  const model = openServers({ local: entry }, options).model("local/test-model");
  if (model === undefined) throw new Error("The setting has no such server.");
  return model;
}

export const HELLO: ModelRequest = {
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
  tools: [],
};
export const TOOLS = [
  {
    name: "read",
    description: "Reads a file",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];

export async function collect(
  model: ServerModel,
  request: ModelRequest = { ...HELLO, tools: TOOLS },
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.send(request, signal)) events.push(event);
  return events;
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

/** The `ModelError` that some work ends with. */
export async function modelError(work: Promise<unknown>): Promise<ModelError> {
  const ended = await work.then(
    (value) => new Error(`It gave ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
  if (ended instanceof ModelError) return ended;
  throw ended;
}
