import * as vscode from "vscode";
import { SETTING } from "../../../names/settings.js";
import { isRecord } from "../../../core/jsonSchema.js";
import type { ServerSetting } from "../../../ports/modelServers.js";
import { userValue } from "../userSettings.js";

/**
 * Returns the servers in the user's own settings, unchecked: a workspace must not decide where texts and keys are sent.
 */
export function serversSetting(): unknown {
  return userValue(SETTING.modelServers);
}

/** Returns the model for agents that have no chosen model; undefined if there is none. */
export function agentModelSetting(): string | undefined {
  const value = userValue(SETTING.agentModel);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/**
 * Keys of model servers in VS Code's secret storage, one per server. A key belongs to a server's origin: no other
 * origin gets it, whatever its name.
 */
export class ServerKeys {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  async get(server: ServerSetting): Promise<string | undefined> {
    return this.#secrets.get(secretName(server));
  }

  /** @param key undefined removes it */
  async set(server: ServerSetting, key: string | undefined): Promise<void> {
    await (key === undefined ? this.#secrets.delete(secretName(server)) : this.#secrets.store(secretName(server), key));
  }
}

/** Writes one server to the user's settings; the others stay as they are, even invalid ones. */
export async function saveServer({ name, baseUrl, models }: ServerSetting): Promise<void> {
  await writeServers({
    ...currentServers(),
    [name]: {
      baseUrl,
      ...(models === undefined
        ? {}
        : { models: models.map((model) => (Object.keys(model).length === 1 ? model.id : model)) }),
    },
  });
}

/** Removes one server from the user's settings. */
export async function removeServer(name: string): Promise<void> {
  await writeServers(Object.fromEntries(Object.entries(currentServers()).filter(([known]) => known !== name)));
}

function currentServers(): Record<string, unknown> {
  const value = serversSetting();
  return isRecord(value) ? value : {};
}

async function writeServers(servers: Record<string, unknown>): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(
      SETTING.modelServers,
      Object.keys(servers).length === 0 ? undefined : servers,
      vscode.ConfigurationTarget.Global,
    );
}

function secretName({ name, baseUrl }: ServerSetting): string {
  return `toolhost.models.key ${name} ${new URL(baseUrl).origin}`;
}
