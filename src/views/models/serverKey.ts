import * as vscode from "vscode";
import type { ModelServers, ServerSetting } from "../../ports/modelServers.js";

/** What the commands about servers work on. */
export interface ServerCommandsHost {
  servers: ModelServers;
  save(server: ServerSetting): Promise<void>;
  /** Makes the chat use a model of a server that was saved. @returns false when VS Code could not be made to */
  choose(server: ServerSetting, model: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** It was removed: the chat must not go on with a model of it. */
  removed(server: ServerSetting): Promise<void>;
  hasKey(server: ServerSetting): Promise<boolean>;
  /** @param key undefined removes it */
  setKey(server: ServerSetting, key: string | undefined): Promise<void>;
}

/** @returns undefined when the user gave up, an empty text for no key */
export async function askKey({ name, baseUrl }: ServerSetting, prompt: string): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: `Key of ${name} (${baseUrl})`,
    prompt,
    password: true,
    ignoreFocusOut: true,
    // What a header cannot hold would fail at every request.
    validateInput: (value) =>
      /^[\x21-\x7e]*$/.test(value.trim()) ? undefined : "A key is one word of letters, digits and signs.",
  });
  return key?.trim();
}
