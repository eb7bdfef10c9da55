import type * as vscode from "vscode";
import { SETTING } from "../../names/settings.js";
import { userValue } from "./userSettings.js";

/** Returns the channels in the user's own settings, unchecked: a workspace must not decide where messages go. */
export function channelsSetting(): unknown {
  return userValue(SETTING.messageChannels);
}

/** What names secrets: the channels of messages, the user's own tools, or searches of the web. */
export type SecretUser = "message" | "tool" | "search";

/** The secrets that channels or tools name, in VS Code's secret storage. */
export class NamedSecrets {
  readonly #secrets: vscode.SecretStorage;
  readonly #user: SecretUser;

  constructor(secrets: vscode.SecretStorage, user: SecretUser) {
    this.#secrets = secrets;
    this.#user = user;
  }

  async get(name: string): Promise<string | undefined> {
    return this.#secrets.get(this.#keyOf(name));
  }

  /** @param value undefined removes it */
  async set(name: string, value: string | undefined): Promise<void> {
    const key = this.#keyOf(name);
    await (value === undefined ? this.#secrets.delete(key) : this.#secrets.store(key, value));
  }

  #keyOf(name: string): string {
    return `toolhost.${this.#user}.secret ${name}`;
  }
}
