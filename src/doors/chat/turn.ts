import type * as vscode from "vscode";
import { newId } from "../../core/pipeline/pipeline.js";
import { escapeMarkdown } from "../../text/fence.js";
import type { TurnMetadata } from "./history.js";
import type { ChatOutput } from "./output.js";
import type { ChatPlace } from "./place.js";

/** A message of the user, and the chat's state. */
export interface ChatMessage {
  request: vscode.ChatRequest;
  place: ChatPlace;
  output: ChatOutput;
  signal: AbortSignal;
  /** A note for the model about removed messages. */
  takenBack?: string;
}

/** Returns the result of a turn. @param left metadata to add */
export function result(
  { session, chat }: Pick<ChatPlace, "session" | "chat">,
  left: Partial<TurnMetadata> = {},
): vscode.ChatResult & { metadata: TurnMetadata } {
  return { metadata: { session, chat, turn: newId(), messages: [], ...left } };
}

/** Escapes an error's message: VS Code renders it as Markdown, and it contains a provider's text. */
export function errorDetails(message: string): vscode.ChatErrorDetails {
  return { message: escapeMarkdown(message) };
}
