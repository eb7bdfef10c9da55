import * as vscode from "vscode";
import { PARTICIPANT, STAND_IN_VENDOR } from "../../names/contributed.js";

/** A model as `selectChatModels` names it. */
export interface ModelName {
  vendor: string;
  id: string;
}

/** Returns the models that can answer, of all vendors. */
export async function realModels(): Promise<vscode.LanguageModelChat[]> {
  return (await vscode.lm.selectChatModels()).filter(isReal);
}

/**
 * Whether a model is neither our stand-in nor a placeholder for another kind of session (Copilot CLI's "Auto"), which no
 * chat can use and which has an input limit of 0.
 */
export function isReal({
  vendor,
  maxInputTokens,
}: Pick<vscode.LanguageModelChat, "vendor" | "maxInputTokens">): boolean {
  return vendor !== STAND_IN_VENDOR && maxInputTokens > 0;
}

/**
 * Returns the command that opens the chat with a model selected; also usable for buttons.
 *
 * @param words replaces the chat input with `@toolhost` and these words; if absent, the input stays unchanged
 */
export function chooseModel({ vendor, id }: ModelName, words?: string): { command: string; arguments: unknown[] } {
  const query = words === undefined ? {} : { query: `@${PARTICIPANT.name} ${words}`, isPartialQuery: true };
  return { command: "workbench.action.chat.open", arguments: [{ ...query, modelSelector: { vendor, id } }] };
}

/**
 * Selects a model in the chat.
 *
 * @param isFirst whether there was no model before: the chat input then starts with `@toolhost`, since Copilot's agent
 * may require a sign-in
 * @returns false if VS Code did not select it
 */
export async function useModel(model: ModelName, isFirst: boolean): Promise<boolean> {
  const { command, arguments: given } = chooseModel(model, isFirst ? "" : undefined);
  try {
    await vscode.commands.executeCommand(command, ...given);
    return true;
  } catch {
    return false;
  }
}
