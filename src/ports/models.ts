/** A tool as a model is offered it. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema, an object at its root. */
  inputSchema: object;
}

/** Bytes that are no text: an image. */
export interface ModelMedia {
  mimeType: string;
  bytes: Uint8Array;
}

export type ModelContent =
  | { type: "text"; text: string }
  /** What a user attached. */
  | ({ type: "media" } & ModelMedia)
  /** A tool call the model made. */
  | { type: "call"; id: string; name: string; input: object }
  /** What a call gave. */
  | { type: "result"; id: string; text: string; media?: ModelMedia[] };

/**
 * `system`: what Toolhost says, before everything else. Hosts that know no such role say it as the user.
 * Results of calls are in messages of the user, and follow at once on the message that made the calls.
 */
export interface ModelMessage {
  role: "system" | "user" | "assistant";
  content: ModelContent[];
}

/** What a model says, as it comes. */
export type ModelEvent =
  | { type: "text"; text: string }
  /**
   * `problem`: what it gave as the input was no JSON object; for the model, what is wrong with it. `input` is empty then.
   */
  | { type: "call"; id: string; name: string; input: object; problem?: string }
  /** Tokens of this request, as the provider counted them. At most once a request, the last one counts. */
  | { type: "usage"; input: number; output: number }
  /** The answer was cut: `length`, it reached the provider's limit; `filtered`, the provider withheld the rest. */
  | { type: "cut"; reason: "length" | "filtered" };

export interface ModelRequest {
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** The model is to answer in words: no call may come, though the conversation has some. */
  withoutCalls?: boolean;
  /** The model is to make a call. */
  mustCall?: boolean;
}

/** A language model that can call tools. */
export interface ChatModel {
  /** Names it among all models: `<vendor>/<id>`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Tokens that a request may hold; undefined when nobody said. */
  readonly maxInputTokens: number | undefined;
  /** Whether it can look at images. */
  readonly seesImages: boolean;
  /** What a million tokens cost, in the user's own words; undefined when they configured none. */
  readonly prices?: ModelPrices;
  /** Tokens of a text as the provider counts them; absent where it does not tell. */
  countTokens?(text: string, signal: AbortSignal): Promise<number>;
  /**
   * Sends one request and gives the answer as it comes. It does not try again.
   *
   * @throws ModelError when the model cannot be used or breaks off
   */
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Prices for a million tokens, in whatever currency the user has in mind. */
export interface ModelPrices {
  input: number;
  output: number;
}

/** The models an agent can run on. */
export interface Models {
  /** Those that can be used now. A server that does not answer is left out, with its reason in `problems`. */
  list(signal: AbortSignal): Promise<{ models: ChatModel[]; problems: string[] }>;
  /**
   * @param id a `ChatModel.id`, or its part after the vendor if that is enough; undefined for the user's choice, else
   * the only or first one
   * @throws ModelError that names the models there are
   */
  find(id: string | undefined, signal: AbortSignal): Promise<ChatModel>;
}
