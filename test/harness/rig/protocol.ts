// What passes between a test and the rig: the script of the model, its record, and the frames on the socket.

/** Names the provider in VS Code's model list; the scripted model is `selectChatModels({ vendor, id })`. */
export const SCRIPTED_MODEL = { vendor: "toolhost-test", id: "scripted", name: "Scripted model" } as const;

/** A tool call that the model makes. */
interface ScriptedCall {
  name: string;
  /** An object, but from a model that talks nonsense. */
  input: unknown;
}

/** One answer of the model. All fields may be combined; text comes before calls. */
export interface Step {
  /** Streamed; each string of a list is a chunk of its own. */
  text?: string | string[];
  calls?: ScriptedCall[];
  /**
   * The request fails after `text`: `code` is a LanguageModelError's (NoPermissions, Blocked, NotFound) or any other.
   */
  error?: { code?: string; message: string };
  /** Waits before answering; a cancellation ends the wait. */
  delayMs?: number;
  /** Never ends the answer, after all the rest of it: only when the request is cancelled. */
  hang?: true;
  /** The step answers only a request whose text contains this (for requests that run at the same time). */
  when?: string;
}

/**
 * Which requests the script answers. VS Code and Copilot send others of their own (titles, summaries, intent), which
 * get a harmless text and take no step. Default: requests that offer at least one tool.
 */
export interface Matcher {
  /** Only requests that offer a tool whose name begins so. */
  toolPrefix?: string;
  /** Only requests whose messages contain this text. */
  includes?: string;
  /** Every request, also those that offer no tool. */
  all?: true;
}

/** One part of a message, as plain data. */
export type RecordedPart =
  | { type: "text"; text: string }
  | { type: "call"; callId: string; name: string; input: unknown }
  | { type: "result"; callId: string; text: string; data: { mimeType: string; bytes: number }[] }
  | { type: "data"; mimeType: string; bytes: number }
  | { type: "other"; json: string };

/** One request that reached the scripted model. */
export interface RecordedRequest {
  /** Whether the script answered it (see {@link Matcher}). */
  scripted: boolean;
  messages: { role: "user" | "assistant" | "system"; name?: string; parts: RecordedPart[] }[];
  /** Names of the tools offered, in order. */
  tools: string[];
  /** Each offered tool's description and schema. */
  toolDetails: { name: string; description: string; inputSchema?: object }[];
  modelOptions: Record<string, unknown>;
  /** Whether VS Code cancelled it. */
  cancelled: boolean;
  /** Whether the answer was complete (or failed as scripted). */
  finished: boolean;
}

/** A function to run in the extension host. */
export interface RunFrame {
  id: number;
  source: string;
  arg: unknown;
}

export type ResultFrame =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; message: string; stack: string };
