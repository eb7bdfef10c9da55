import * as vscode from "vscode";
import { isReal } from "./chooseModel.js";
import { SERVERS_VENDOR, STAND_IN_ID, STAND_IN_VENDOR } from "../../names/contributed.js";

/** The answer of the stand-in to every request. */
export const NO_MODEL_ANSWER = [
  "No language model is chosen, so I cannot answer in words yet. Add one with the command **Toolhost: Add Model Server…**: Ollama, LM Studio or any other " +
    "OpenAI-compatible server, local or not. Signing in to GitHub Copilot also adds models.",
  "",
  'What works without a model: `/tools` lists the tools, and `/run grep {"pattern": "TODO"}` runs one.',
].join("\n");

const INFORMATION: vscode.LanguageModelChatInformation = {
  id: STAND_IN_ID,
  name: "No model (tools only)",
  family: "none",
  version: "1",
  tooltip: "A placeholder while VS Code has no language model, so that @toolhost /run and /tools work.",
  maxInputTokens: 100_000,
  maxOutputTokens: 1_000,
  // In agent mode, VS Code's default, the picker only lists models with tool calling.
  capabilities: { toolCalling: true },
};

/** Keeps the stand-in in VS Code's list of models. */
export interface StandIn extends vscode.Disposable {
  /** A chat has it selected: keeps offering it until the window closes. */
  keep(): void;
}

/**
 * Registers a placeholder model. Without any model, VS Code accepts no chat request at all, not even one that needs no
 * model (`@toolhost /run`). The stand-in is offered until another provider has a model, and longer if a chat may have it
 * selected: VS Code would keep sending that chat's messages to the removed model and answer each with "Language model
 * unavailable". With Copilot's models it would not, since they include a default.
 */
export function registerStandInModel(): StandIn {
  const provider = new StandInModel();
  const registration = vscode.lm.registerLanguageModelChatProvider(STAND_IN_VENDOR, provider);
  const listener = vscode.lm.onDidChangeChatModels(() => void provider.update());
  void provider.update();
  const all = vscode.Disposable.from(registration, listener, provider);
  return { keep: () => provider.keep(), dispose: () => void all.dispose() };
}

class StandInModel implements vscode.LanguageModelChatProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeLanguageModelChatInformation = this.#changed.event;
  #isOffered = true;
  #isKept = false;
  #wasAlone = false;

  keep(): void {
    this.#isKept = true;
    if (!this.#isOffered) {
      this.#isOffered = true;
      this.#changed.fire();
    }
  }

  /** Asks VS Code for all models, which also makes VS Code's model picker list them. */
  async update(): Promise<void> {
    const real = (await vscode.lm.selectChatModels()).filter(isReal);
    this.#wasAlone ||= real.length === 0;
    // The user added a server when there was no model: open chats have the stand-in selected, even if nothing was
    // sent.
    this.#isKept ||= this.#wasAlone && real.length > 0 && real.every(({ vendor }) => vendor === SERVERS_VENDOR);
    const isOffered = real.length === 0 || this.#isKept;
    if (isOffered !== this.#isOffered) {
      this.#isOffered = isOffered;
      this.#changed.fire();
    }
  }

  provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
    return this.#isOffered ? [INFORMATION] : [];
  }

  async provideLanguageModelChatResponse(
    _model: vscode.LanguageModelChatInformation,
    _messages: readonly vscode.LanguageModelChatRequestMessage[],
    _options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  ): Promise<void> {
    progress.report(new vscode.LanguageModelTextPart(NO_MODEL_ANSWER));
  }

  async provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    return Math.ceil((typeof text === "string" ? text.length : 0) / 4);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
