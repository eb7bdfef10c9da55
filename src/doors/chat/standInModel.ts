import * as vscode from "vscode";
import { isReal } from "./chooseModel.js";
import { SERVERS_VENDOR, STAND_IN_ID, STAND_IN_VENDOR } from "../../names/contributed.js";

/** What the stand-in says, whatever it is asked. */
export const NO_MODEL_ANSWER = [
  "No language model is chosen, so I cannot answer in words yet. The command **Toolhost: Add Model Server…** adds one: Ollama, LM Studio or any other " +
    "OpenAI-compatible server, local or not. A sign-in to GitHub Copilot brings models, too.",
  "",
  'What works without a model: `/tools` lists the tools, and `/run grep {"pattern": "TODO"}` runs one.',
].join("\n");

const INFORMATION: vscode.LanguageModelChatInformation = {
  id: STAND_IN_ID,
  name: "No model (tools only)",
  family: "none",
  version: "1",
  tooltip: "Stands in while VS Code has no language model, so that @toolhost /run and /tools work.",
  maxInputTokens: 100_000,
  maxOutputTokens: 1_000,
  // In agent mode, VS Code's default, the picker lists no model without.
  capabilities: { toolCalling: true },
};

/** Keeps the stand-in in VS Code's list of models. */
export interface StandIn extends vscode.Disposable {
  /** A chat has it: it stays for as long as the window. */
  keep(): void;
}

/**
 * A model that is none. VS Code takes no chat request at all while it has no model, not even one that needs none
 * (`@toolhost /run`). The stand-in is there for as long as no other provider has a model, and goes away with the first
 * that does, unless a chat may have it: VS Code goes on sending that chat's messages to the model that has gone, and
 * answers each with "Language model unavailable". With Copilot's models it does not, having a default then.
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

  /** Asks VS Code which models there are; this also makes its model picker list them. */
  async update(): Promise<void> {
    const real = (await vscode.lm.selectChatModels()).filter(isReal);
    this.#wasAlone ||= real.length === 0;
    // The user adds a server where there was no model: the open chats have the stand-in, whether or not anything was
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
