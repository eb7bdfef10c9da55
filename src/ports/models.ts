/** A tool as a model is offered it. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema, an object at its root. */
  inputSchema: object;
}

export type ModelContent =
  | { type: "text"; text: string }
  /** A tool call the model made. */
  | { type: "call"; id: string; name: string; input: object }
  /** What a call gave. */
  | { type: "result"; id: string; text: string; media?: { mimeType: string; bytes: Uint8Array }[] };

export interface ModelMessage {
  role: "user" | "assistant";
  content: ModelContent[];
}

/** What a model says, as it comes. */
export type ModelEvent = { type: "text"; text: string } | { type: "call"; id: string; name: string; input: object };

/** A language model that can call tools. */
export interface ChatModel {
  /** For people. */
  readonly name: string;
  /**
   * Sends the conversation and gives the answer as it comes. Throws `ModelError` when the model cannot be
   * used or breaks off.
   */
  send(messages: readonly ModelMessage[], tools: readonly ModelTool[], signal: AbortSignal): AsyncIterable<ModelEvent>;
}
