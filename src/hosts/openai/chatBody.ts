// The body of a request to a model. A conversation grows by a message or two with each request, so what was sent before is
// kept as bytes: making them anew would take milliseconds for a long one.
import type { OpenAI } from "openai";
import { wireSchema } from "../../core/wireSchema.js";
import type { ModelRequest, ModelTool } from "../../ports/models.js";
import { isLasting, toMessages } from "./messages.js";

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Message = Body["messages"][number];

/** What a model needs besides the request. */
export interface ChatBodyOptions {
  model: string;
  seesImages: boolean;
  /** Whether to request token counts. */
  asksUsage: boolean;
}

const COMMA = Buffer.from(",");
const knownMessages = new WeakMap<Message, Buffer>();
/** By the list, which is the same in all requests of a turn. */
const knownTools = new WeakMap<readonly ModelTool[], string>();

/** Returns the JSON of a request of Chat Completions, streamed. */
export function chatBody(
  { messages, tools, withoutCalls = false, mustCall = false }: ModelRequest,
  { model, seesImages, asksUsage }: ChatBodyOptions,
): Buffer<ArrayBuffer> {
  const rest: Omit<Body, "model" | "messages" | "tools"> = {
    stream: true,
    ...(asksUsage ? { stream_options: { include_usage: true } } : {}),
  };
  // The tools stay listed: without them, servers reject conversations that contain calls.
  const choice = tools.length > 0 ? (withoutCalls ? "none" : mustCall ? "required" : undefined) : undefined;
  const end = [
    JSON.stringify(rest).slice(1, -1),
    ...(tools.length > 0 ? [`"tools":${toolsJson(tools)}`] : []),
    ...(choice === undefined ? [] : [`"tool_choice":${JSON.stringify(choice)}`]),
  ];
  return Buffer.concat([
    Buffer.from(`{"model":${JSON.stringify(model)},"messages":[`),
    ...toMessages(messages, seesImages).flatMap((message, index) => [...(index > 0 ? [COMMA] : []), bytesOf(message)]),
    Buffer.from(`],${end.join(",")}}`),
  ]);
}

function bytesOf(message: Message): Buffer {
  const known = knownMessages.get(message);
  if (known !== undefined) {
    return known;
  }
  const bytes = Buffer.from(JSON.stringify(message));
  if (isLasting(message)) {
    knownMessages.set(message, bytes);
  }
  return bytes;
}

function toolsJson(tools: readonly ModelTool[]): string {
  const known = knownTools.get(tools);
  if (known !== undefined) {
    return known;
  }
  const json = JSON.stringify(
    tools.map(({ name, description, inputSchema }) => ({
      type: "function" as const,
      function: { name, description, parameters: wireSchema(inputSchema) },
    })),
  );
  knownTools.set(tools, json);
  return json;
}
