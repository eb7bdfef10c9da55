import * as vscode from "vscode";
import { isRecord } from "../../../core/jsonSchema.js";
import { wireSchema } from "../../../core/wireSchema.js";
import { ModelError } from "../../../features/models/modelError.js";
import type { ChatModel, ModelContent, ModelEvent, ModelMessage, ModelRequest } from "../../../ports/models.js";

/** A model from one of VS Code's providers. */
export class VscodeModel implements ChatModel {
  readonly id: string;
  readonly name: string;
  readonly maxInputTokens: number | undefined;
  /** The stable API does not say whether a model accepts images; a provider omits those its model cannot see. */
  readonly seesImages = true;
  readonly #model: vscode.LanguageModelChat;

  constructor(model: vscode.LanguageModelChat) {
    this.id = `${model.vendor}/${model.id}`;
    this.name = model.name;
    this.maxInputTokens = model.maxInputTokens > 0 ? model.maxInputTokens : undefined;
    this.#model = model;
  }

  async countTokens(text: string, signal: AbortSignal): Promise<number> {
    const cancellation = new vscode.CancellationTokenSource();
    const cancel = (): void => cancellation.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      signal.throwIfAborted();
      return await this.#model.countTokens(text, cancellation.token);
    } finally {
      signal.removeEventListener("abort", cancel);
      cancellation.dispose();
    }
  }

  async *send(
    { messages, tools, withoutCalls = false, mustCall = false }: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const cancellation = new vscode.CancellationTokenSource();
    const cancel = (): void => cancellation.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      signal.throwIfAborted();
      const response = await this.#model.sendRequest(
        messages.map(toChatMessage),
        // No mode is needed to forbid calls: a model that gets no tools makes none.
        {
          tools: withoutCalls
            ? []
            : tools.map(({ name, description, inputSchema }) => ({
                name,
                description,
                inputSchema: wireSchema(inputSchema),
              })),
          toolMode: mustCall ? vscode.LanguageModelChatToolMode.Required : vscode.LanguageModelChatToolMode.Auto,
        },
        cancellation.token,
      );
      for await (const part of response.stream) {
        if (part instanceof vscode.LanguageModelTextPart) {
          yield { type: "text", text: part.value };
        } else if (part instanceof vscode.LanguageModelToolCallPart) {
          // Another extension's provider may pass on whatever its model said.
          yield isRecord(part.input)
            ? { type: "call", id: part.callId, name: part.name, input: part.input }
            : { type: "call", id: part.callId, name: part.name, input: {}, problem: "The input is not a JSON object." };
        }
        // Other parts (thinking, data) are the provider's own business.
      }
    } catch (error) {
      signal.throwIfAborted();
      throw asModelError(this.name, error);
    } finally {
      signal.removeEventListener("abort", cancel);
      cancellation.dispose();
    }
  }
}

function toChatMessage({ role, content }: ModelMessage): vscode.LanguageModelChatMessage {
  // The stable API has no system role: the first message counts as one.
  if (role === "assistant") {
    return vscode.LanguageModelChatMessage.Assistant(content.flatMap(toAssistantPart));
  }
  return vscode.LanguageModelChatMessage.User(content.flatMap(toUserPart));
}

function toAssistantPart(part: ModelContent): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
  switch (part.type) {
    case "text":
      return [new vscode.LanguageModelTextPart(part.text)];
    case "call":
      return [new vscode.LanguageModelToolCallPart(part.id, part.name, part.input)];
    case "media":
    case "result":
      return [];
  }
}

function toUserPart(
  part: ModelContent,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart | vscode.LanguageModelDataPart)[] {
  switch (part.type) {
    case "text":
      return [new vscode.LanguageModelTextPart(part.text)];
    case "media":
      return [new vscode.LanguageModelDataPart(part.bytes, part.mimeType)];
    case "call":
      return [];
    case "result":
      return [
        new vscode.LanguageModelToolResultPart(part.id, [
          new vscode.LanguageModelTextPart(part.text),
          ...(part.media ?? []).map(({ mimeType, bytes }) => new vscode.LanguageModelDataPart(bytes, mimeType)),
        ]),
      ];
  }
}

/** Turns every failure of a model into a message with the next step. The codes are the error's documented part. */
function asModelError(name: string, error: unknown): ModelError {
  const said =
    error instanceof Error && error.message !== "" ? ` VS Code says: ${error.message.replace(/[.\s]*$/, ".")}` : "";
  if (!(error instanceof vscode.LanguageModelError)) {
    return new ModelError(`${name} stopped unexpectedly.${said} Send the message again, or choose another model.`);
  }
  switch (error.code) {
    case vscode.LanguageModelError.NoPermissions().code:
      return new ModelError(
        `Toolhost may not use ${name}. Allow it (command “Manage Language Model Access”) and send the message again.`,
      );
    case vscode.LanguageModelError.NotFound().code:
      return new ModelError(`${name} is no longer available. Choose another model in the chat's model picker.`);
    case vscode.LanguageModelError.Blocked().code:
      return new ModelError(
        `${name} is blocked for now: a quota is used up, or the request was refused.${said} Try later or choose another model.`,
      );
    default:
      return new ModelError(`${name} failed (${error.code}).${said} Send the message again, or choose another model.`);
  }
}
