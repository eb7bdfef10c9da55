// A language model that answers from a script, through VS Code's stable provider API, and records what it was asked.
import * as vscode from "vscode";
import { SCRIPTED_MODEL, type Matcher, type RecordedPart, type RecordedRequest, type Step } from "./protocol";

/** What a request gets that the script is not for. */
const SIDE_ANSWER = "Scripted conversation";

/** Tokens are not what these tests are about: four characters each. */
const CHARACTERS_PER_TOKEN = 4;

/** Between the text of an answer and its failure: VS Code drops what it has not handed on yet. */
const DEATH_MS = 300;

export class ScriptedModel implements vscode.LanguageModelChatProvider {
  #steps: Step[] = [];
  #matcher: Matcher = {};
  #requests: RecordedRequest[] = [];
  #calls = 0;

  /** Replaces the script and forgets the record. */
  script(steps: Step[], matcher: Matcher = {}): void {
    this.#steps = [...steps];
    this.#matcher = matcher;
    this.#requests = [];
  }

  /** Adds steps at the end of the script. */
  push(steps: Step[]): void {
    this.#steps.push(...steps);
  }

  /** Everything that was asked since the last `script`, side requests included. */
  requests(): RecordedRequest[] {
    return this.#requests;
  }

  /** Steps not taken yet. */
  remaining(): number {
    return this.#steps.length;
  }

  provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
    return [
      {
        id: SCRIPTED_MODEL.id,
        name: SCRIPTED_MODEL.name,
        family: "scripted",
        version: "1",
        maxInputTokens: 128_000,
        maxOutputTokens: 16_000,
        capabilities: { toolCalling: true, imageInput: true },
      },
    ];
  }

  async provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    const length = typeof text === "string" ? text.length : textOf(recordParts(text.content)).length;
    return Math.ceil(length / CHARACTERS_PER_TOKEN);
  }

  async provideLanguageModelChatResponse(
    _model: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const request: RecordedRequest = {
      scripted: false,
      messages: messages.map((message) => ({
        role: roleOf(message.role),
        ...(message.name === undefined ? {} : { name: message.name }),
        parts: recordParts(message.content),
      })),
      tools: (options.tools ?? []).map((tool) => tool.name),
      toolDetails: (options.tools ?? []).map(({ name, description, inputSchema }) => ({
        name,
        description,
        ...(inputSchema === undefined ? {} : { inputSchema }),
      })),
      modelOptions: { ...options.modelOptions },
      cancelled: token.isCancellationRequested,
      finished: false,
    };
    request.scripted = matches(request, this.#matcher);
    this.#requests.push(request);
    const watch = token.onCancellationRequested(() => (request.cancelled = true));
    try {
      await this.#answer(request, progress, token);
      request.finished = true;
    } finally {
      watch.dispose();
    }
  }

  async #answer(
    request: RecordedRequest,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    if (!request.scripted) {
      progress.report(new vscode.LanguageModelTextPart(SIDE_ANSWER));
      return;
    }
    const said = request.messages.map((message) => textOf(message.parts)).join("\n");
    const index = this.#steps.findIndex((step) => step.when === undefined || said.includes(step.when));
    const [step] = index < 0 ? [] : this.#steps.splice(index, 1);
    if (step === undefined) {
      progress.report(new vscode.LanguageModelTextPart("(the script has no step for this request)"));
      return;
    }
    if (step.delayMs !== undefined) await pause(step.delayMs, token);
    for (const chunk of typeof step.text === "string" ? [step.text] : (step.text ?? [])) {
      progress.report(new vscode.LanguageModelTextPart(chunk));
    }
    for (const call of step.calls ?? []) {
      // A provider may hand over whatever its model said.
      progress.report(new vscode.LanguageModelToolCallPart(`call_${++this.#calls}`, call.name, call.input as object));
    }
    if (step.hang) await cancellation(token);
    if (step.error) {
      // What came before a connection broke has arrived by then.
      if (step.text !== undefined) await pause(DEATH_MS, token);
      request.finished = true;
      throw errorOf(step.error);
    }
  }
}

function matches(request: RecordedRequest, matcher: Matcher): boolean {
  if (matcher.all) return true;
  const { toolPrefix, includes } = matcher;
  if (toolPrefix !== undefined && !request.tools.some((name) => name.startsWith(toolPrefix))) return false;
  if (includes !== undefined && !request.messages.some((message) => textOf(message.parts).includes(includes)))
    return false;
  return toolPrefix !== undefined || includes !== undefined || request.tools.length > 0;
}

/** Ends when the token is cancelled, as a provider does: with a CancellationError. */
function cancellation(token: vscode.CancellationToken): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new vscode.CancellationError());
    if (token.isCancellationRequested) fail();
    else token.onCancellationRequested(fail);
  });
}

async function pause(ms: number, token: vscode.CancellationToken): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const wait = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([wait, cancellation(token)]);
  } finally {
    clearTimeout(timer);
  }
}

function errorOf({ code, message }: { code?: string; message: string }): Error {
  if (code === "NoPermissions") return vscode.LanguageModelError.NoPermissions(message);
  if (code === "Blocked") return vscode.LanguageModelError.Blocked(message);
  if (code === "NotFound") return vscode.LanguageModelError.NotFound(message);
  return Object.assign(new Error(message), { code });
}

function roleOf(role: vscode.LanguageModelChatMessageRole): "user" | "assistant" | "system" {
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return "assistant";
  // 3 is the proposed System role, which Copilot Chat uses.
  return role === vscode.LanguageModelChatMessageRole.User ? "user" : "system";
}

function recordParts(parts: readonly unknown[]): RecordedPart[] {
  return parts.map((part): RecordedPart => {
    if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: part.value };
    if (part instanceof vscode.LanguageModelToolCallPart)
      return { type: "call", callId: part.callId, name: part.name, input: part.input };
    if (part instanceof vscode.LanguageModelDataPart)
      return { type: "data", mimeType: part.mimeType, bytes: part.data.byteLength };
    if (part instanceof vscode.LanguageModelToolResultPart) {
      const content = recordParts(part.content);
      return {
        type: "result",
        callId: part.callId,
        text: textOf(content),
        data: content.flatMap((inner) =>
          inner.type === "data" ? [{ mimeType: inner.mimeType, bytes: inner.bytes }] : [],
        ),
      };
    }
    return { type: "other", json: JSON.stringify(part) ?? "undefined" };
  });
}

function textOf(parts: readonly RecordedPart[]): string {
  return parts
    .map((part) =>
      part.type === "text" || part.type === "result" ? part.text : part.type === "other" ? part.json : "",
    )
    .join("");
}
