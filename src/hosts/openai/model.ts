import type { OpenAI } from "openai";
import type { Stream } from "openai/streaming";
import { isRecord } from "../../core/jsonSchema.js";
import { wireSchema } from "../../core/wireSchema.js";
import { ModelError } from "../../features/models/modelError.js";
import type { ModelEvent, ModelPrices, ModelRequest, ModelTool } from "../../ports/models.js";
import type { ModelSetting, ServerModel } from "../../ports/modelServers.js";
import { nameServer, withoutSecrets, type ServerAccess } from "./access.js";
import { Answer } from "./answer.js";
import { answerBody, type AnswerBody } from "./answerBody.js";
import { openClient, type Client, type Send } from "./client.js";
import {
  failed,
  refused,
  refusesImages,
  saidWithout,
  unreachable,
  type FailureContext,
  type Refusal,
} from "./failures.js";
import { hasImages, writeMessages } from "./messages.js";
import { Patience, type WaitLimits } from "./patience.js";
import { RefusedError, request } from "./request.js";
import { writtenOnce } from "./writtenOnce.js";

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

const COMMA = Buffer.from(",");

/** The parts an `OpenAiModel` needs. */
export interface OpenAiModelOptions {
  /** Identifies it among all models. */
  id: string;
  access: ServerAccess;
  /** The user's settings for the model, completed from the server's list. */
  model: ModelSetting;
  userAgent: string;
  limits: WaitLimits;
  /** Lists the server's models, for the message if it does not know this one. */
  listModels: () => Promise<string[]>;
}

/** A model of an OpenAI-compatible server (Chat Completions, streamed). */
export class OpenAiModel implements ServerModel {
  readonly id: string;
  readonly name: string;
  readonly server: string;
  readonly maxInputTokens: number | undefined;
  readonly prices?: ModelPrices;
  readonly #options: OpenAiModelOptions;
  /** Whether to request token counts, which some servers reject. */
  #asksUsage = true;
  #seesImages: boolean | undefined;

  constructor(options: OpenAiModelOptions) {
    const { id, access, model } = options;
    this.id = id;
    this.name = model.name ?? model.id;
    this.server = access.setting.name;
    this.maxInputTokens = model.maxInputTokens;
    this.#seesImages = model.images;
    if (model.prices !== undefined) {
      this.prices = model.prices;
    }
    this.#options = options;
  }

  /** False once the server refused an image, where neither the settings nor its list say. */
  get seesImages(): boolean | undefined {
    return this.#seesImages;
  }

  async *send(wanted: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const { access, model, limits, userAgent, listModels } = this.#options;
    signal.throwIfAborted();
    const key = await access.key();
    const secrets = [...(key === undefined ? [] : [key]), ...Object.values(access.setting.headers)];
    const context: FailureContext = { access, secrets, model: model.id, listModels };
    const patience = new Patience(`${this.name} at ${nameServer(access)}`, limits);
    const both = AbortSignal.any([signal, patience.signal]);
    let body: AnswerBody | undefined;
    let client: Client | undefined;
    const send: Send = async (url, wantedByPackage) => {
      body = await answerBody(
        { server: nameServer(access), hide: (text) => withoutSecrets(text, secrets) },
        await patience.wait(request(access, url, { method: "POST", key, userAgent, ...wantedByPackage })),
        patience,
      );
      return body.answer;
    };
    const answer = new Answer();
    try {
      client = await openClient(access.setting.baseUrl, both, send);
      // As `chat.completions.create` does, with a body that is written already.
      const sending = { body: this.#body(wanted), stream: true, signal: both };
      for await (const chunk of await client.openai.post<Stream<unknown>>("/chat/completions", sending)) {
        const { text, hasBegun } = answer.add(chunk);
        if (hasBegun) {
          patience.begun();
        }
        if (text !== "") {
          yield { type: "text", text };
        }
      }
      // The package ends an aborted stream as if it were complete.
      both.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      const failure: unknown = patience.signal.aborted ? patience.signal.reason : (client?.failure() ?? error);
      if (failure instanceof RefusedError && this.#canDoWithout(failure.refusal, wanted)) {
        yield* this.send(wanted, signal);
        return;
      }
      throw await asModelError(context, failure, answer, body?.lastLine() ?? "");
    }
    this.#checkEnd(answer, body?.isDone() ?? false, secrets);
    yield* answer.rest();
  }

  /** Whether the request may succeed without something that the server did not accept; from now on it is left out. */
  #canDoWithout(refusal: Refusal, { messages }: ModelRequest): boolean {
    if (this.#asksUsage && [400, 422].includes(refusal.status) && refusal.body.includes("stream_options")) {
      this.#asksUsage = false;
      return true;
    }
    if (this.#seesImages === undefined && hasImages(messages) && refusesImages(refusal)) {
      this.#seesImages = false;
      return true;
    }
    return false;
  }

  /** Returns the body of a request, as JSON. */
  #body({ messages, tools, withoutCalls = false, mustCall = false }: ModelRequest): Uint8Array {
    const hasTools = tools.length > 0;
    const choice = withoutCalls ? "none" : mustCall ? "required" : undefined;
    const rest: Omit<Body, "messages" | "tools"> = {
      model: this.#options.model.id,
      stream: true,
      ...(this.#asksUsage ? { stream_options: { include_usage: true } } : {}),
      // The tools stay listed: without them, servers reject conversations that contain calls.
      ...(hasTools && choice !== undefined ? { tool_choice: choice } : {}),
    };
    const elements = writeMessages(messages, this.#seesImages !== false);
    return Buffer.concat([
      Buffer.from('{"messages":['),
      ...elements.flatMap((element, index) => (index === 0 ? [element] : [COMMA, element])),
      ...(hasTools ? [Buffer.from('],"tools":['), writtenOnce(tools, "tools", () => tools.map(toTool))] : []),
      Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
    ]);
  }

  /** Checks how an answer ended: a stream that ends is a complete answer only if it says so. */
  #checkEnd(answer: Answer, isDone: boolean, secrets: readonly string[]): void {
    const who = `${this.name} at ${nameServer(this.#options.access)}`;
    if (answer.instead !== undefined) {
      throw new ModelError(
        `${who} sent no answer: ${withoutSecrets(answer.instead, secrets)} came instead. Check that its address is that of an OpenAI-compatible server, and look at the server's own log.`,
        {
          retry: !isDone,
        },
      );
    }
    if (answer.finish === "error") {
      throw new ModelError(
        `${who} stopped with an error it did not name. Try again, or look at the server's own log.`,
        { retry: true },
      );
    }
    if (answer.finish === undefined && !isDone) {
      throw new ModelError(
        `The connection to ${who} broke in the middle of the answer. Try again, or look at the server's own log.`,
        { retry: true },
      );
    }
  }
}

function toTool({ name, description, inputSchema }: ModelTool): OpenAI.Chat.Completions.ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: wireSchema(inputSchema) } };
}

async function asModelError(
  context: FailureContext,
  error: unknown,
  answer: Answer,
  lastLine: string,
): Promise<ModelError> {
  if (error instanceof ModelError) {
    return error;
  }
  if (error instanceof RefusedError) {
    return refused(context, error.refusal);
  }
  // An error within the stream: the package makes it an APIError without a status, with what the server sent in
  // `error`.
  const told = isRecord(error) ? error["error"] : undefined;
  if (told !== undefined) {
    const code = Number(isRecord(told) ? (told["code"] ?? told["status"]) : undefined);
    return failed(
      context,
      saidWithout(JSON.stringify(told), context.secrets),
      code >= 400 && code < 600 ? code : undefined,
    );
  }
  if (error instanceof SyntaxError) {
    const server = nameServer(context.access);
    return new ModelError(
      `${server} sent something in its answer that is not JSON: ${lastLine}. Try again, or look at the server's own log.`,
      { retry: answer.instead !== undefined },
    );
  }
  return unreachable(context, error);
}
