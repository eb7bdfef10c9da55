import type * as vscode from "vscode";
import { SETTING } from "../../names/settings.js";
import { userValue } from "./userSettings.js";

/** Returns the channels in the user's own settings, unchecked: a workspace must not decide where messages go. */
export function channelsSetting(): unknown {
  return userValue(SETTING.messageChannels);
}

/** The secrets that channels name, in VS Code's secret storage. */
export class MessageSecrets {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async get(name: string): Promise<string | undefined> {
    return this.#secrets.get(keyOf(name));
  }

  /** @param value undefined removes it */
  async set(name: string, value: string | undefined): Promise<void> {
    await (value === undefined ? this.#secrets.delete(keyOf(name)) : this.#secrets.store(keyOf(name), value));
  }
}

function keyOf(name: string): string {
  return `toolhost.message.secret ${name}`;
}
