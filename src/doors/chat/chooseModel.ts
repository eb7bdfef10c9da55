import * as vscode from "vscode";
import { PARTICIPANT, STAND_IN_VENDOR } from "../../names/contributed.js";

/** A model as `selectChatModels` names it. */
export interface ModelName {
  vendor: string;
  id: string;
}

/** The models that can answer, those of all vendors. */
export async function realModels(): Promise<vscode.LanguageModelChat[]> {
  return (await vscode.lm.selectChatModels()).filter(isReal);
}

/**
 * Not our stand-in, and no placeholder of another kind of session (Copilot CLI's "Auto"), which no chat can use: those
 * have no room.
 */
export function isReal({
  vendor,
  maxInputTokens,
}: Pick<vscode.LanguageModelChat, "vendor" | "maxInputTokens">): boolean {
  return vendor !== STAND_IN_VENDOR && maxInputTokens > 0;
}

/**
 * The command that shows the chat and makes it use a model, for buttons too.
 *
 * @param words put into the chat's input after `@toolhost`, in place of what stands there; the input stays as it is
 * when absent
 */
export function chooseModel({ vendor, id }: ModelName, words?: string): { command: string; arguments: unknown[] } {
  const query = words === undefined ? {} : { query: `@${PARTICIPANT.name} ${words}`, isPartialQuery: true };
  return { command: "workbench.action.chat.open", arguments: [{ ...query, modelSelector: { vendor, id } }] };
}

/**
 * Makes the chat use a model.
 *
 * @param isFirst no model was there before: the chat begins with `@toolhost`, since Copilot's agent may want a sign-in
 * @returns false when VS Code could not be made to
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
