// How the scripted model answers in the four protocols that agents speak.

/** A call of one tool; `input` is a text for the tools that take no JSON. */
export interface Call {
  name: string;
  input: Record<string, unknown> | string;
  /** Of the tool, where the agent groups tools of one server in a namespace of the Responses API. */
  namespace?: string;
  /** A search among deferred tools, which the Responses API asks the agent for by an item of its own. */
  kind?: "search";
}

/** What the model answers: a text, which ends a turn, or a call. */
export type Reply = { text: string } | { call: Call };

export interface Protocol {
  /** Whether a request to this path asks for an answer of the model. */
  serves: (path: string) => boolean;
  isStreamed: (path: string, body: RequestBody) => boolean;
  /** The whole answer; an array is a stream of events. */
  answer: (reply: Reply, id: string, isStreamed: boolean) => ServerEvent[] | object;
}

/** An event of a stream; `name` only where the protocol names its events. */
export interface ServerEvent {
  name?: string;
  data: object | string;
}

/** The parts of a request that are looked at. */
export interface RequestBody {
  stream?: boolean;
  tools?: ToolEntry[];
  input?: unknown;
  generationConfig?: { responseJsonSchema?: Schema; responseSchema?: Schema };
}

interface ToolEntry {
  name?: string;
  type?: string;
  function?: { name: string };
  functionDeclarations?: ToolEntry[];
}

interface Schema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
}

const usage = { input: 1000, output: 20 };

const chat: Protocol = {
  serves: (path) => path.endsWith("/chat/completions"),
  isStreamed: (_path, { stream }) => stream === true,
  answer: (reply, id, isStreamed) => {
    const message =
      "text" in reply
        ? { role: "assistant", content: reply.text }
        : {
            role: "assistant",
            content: null,
            tool_calls: [
              { index: 0, id, type: "function", function: { name: reply.call.name, arguments: json(reply.call) } },
            ],
          };
    const finish_reason = "text" in reply ? "stop" : "tool_calls";
    const head = { id: `chat-${id}`, created: 1, model: "scripted" };
    const tokens = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
    if (!isStreamed) {
      return { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage: tokens };
    }
    const chunk = { ...head, object: "chat.completion.chunk" };
    return [
      { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
      { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] } },
      { data: { ...chunk, choices: [], usage: tokens } },
      { data: "[DONE]" },
    ];
  },
};

const responses: Protocol = {
  serves: (path) => path.endsWith("/responses"),
  isStreamed: () => true,
  answer: (reply, id) => {
    const item =
      "text" in reply
        ? {
            type: "message",
            id: `message-${id}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: reply.text, annotations: [] }],
          }
        : typeof reply.call.input === "string"
          ? { type: "custom_tool_call", id: `item-${id}`, call_id: id, name: reply.call.name, input: reply.call.input }
          : reply.call.kind === "search"
            ? {
                type: "tool_search_call",
                call_id: id,
                execution: "client",
                arguments: reply.call.input,
                status: "completed",
              }
            : {
                type: "function_call",
                id: `item-${id}`,
                call_id: id,
                name: reply.call.name,
                ...(reply.call.namespace === undefined ? {} : { namespace: reply.call.namespace }),
                arguments: json(reply.call),
              };
    const response = { id: `response-${id}`, object: "response", created_at: 1, model: "scripted" };
    const tokens = {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    };
    return [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { ...response, status: "completed", output: [item], usage: tokens } },
    ].map((data, at) => ({ name: data.type, data: { ...data, sequence_number: at } }));
  },
};

const anthropic: Protocol = {
  serves: (path) => path.endsWith("/messages"),
  isStreamed: (_path, { stream }) => stream === true,
  answer: (reply, id, isStreamed) => {
    const block =
      "text" in reply
        ? { type: "text", text: reply.text }
        : { type: "tool_use", id: `toolu_${id}`, name: reply.call.name, input: reply.call.input };
    const stop_reason = "text" in reply ? "end_turn" : "tool_use";
    const message = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: "scripted",
      usage: { input_tokens: usage.input, output_tokens: usage.output },
    };
    if (!isStreamed) {
      return { ...message, content: [block], stop_reason, stop_sequence: null };
    }
    const [empty, delta] =
      "text" in reply
        ? [
            { type: "text", text: "" },
            { type: "text_delta", text: reply.text },
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: json(reply.call) },
          ];
    return [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block: empty },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: usage.output },
      },
      { type: "message_stop" },
    ].map((data) => ({ name: data.type, data }));
  },
};

const gemini: Protocol = {
  serves: (path) => /:(stream)?generateContent$/i.test(path),
  isStreamed: (path) => path.includes(":stream"),
  answer: (reply, id, isStreamed) => {
    const part =
      "text" in reply ? { text: reply.text } : { functionCall: { id, name: reply.call.name, args: reply.call.input } };
    const whole = {
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
      responseId: id,
    };
    return isStreamed ? [{ data: whole }] : whole;
  },
};

export const protocols: readonly Protocol[] = [chat, responses, anthropic, gemini];

/** Names of the tools that a request offers, those in namespaces too. */
export function offeredTools({ tools = [] }: RequestBody): string[] {
  return tools
    .flatMap((entry) => entry.functionDeclarations ?? [entry])
    .map((entry) => entry.function?.name ?? entry.name ?? entry.type ?? "");
}

/** The answer to a request that is not one of the agent's loop, such as for a title: as little as it accepts. */
export function sideAnswer({ generationConfig }: RequestBody): string {
  const schema = generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema;
  return schema === undefined ? "ok" : JSON.stringify(smallest(schema));
}

function smallest(schema: Schema): unknown {
  if (schema.enum !== undefined) {
    return schema.enum[0];
  }
  switch (schema.type?.toLowerCase()) {
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, smallest(each)]));
    case "array":
      return [];
    case "number":
    case "integer":
      return 0;
    case "boolean":
      return false;
    default:
      return "none";
  }
}

function json({ input }: Call): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}
