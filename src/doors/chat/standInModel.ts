import * as vscode from "vscode";
import { STAND_IN_VENDOR } from "./naming.js";

/** What the stand-in says, whatever it is asked. */
export const NO_MODEL_ANSWER = [
  "No language model is chosen, so I cannot answer in words yet. Give VS Code one: sign in to GitHub Copilot, or run the command " +
    "**Chat: Manage Language Models** and add your own (any OpenAI-compatible server, also a local one). Then pick it below the chat's input.",
  "",
  'What works without a model: `/tools` lists the tools, and `/run grep {"pattern": "TODO"}` runs one.',
].join("\n");

const INFORMATION: vscode.LanguageModelChatInformation = {
  id: "none",
  name: "No model (tools only)",
  family: "none",
  version: "1",
  tooltip: "Stands in while VS Code has no language model, so that @toolhost /run and /tools work.",
  maxInputTokens: 100_000,
  maxOutputTokens: 1_000,
  // In agent mode, VS Code's default, the picker lists no model without.
  capabilities: { toolCalling: true },
};

/**
 * A model that is none. VS Code takes no chat request at all while it has no model, not even one that needs
 * none (`@toolhost /run`). The stand-in is there for as long as no other provider has a model, and goes away
 * with the first that does.
 */
export function registerStandInModel(): vscode.Disposable {
  const provider = new StandInModel();
  const registration = vscode.lm.registerLanguageModelChatProvider(STAND_IN_VENDOR, provider);
  const listener = vscode.lm.onDidChangeChatModels(() => void provider.update());
  void provider.update();
  return vscode.Disposable.from(registration, listener, provider);
}

class StandInModel implements vscode.LanguageModelChatProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeLanguageModelChatInformation = this.#changed.event;
  #isNeeded = true;

  /** Asks VS Code which models there are; this also makes its model picker list them. */
  async update(): Promise<void> {
    const models = await vscode.lm.selectChatModels();
    // Copilot lists placeholders of other kinds of session (Copilot CLI's "Auto") that no chat can use: they have no room.
    const isNeeded = models.every(({ vendor, maxInputTokens }) => vendor === STAND_IN_VENDOR || maxInputTokens === 0);
    if (isNeeded !== this.#isNeeded) {
      this.#isNeeded = isNeeded;
      this.#changed.fire();
    }
  }

  provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
    return this.#isNeeded ? [INFORMATION] : [];
  }

  async provideLanguageModelChatResponse(
    _model: vscode.LanguageModelChatInformation,
    _messages: readonly vscode.LanguageModelChatRequestMessage[],
    _options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  ): Promise<void> {
    progress.report(new vscode.LanguageModelTextPart(NO_MODEL_ANSWER));
  }

  async provideTokenCount(_model: vscode.LanguageModelChatInformation, text: string | vscode.LanguageModelChatRequestMessage): Promise<number> {
    return Math.ceil((typeof text === "string" ? text.length : 0) / 4);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
