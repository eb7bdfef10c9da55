import type * as vscode from "vscode";
import { newId } from "../../core/pipeline/pipeline.js";
import { escapeMarkdown } from "../../text/fence.js";
import type { TurnMetadata } from "./history.js";
import type { ChatOutput } from "./output.js";
import type { ChatPlace } from "./place.js";

/** A message of the user's, and where the chat is. */
export interface ChatMessage {
  request: vscode.ChatRequest;
  place: ChatPlace;
  output: ChatOutput;
  signal: AbortSignal;
  /** What the model has to know of messages that were taken back. */
  takenBack?: string;
}

/** The result of a turn that leaves the session as it was, but for what is given. */
export function result(
  { session, chat }: Pick<ChatPlace, "session" | "chat">,
  left: Partial<TurnMetadata> = {},
): vscode.ChatResult & { metadata: TurnMetadata } {
  return { metadata: { session, chat, turn: newId(), messages: [], ...left } };
}

/** VS Code draws an error's message as Markdown, and a provider's words are in it. */
export function errorDetails(message: string): vscode.ChatErrorDetails {
  return { message: escapeMarkdown(message) };
}
