/** A tool as offered to a model. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema, an object at its root. */
  inputSchema: object;
}

/** Non-text content: an image. */
export interface ModelMedia {
  mimeType: string;
  bytes: Uint8Array;
}

export type ModelContent =
  | { type: "text"; text: string }
  /** A user's attachment. */
  | ({ type: "media" } & ModelMedia)
  /** A tool call the model made. */
  | { type: "call"; id: string; name: string; input: object }
  /** A call's result. */
  | { type: "result"; id: string; text: string; media?: ModelMedia[] };

/**
 * `system`: Toolhost's own text, before everything else. Hosts without this role send it as the user. Results of calls
 * are in user messages, directly after the message that made the calls.
 */
export interface ModelMessage {
  role: "system" | "user" | "assistant";
  content: ModelContent[];
}

/** A part of a model's answer, as it arrives. */
export type ModelEvent =
  | { type: "text"; text: string }
  /**
   * `problem`: the input was not a JSON object. Explains to the model what is wrong with it; `input` is then empty.
   * `note` tells the model what was repaired in it.
   */
  | { type: "call"; id: string; name: string; input: object; problem?: string; note?: string }
  /**
   * Tokens of this request, as counted by the provider. Usually sent once per request; if there are several, the last
   * one counts.
   */
  | { type: "usage"; input: number; output: number }
  /** The answer was cut: `length`, it reached the provider's limit; `filtered`, the provider withheld the rest. */
  | { type: "cut"; reason: "length" | "filtered" };

export interface ModelRequest {
  /** Their parts do not change any more, so that each needs to be written only once. */
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** Whether the model must answer in text: no calls are allowed, although the conversation contains some. */
  withoutCalls?: boolean;
  /** Whether the model must make a call. */
  mustCall?: boolean;
}

/** A language model that can call tools. */
export interface ChatModel {
  /** Unique among all models: `<vendor>/<id>`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** Maximum number of tokens in a request; undefined if unknown. */
  readonly maxInputTokens: number | undefined;
  /** Whether it accepts images; undefined if nobody says, so that they are sent until the server refuses one. */
  readonly seesImages: boolean | undefined;
  /** The prices the user configured; undefined if none. */
  readonly prices?: ModelPrices;
  /** Counts a text's tokens as the provider does; absent if it offers no way to. */
  countTokens?(text: string, signal: AbortSignal): Promise<number>;
  /**
   * Sends one request and yields the answer as it arrives. Does not retry.
   *
   * @throws ModelError if the model cannot be used or breaks off
   */
  send(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Prices per million tokens, in whatever currency the user means. */
export interface ModelPrices {
  input: number;
  output: number;
}

/** The models an agent can run on. */
export interface Models {
  /** Lists the models that can be used now. A server that does not answer is skipped, and `problems` says why. */
  list(signal: AbortSignal): Promise<{ models: ChatModel[]; problems: string[] }>;
  /**
   * @param id a `ChatModel.id`, or the part after its vendor if that is unique; undefined for the user's choice, or
   * else the only or first one
   * @throws ModelError that names the existing models
   */
  find(id: string | undefined, signal: AbortSignal): Promise<ChatModel>;
}
