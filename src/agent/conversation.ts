import { ModelError } from "../features/models/modelError.js";
import type { ChatModel, ModelContent, ModelMessage, ModelTool } from "../ports/models.js";
import { keepHeadAndTail } from "../text/clip.js";
import {
  cutPoint,
  FULL,
  summaryMessage,
  summaryRequest,
  type CallReader,
  type ConversationEntry,
} from "./compaction.js";
import { requestModel, type Retry } from "./requestModel.js";
import { Estimate, estimateRequest } from "./tokens.js";
import type { TurnLog } from "./turnLog.js";

export interface ConversationHost {
  model: ChatModel;
  tools: readonly ModelTool[];
  log: TurnLog;
  readCall: CallReader;
  onRetry(retry: Retry): void;
  /** Called with the tokens of a request (the provider's count, if any, and our estimate) and the model's answer. */
  onUsage(
    used: { input: number; output: number } | undefined,
    estimated: number,
    content: readonly ModelContent[],
  ): Promise<void>;
  /** Called with a message for the user when the conversation was summarized. */
  onNotice(message: string): void;
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Input limit, in tokens, of a model that does not report one: the lowest of models with tools since 2024. Only used
 * after the model has refused a request.
 */
const UNKNOWN_LIMIT = 32_000;
/** Code units to which results are cut if nothing else can be cut. */
const CUT_RESULT = 2_000;
/** How long a message that may wait is not logged, in ms: most calls that only look take less. */
const SOON = 10;
/** Maximum code units of a model's summary: several times the requested length. */
const MAX_SUMMARY = 20_000;

/** The conversation to send to a model: it grows, is logged, and is summarized when it becomes too long. */
export class Conversation {
  readonly #host: ConversationHost;
  readonly #estimate = new Estimate();
  #entries: ConversationEntry[] = [];
  readonly #added: ModelMessage[] = [];
  /** Those that are not logged yet. */
  #unlogged: ConversationEntry[] = [];
  #logging: Promise<void> = Promise.resolve();
  #soon: ReturnType<typeof setTimeout> | undefined;
  #lastSeq: number | undefined;
  #system = systemMessage("");

  constructor(host: ConversationHost) {
    this.#host = host;
  }

  set systemPrompt(text: string) {
    this.#system = systemMessage(text);
  }

  begin(entries: readonly ConversationEntry[]): void {
    this.#entries = [...entries];
    this.#lastSeq = entries.at(-1)?.seq;
  }

  /**
   * Adds a message and logs it; results are logged a moment later, while the model has the request that they are part of.
   *
   * @param mayWait whether nothing is lost if this process is killed before the message is logged, with the next results or
   *   after `SOON`
   */
  async add(message: ModelMessage, mayWait = false): Promise<void> {
    const entry: ConversationEntry = { message, seq: undefined };
    // Insert it before logging it, so that results arriving at the same time keep their order.
    this.#entries.push(entry);
    this.#added.push(message);
    this.#unlogged.push(entry);
    const areResults = message.role === "user" && isResults(message.content);
    if (!areResults && !mayWait) {
      await this.#flush();
      return;
    }
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#flush().catch(() => undefined), areResults ? 1 : SOON);
  }

  /** Logs what is not logged yet, in its order. */
  async #flush(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const logging = this.#logging.then(async () => {
      for (let entry = this.#unlogged.shift(); entry !== undefined; entry = this.#unlogged.shift()) {
        entry.seq = await this.#host.log.append(entry.message);
        this.#lastSeq = entry.seq ?? this.#lastSeq;
      }
    });
    this.#logging = logging.catch(() => undefined);
    await logging;
  }

  /** Returns the messages added since the start, in the form that model APIs accept. */
  added(): ModelMessage[] {
    return joined(this.#added);
  }

  lastSeq(): number | undefined {
    return this.#lastSeq;
  }

  /** Logs messages that could not be logged earlier. */
  async makeUp(): Promise<void> {
    await this.#flush();
    this.#lastSeq = (await this.#host.log.makeUp()) ?? this.#lastSeq;
  }

  /** Returns all messages of a request. */
  messages(): ModelMessage[] {
    return [this.#system, ...joined(this.#entries.map(({ message }) => message))];
  }

  /** @param counted the provider's count for a request with that estimate */
  learn(estimated: number, counted: number): void {
    this.#estimate.learn(estimated, counted);
  }

  /** Summarizes the conversation if it comes near the model's limit. */
  async fit(signal: AbortSignal): Promise<void> {
    const { maxInputTokens } = this.#host.model;
    if (maxInputTokens !== undefined && this.#tokens() > maxInputTokens * FULL) {
      await this.#shrinkTo(maxInputTokens, signal);
    }
  }

  /** Shortens the conversation after the model refused it as too long. @returns whether anything could be removed */
  async shrink(signal: AbortSignal): Promise<boolean> {
    const before = this.#tokens();
    // The actual limit is lower than reported, or unknown.
    await this.#shrinkTo(
      Math.min(this.#host.model.maxInputTokens ?? UNKNOWN_LIMIT, Math.max(1, before * FULL)),
      signal,
    );
    return this.#tokens() < before;
  }

  async #shrinkTo(limit: number, signal: AbortSignal): Promise<void> {
    await this.#flush();
    const overhead = this.#estimate.of({
      messages: [this.#system],
      tools: this.#host.tools,
    });
    const room = Math.max(limit - overhead, limit / 4);
    const cut = cutPoint(this.#entries, room, (messages) => this.#estimate.ofMessages(messages));
    if (cut > 0) {
      const head = this.#entries.slice(0, cut);
      const summary = await this.#summarise(head, limit, signal);
      const tail = this.#entries.slice(cut);
      const message = summaryMessage(head, tail, summary, this.#host.readCall);
      const upTo = head.findLast(({ seq }) => seq !== undefined)?.seq;
      this.#entries = [{ message, seq: upTo }, ...tail];
      await this.#host.log.compact(message, upTo);
      this.#host.onNotice(
        `The conversation came near ${this.#host.model.name}'s limit. The ${cut} messages before the last steps were ${summary === undefined ? "reduced to your words and the files in use" : "summarized"}; the session keeps all of them.`,
      );
    }
    if (this.#tokens() > limit * FULL) {
      this.#entries = this.#entries.map(({ message, seq }) => ({ message: cutResults(message), seq }));
    }
  }

  /** Requests a summary from the model; undefined if it gave none. */
  async #summarise(
    head: readonly ConversationEntry[],
    limit: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    // Half of the limit, in code units: the summary and the tail need the rest, and the estimate may be off.
    const messages = summaryRequest(head, Math.floor(limit * 2));
    let text = "";
    let used: { input: number; output: number } | undefined;
    try {
      const retry = {
        onRetry: (again: Retry) => this.#host.onRetry(again),
        restarts: true,
        ...(this.#host.wait === undefined ? {} : { wait: this.#host.wait }),
      };
      for await (const event of requestModel(
        this.#host.model,
        { messages, tools: [], withoutCalls: true },
        signal,
        retry,
      )) {
        if (event.type === "restart") {
          text = "";
        } else if (event.type === "text") {
          text += event.text;
        } else if (event.type === "usage") {
          used = event;
        }
        if (text.length > MAX_SUMMARY) {
          break;
        }
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) {
        throw error;
      }
      return undefined;
    } finally {
      await this.#host.onUsage(
        used,
        estimateRequest({ messages, tools: [] }),
        text === "" ? [] : [{ type: "text", text }],
      );
    }
    return text.trim() === "" ? undefined : text.trim().slice(0, MAX_SUMMARY);
  }

  #tokens(): number {
    return this.#estimate.of({ messages: this.messages(), tools: this.#host.tools });
  }
}

function systemMessage(text: string): ModelMessage {
  return { role: "system", content: [{ type: "text", text }] };
}

/** Joins consecutive user messages: model APIs require the results of an answer together, right after it. */
function joined(messages: readonly ModelMessage[]): ModelMessage[] {
  const all: ModelMessage[] = [];
  for (const { role, content } of messages) {
    const last = all.at(-1);
    if (last?.role === "user" && role === "user" && (isResults(content) ? isResults(last.content) : true)) {
      const together = [...last.content, ...content];
      all[all.length - 1] = { role, content: isResults(content) ? inOrderOfCalls(together, all.at(-2)) : together };
    } else {
      all.push({ role, content: [...content] });
    }
  }
  return all;
}

/** Sorts results by the order of their calls, not by completion: the session log returns the same order after a reload. */
function inOrderOfCalls(results: readonly ModelContent[], answer: ModelMessage | undefined): ModelContent[] {
  const ids = (answer?.content ?? []).flatMap((part) => (part.type === "call" ? [part.id] : []));
  const placeOf = (part: ModelContent): number => (part.type === "result" ? ids.indexOf(part.id) : ids.length);
  return [...results].sort((a, b) => placeOf(a) - placeOf(b));
}

function isResults(content: readonly ModelContent[]): boolean {
  return content.every(({ type }) => type === "result");
}

function cutResults({ role, content }: ModelMessage): ModelMessage {
  return {
    role,
    content: content.map((part) =>
      part.type === "result" ? { type: "result", id: part.id, text: keepHeadAndTail(part.text, CUT_RESULT) } : part,
    ),
  };
}
