import * as vscode from "vscode";
import { isRecord } from "../../core/jsonSchema.js";
import type { ModelContent, ModelMedia, ModelMessage } from "../../ports/models.js";

/** The system role, proposed API: Copilot's agent sends it, but the stable types do not have it. */
const SYSTEM_ROLE = 3;

/** Converts VS Code's messages to ours. Omits unknown kinds of parts (thinking, cache marks). */
export function toModelMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): ModelMessage[] {
  return messages.flatMap(({ role, content }) => {
    const parts = [...content].flatMap(toContent);
    return parts.length === 0 ? [] : [{ role: roleOf(role), content: parts }];
  });
}

/** Returns all text of a message, to estimate its tokens. */
export function textsOf(message: vscode.LanguageModelChatRequestMessage): string {
  return [...message.content]
    .flatMap(toContent)
    .map((part) =>
      part.type === "text" || part.type === "result"
        ? part.text
        : part.type === "call"
          ? `${part.name}${JSON.stringify(part.input)}`
          : "",
    )
    .join("\n");
}

function roleOf(role: vscode.LanguageModelChatMessageRole): ModelMessage["role"] {
  return role === vscode.LanguageModelChatMessageRole.Assistant
    ? "assistant"
    : Number(role) === SYSTEM_ROLE
      ? "system"
      : "user";
}

function toContent(part: unknown): ModelContent[] {
  if (part instanceof vscode.LanguageModelTextPart) {
    return [{ type: "text", text: part.value }];
  }
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return [{ type: "call", id: part.callId, name: part.name, input: isRecord(part.input) ? part.input : {} }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const inner = part.content.flatMap(toContent);
    const media = inner.flatMap((nested): ModelMedia[] =>
      nested.type === "media" ? [{ mimeType: nested.mimeType, bytes: nested.bytes }] : [],
    );
    const text = inner.map((nested) => (nested.type === "text" ? nested.text : "")).join("");
    return [{ type: "result", id: part.callId, text, ...(media.length > 0 ? { media } : {}) }];
  }
  if (part instanceof vscode.LanguageModelDataPart) {
    return fromData(part);
  }
  return [];
}

function fromData({ mimeType, data }: vscode.LanguageModelDataPart): ModelContent[] {
  if (mimeType.startsWith("image/")) {
    return [{ type: "media", mimeType, bytes: data }];
  }
  // Copilot uses data parts of its own types as cache marks, meant only for its own provider.
  return mimeType.startsWith("text/") || mimeType === "application/json"
    ? [{ type: "text", text: new TextDecoder().decode(data) }]
    : [];
}
