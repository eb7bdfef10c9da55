import * as vscode from "vscode";
import type { ModelServers, ServerSetting } from "../../ports/modelServers.js";

/** What the server commands need. */
export interface ServerCommandsHost {
  servers: ModelServers;
  save(server: ServerSetting): Promise<void>;
  /** Selects a model of a saved server in the chat. @returns false if VS Code did not select it */
  choose(server: ServerSetting, model: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** Called after a removal: the chat must stop using models of the server. */
  removed(server: ServerSetting): Promise<void>;
  hasKey(server: ServerSetting): Promise<boolean>;
  /** @param key undefined removes it */
  setKey(server: ServerSetting, key: string | undefined): Promise<void>;
}

/** Asks for a key. @returns undefined if the user gave up, an empty string for no key */
export async function askKey({ name, baseUrl }: ServerSetting, prompt: string): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t("Key of {0} ({1})", name, baseUrl),
    prompt,
    password: true,
    ignoreFocusOut: true,
    // Characters that a header cannot hold would make every request fail.
    validateInput: (value) =>
      /^[\x21-\x7e]*$/.test(value.trim())
        ? undefined
        : vscode.l10n.t("A key is one word of letters, digits and punctuation."),
  });
  return key?.trim();
}
