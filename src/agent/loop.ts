import type { ChatModel, ModelContent, ModelEvent, ModelMessage, ModelTool } from "../ports/models.js";

/** What a tool call gave the model. */
export interface CallResult {
  text: string;
  media?: { mimeType: string; bytes: Uint8Array }[];
}

export interface ToolCall {
  id: string;
  name: string;
  input: object;
}

export interface LoopOptions {
  model: ChatModel;
  tools: readonly ModelTool[];
  /** The conversation so far, ending with the user's message. */
  messages: readonly ModelMessage[];
  /** Runs a call. A failure that the model can mend is a text; a throw ends the turn. */
  callTool: (call: ToolCall) => Promise<CallResult>;
  /** Whether calls of this tool change nothing, so that several may run side by side. */
  isReadOnly: (tool: string) => boolean;
  onText: (text: string) => void;
  /** Gets every message as it is added, so that a turn that breaks off has not forgotten what it did. */
  added?: ModelMessage[];
  /** Requests to the model that may carry tools; then one more without them. */
  maxIterations: number;
  signal: AbortSignal;
}

export interface LoopResult {
  /** The messages this turn added, the user's not included. */
  messages: ModelMessage[];
  /** The turn was ended by `maxIterations`. */
  exhausted: boolean;
}

/**
 * One turn of an agent: asks the model, runs the tools it calls, tells it what they gave, until it answers
 * without a call. When the iterations run out, it is asked for an answer once more, without tools.
 *
 * Throws what the model and `callTool` throw; on cancellation, the signal's reason.
 */
export async function runTurn(options: LoopOptions): Promise<LoopResult> {
  const added = options.added ?? [];
  for (let iteration = 0; iteration < options.maxIterations; iteration++) {
    const calls = await ask(options, added, options.tools);
    if (calls.length === 0) {
      return { messages: added, exhausted: false };
    }
    const results: ModelContent[] = [];
    added.push({ role: "user", content: results });
    await runCalls(options, calls, results);
  }
  const note = "You have used all the tool calls of this turn. Answer now with what you know, and say what is still to be done.";
  added.at(-1)?.content.push({ type: "text", text: note });
  await ask(options, added, []);
  return { messages: added, exhausted: true };
}

/** Sends one request, passes its text on as it comes, keeps the answer, and gives the calls in it. */
async function ask(options: LoopOptions, added: ModelMessage[], tools: readonly ModelTool[]): Promise<ToolCall[]> {
  const { model, messages, signal, onText } = options;
  const content: ModelContent[] = [];
  const calls: ToolCall[] = [];
  signal.throwIfAborted();
  for await (const event of model.send({ messages: [...messages, ...added], tools }, signal)) {
    signal.throwIfAborted();
    if (event.type === "text") {
      // Model APIs refuse a message with an empty text, and one with nothing in it.
      if (event.text !== "") {
        keep(content, event);
        onText(event.text);
      }
    } else if (event.type === "call" && tools.length > 0) {
      keep(content, event);
      calls.push({ id: event.id, name: event.name, input: event.input });
    }
  }
  signal.throwIfAborted();
  if (content.length > 0) {
    added.push({ role: "assistant", content });
  }
  return calls;
}

/** Runs the calls of one answer in order, results into `results`; neighbours that change nothing run side by side. */
async function runCalls(options: LoopOptions, calls: readonly ToolCall[], results: ModelContent[]): Promise<void> {
  let from = 0;
  while (from < calls.length) {
    let to = from + 1;
    while (to < calls.length && calls.slice(from, to + 1).every(({ name }) => options.isReadOnly(name))) {
      to++;
    }
    options.signal.throwIfAborted();
    const batch = calls.slice(from, to).map(async (call): Promise<ModelContent> => {
      return { type: "result", id: call.id, ...(await options.callTool(call)) };
    });
    results.push(...(await Promise.all(batch)));
    from = to;
  }
}

/**
 * The messages that a turn added before it broke off, made whole: model APIs refuse a call without its result.
 * A call that had not ended says so; whether it did something is not known.
 */
export function closeOpenCalls(added: readonly ModelMessage[]): ModelMessage[] {
  const answer = added.findLastIndex(({ role }) => role === "assistant");
  const results = added[answer + 1]?.content ?? [];
  const open = (added[answer]?.content ?? []).filter(
    (part) => part.type === "call" && !results.some((result) => result.type === "result" && result.id === part.id),
  );
  const closed = open.map((call): ModelContent => ({ type: "result", id: "id" in call ? call.id : "", text: "(The turn ended before this call did.)" }));
  const told = [...results, ...closed];
  return [...added.slice(0, answer + 1), ...(told.length > 0 ? [{ role: "user" as const, content: told }] : [])];
}

function keep(content: ModelContent[], event: Extract<ModelEvent, { type: "text" | "call" }>): void {
  const last = content.at(-1);
  if (event.type === "text" && last?.type === "text") {
    last.text += event.text;
  } else {
    content.push(event.type === "call" ? { type: "call", id: event.id, name: event.name, input: event.input } : { type: "text", text: event.text });
  }
}
