import { settled } from "../core/pipeline/deadline.js";
import { ToolError } from "../core/errors.js";
import { newId } from "../core/pipeline/pipeline.js";
import { ModelError } from "../features/models/modelError.js";
import type { ModelContent } from "../ports/models.js";
import { oneLine, shorten } from "../text/clip.js";
import { messageOf } from "../text/words.js";
import { askerOf } from "./asker.js";
import { Conversation } from "./conversation.js";
import type { EndReason } from "./events.js";
import { ModelAnswer } from "./modelAnswer.js";
import { leftWords, ownWords } from "./ownWords.js";
import { requestModel, type Retry } from "./requestModel.js";
import { estimateRequest } from "./tokens.js";
import { ToolDesk } from "./toolDesk.js";
import { MAX_ITERATIONS, type TurnHost, type TurnRequest, type TurnResult } from "./turn.js";
import { TurnCalls } from "./turnCalls.js";
import { TurnLog } from "./turnLog.js";
import { TurnReport } from "./turnReport.js";

/** Maximum characters of a session's title. */
const MAX_TITLE = 80;
const CLOSING = {
  limit: "You have used all requests of this turn. Answer now with what you know, and say what is left to do.",
  repeated:
    "You keep making the same call with the same result. Make no more calls: answer now with what you know, and say what blocks you.",
} as const;

/**
 * Runs one turn of an agent: asks the model, makes its calls and returns the results to it, until it answers without a
 * call. Everything is logged as it happens. Never throws: the result and the last event say how the turn ended.
 */
export async function runTurn(host: TurnHost, request: TurnRequest): Promise<TurnResult> {
  return new TurnRun(host, request).run();
}

class TurnRun {
  readonly #host: TurnHost;
  readonly #request: TurnRequest;
  readonly #turn: string;
  readonly #log: TurnLog;
  readonly #desk: ToolDesk;
  readonly #report: TurnReport;
  readonly #conversation: Conversation;
  readonly #calls: TurnCalls;
  readonly #usedIds = new Set<string>();
  #iterations = 0;
  #text = "";

  constructor(host: TurnHost, request: TurnRequest) {
    this.#host = host;
    this.#request = request;
    this.#turn = request.turn ?? newId();
    this.#desk = new ToolDesk(request.tools, request.sent);
    this.#report = new TurnReport(request);
    const { session, kind, model, parent, chat, keepUpTo, title = titleOf(request.content) } = request;
    const start = {
      ...{ session, turn: this.#turn, kind, model: model.id, title },
      ...(parent === undefined ? {} : { parent: parent.session }),
      ...(chat === undefined ? {} : { chat }),
      ...(keepUpTo === undefined ? {} : { keepUpTo }),
    };
    this.#log = new TurnLog(host.log, start, (problem) => this.#report.notice("not_kept", problem));
    this.#conversation = new Conversation({
      model,
      tools: this.#desk.list,
      log: this.#log,
      readCall: (call) => {
        const { name, input } = this.#calls.meant(call);
        return { tool: this.#desk.find(name), input };
      },
      onRetry: (retry) => this.#report.retry(retry),
      onUsage: (used, estimated, content) => this.#count(used, estimated, content),
      onNotice: (message) => this.#report.notice("compacted", message),
      ...(host.wait === undefined ? {} : { wait: host.wait }),
    });
    this.#calls = new TurnCalls({
      ...{ host, request, turn: this.#turn, asker: askerOf(kind, title) },
      ...{ desk: this.#desk, conversation: this.#conversation, report: this.#report },
    });
  }

  async run(): Promise<TurnResult> {
    try {
      const { entries, depth } = await this.#log.begin();
      try {
        this.#host.onBegin?.({ session: this.#request.session, turn: this.#turn }, depth);
        this.#conversation.begin(
          entries.length > 0 ? entries : (this.#request.earlier ?? []).map((message) => ({ message, seq: undefined })),
        );
        return await this.#runBegun();
      } catch (error) {
        return await this.#fail(error);
      } finally {
        await this.#log.end();
      }
    } catch (error) {
      return await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<TurnResult> {
    if (this.#request.signal.aborted) {
      return this.#end("cancelled");
    }
    const result = await this.#end("failed", describeFailure(error));
    return error instanceof ModelError && error.tooLong ? { ...result, tooLong: true } : result;
  }

  async #runBegun(): Promise<TurnResult> {
    const { signal, maxIterations = MAX_ITERATIONS, content } = this.#request;
    // Log the user's message before anything can go wrong.
    await this.#conversation.add({ role: "user", content });
    signal.throwIfAborted();
    this.#conversation.systemPrompt = await settled(this.#host.systemPrompt(this.#request), signal, 0);
    let isSecondTry = false;
    while (this.#iterations < maxIterations) {
      await this.#takeMessages();
      const { text, calls, left } = await this.#ask(false);
      if (calls.length > 0) {
        if (await this.#calls.make(calls)) {
          return this.#end("terminal");
        }
        await this.#tellLeft(calls.length, left);
        if (this.#calls.stuckOn !== undefined) {
          return this.#close("repeated");
        }
      } else if (text.trim() !== "") {
        return this.#end("answered");
      } else if (isSecondTry) {
        return this.#end(
          "empty",
          `${this.#request.model.name} gave no answer twice. Send the message again, or choose another model.`,
        );
      } else {
        // Some models occasionally answer nothing, but continue when asked again.
        isSecondTry = true;
      }
    }
    return this.#close("limit");
  }

  /** Makes a last request, for an answer in words. */
  async #close(reason: keyof typeof CLOSING): Promise<TurnResult> {
    await this.#conversation.add({ role: "user", content: [{ type: "text", text: ownWords(CLOSING[reason]) }] });
    await this.#ask(true);
    const what =
      reason === "limit"
        ? `after ${this.#iterations - 1} rounds of tool calls`
        : `since the model made the same call of ${shorten(oneLine(this.#calls.stuckOn ?? ""), MAX_TITLE)} over and over`;
    return this.#end(reason, `Stopped ${what}. Say “continue” to go on.`);
  }

  /** Requests an answer from the model and logs it. */
  async #ask(withoutCalls: boolean): Promise<ModelAnswer> {
    this.#iterations += 1;
    this.#report.emit({ type: "request", session: this.#request.session, iteration: this.#iterations });
    await this.#conversation.fit(this.#request.signal);
    try {
      return await this.#askOnce(withoutCalls);
    } catch (error) {
      if (
        !(error instanceof ModelError) ||
        !error.tooLong ||
        !(await this.#conversation.shrink(this.#request.signal))
      ) {
        throw error;
      }
      return this.#askOnce(withoutCalls);
    }
  }

  async #askOnce(withoutCalls: boolean): Promise<ModelAnswer> {
    const { model, signal, session } = this.#request;
    const messages = this.#conversation.messages();
    const estimated = estimateRequest({ messages, tools: this.#desk.list });
    const answer = new ModelAnswer(model.name, !withoutCalls, (id) => this.#freshId(id));
    const settle = async (ending?: string): Promise<void> => {
      const content = answer.kept(ending);
      if (content.length > 0) {
        // A model that no longer knows that it looked looks again.
        const onlyLooks = answer.calls.every(({ name }) => this.#desk.find(name)?.annotations.readOnly === true);
        await this.#conversation.add({ role: "assistant", content }, answer.calls.length > 0 && onlyLooks);
      }
      await this.#count(answer.used, estimated, answer.content);
    };
    try {
      const retry = {
        onRetry: (again: Retry) => this.#report.retry(again),
        restarts: true,
        ...(this.#host.wait === undefined ? {} : { wait: this.#host.wait }),
      };
      for await (const event of requestModel(
        model,
        { messages, tools: this.#desk.list, withoutCalls },
        signal,
        retry,
      )) {
        if (event.type === "restart") {
          answer.restart();
        } else if (event.type === "cut") {
          this.#report.notice(
            "cut",
            event.reason === "length"
              ? "The answer reached the provider's length limit and ends here."
              : "The model's provider withheld the rest of the answer.",
          );
        } else if (event.type !== "text") {
          answer.take(event);
        } else if (event.text !== "") {
          // Model APIs refuse a message with an empty text.
          answer.take(event);
          this.#report.emit({ type: "text", session, text: event.text });
        }
      }
      signal.throwIfAborted();
    } catch (error) {
      answer.breakOff();
      await settle(signal.aborted ? "(The user stopped the answer here.)" : "(The answer was cut off here.)");
      throw error;
    }
    await settle();
    this.#text = answer.text.trim() === "" ? this.#text : answer.text;
    return answer;
  }

  /** Tells the model about calls that were skipped because its answer had too many. */
  async #tellLeft(run: number, left: number): Promise<void> {
    if (left > 0) {
      this.#report.notice("cut", `The model made ${run + left} calls in one answer; the first ${run} were run.`);
      const text = ownWords(
        `Your answer had ${run + left} calls, and only the first ${run} were made, the limit per answer. Make the rest in further answers if still needed.`,
      );
      await this.#conversation.add({ role: "user", content: [{ type: "text", text }] });
    }
  }

  /** Takes messages left for the session since the last request. */
  async #takeMessages(): Promise<void> {
    for (const { content, from } of await this.#log.takeLeft()) {
      this.#report.notice("message", `Message from ${from}: ${shorten(oneLine(content), 200)}`);
      await this.#conversation.add({ role: "user", content: [{ type: "text", text: leftWords({ content, from }) }] });
    }
  }

  /** Counts the tokens of a request. Without the provider's count and without an answer, none were used. */
  async #count(
    used: { input: number; output: number } | undefined,
    estimated: number,
    content: readonly ModelContent[],
  ): Promise<void> {
    if (used === undefined && content.length === 0) {
      return;
    }
    if (used !== undefined) {
      this.#conversation.learn(estimated, used.input);
    }
    const { tokens, cost } = this.#report.usage(used, estimated, content);
    this.#log.addTokens(tokens, cost);
  }

  /** Returns an id that is unique within the turn, so that results match their calls. */
  #freshId(id: string): string {
    const fresh = id === "" || this.#usedIds.has(id) ? `call_${newId()}` : id;
    this.#usedIds.add(fresh);
    return fresh;
  }

  async #end(reason: EndReason, message?: string): Promise<TurnResult> {
    const { session } = this.#request;
    await this.#conversation.makeUp();
    this.#report.emit({
      type: "end",
      session,
      turn: this.#turn,
      reason,
      ...(message === undefined ? {} : { message }),
    });
    return {
      ...{
        session,
        turn: this.#turn,
        reason,
        message,
        text: this.#text,
        iterations: this.#iterations,
        tokens: { ...this.#report.tokens },
      },
      ...{ messages: this.#conversation.added(), seq: this.#conversation.lastSeq() },
    };
  }
}

/** Describes why a turn failed, for the user. */
function describeFailure(error: unknown): string {
  if (error instanceof ModelError) {
    return error.message;
  }
  if (error instanceof ToolError) {
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  }
  return `Toolhost failed: ${messageOf(error)}`;
}

function titleOf(content: readonly ModelContent[]): string {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  return shorten(oneLine(text), MAX_TITLE) || "(no words)";
}
