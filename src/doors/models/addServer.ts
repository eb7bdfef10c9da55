import * as vscode from "vscode";
import { nameProblem, readBaseUrl } from "../../core/models/serverSettings.js";
import type { ServerSetting } from "../../ports/modelServers.js";
import { plain } from "../../text/plainText.js";
import { SERVER_PRESETS, type ServerPreset } from "./presets.js";
import { askKey, type ServerCommandsHost } from "./serverKey.js";

/** Models that are offered unless the user picks some: longer lists crowd the model picker. */
const MAX_ALL = 20;

/** *Add Model Server…*: asks for a server, tries it, and saves it when its models are known or the user wants it all the same. */
export class AddServer {
  readonly #host: ServerCommandsHost;

  constructor(host: ServerCommandsHost) {
    this.#host = host;
  }

  async run(): Promise<void> {
    const preset = await pickPreset();
    let baseUrl = preset && (await this.#askAddress(preset.baseUrl));
    const name = preset && baseUrl && (await this.#askName(preset.name || new URL(baseUrl).hostname));
    if (preset === undefined || baseUrl === undefined || name === undefined) {
      return;
    }
    let server: ServerSetting = { name, baseUrl, models: undefined, headers: {} };
    let key = preset.key === "none" ? "" : await askKey(server, KEY_PROMPT[preset.key]);
    while (key !== undefined) {
      const found = await this.#try(server, key);
      if (Array.isArray(found)) {
        await this.#save(server, key, found);
        return;
      }
      const next = await askAfterFailure(server, found);
      if (next === "save") {
        await this.#save(server, key, []);
        return;
      }
      if (next === "address") {
        baseUrl = await this.#askAddress(server.baseUrl);
        if (baseUrl === undefined) {
          return;
        }
        server = { ...server, baseUrl };
      } else if (next === "key") {
        key = await askKey(server, KEY_PROMPT.optional);
      } else if (next !== "again") {
        return;
      }
    }
  }

  async #askAddress(value: string): Promise<string | undefined> {
    const typed = await vscode.window.showInputBox({
      title: "Address of the server",
      prompt: "Its base URL, which mostly ends in /v1. Conversations with its models are sent there.",
      value,
      placeHolder: "http://localhost:11434/v1",
      ignoreFocusOut: true,
      validateInput: (text) => {
        const read = readBaseUrl(text);
        return "problem" in read ? sentence(read.problem) : undefined;
      },
    });
    const read = typed === undefined ? undefined : readBaseUrl(typed);
    return read !== undefined && "baseUrl" in read ? read.baseUrl : undefined;
  }

  async #askName(wanted: string): Promise<string | undefined> {
    const taken = new Set(this.#host.servers.servers().servers.map(({ name }) => name));
    const free = [wanted, ...Array.from({ length: taken.size + 1 }, (_, index) => `${wanted}-${index + 2}`)].find((name) => !taken.has(name));
    const typed = await vscode.window.showInputBox({
      title: "Name of the server",
      prompt: "Its models are shown under this name.",
      value: free ?? wanted,
      ignoreFocusOut: true,
      validateInput: (text) => {
        const problem = taken.has(text.trim()) ? "there is a server of this name already" : nameProblem(text.trim());
        return problem === undefined ? undefined : sentence(problem);
      },
    });
    return typed?.trim();
  }

  /** The models of a server, or what is wrong with it. */
  async #try(server: ServerSetting, key: string): Promise<string[] | string> {
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `Asking ${plain(server.name)} for its models…` }, async () => {
      try {
        const models = await this.#host.servers.probe(server, key === "" ? undefined : key, new AbortController().signal);
        return models.length > 0 ? models : "The server answers, but it has no model. Load or download one there.";
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    });
  }

  async #save(server: ServerSetting, key: string, found: readonly string[]): Promise<void> {
    const models = await pickModels(server, found);
    if (models === undefined) {
      return;
    }
    // The key first: as soon as the setting is there, the server is asked.
    await this.#host.setKey(server, key === "" ? undefined : key);
    await this.#host.save({ ...server, models: models === "all" ? undefined : models.map((id) => ({ id })) });
    const count = models === "all" ? found.length : models.length;
    const said = count === 0 ? "It has told no models yet" : `${count} ${count === 1 ? "model" : "models"}`;
    void vscode.window.showInformationMessage(`${plain(server.name)} is added: ${said}. Pick a model below the chat's input.`);
  }
}

const KEY_PROMPT: Record<"optional" | "needed", string> = {
  optional: "Leave it empty if the server wants none. Kept in VS Code's secret storage, sent to this server alone.",
  needed: "Kept in VS Code's secret storage, sent to this server alone.",
};

async function pickPreset(): Promise<ServerPreset | undefined> {
  const items = SERVER_PRESETS.map((preset) => ({ label: preset.label, description: preset.baseUrl, preset }));
  const picked = await vscode.window.showQuickPick(items, { title: "Add Model Server", placeHolder: "What kind of server is it?", ignoreFocusOut: true });
  return picked?.preset;
}

/** The models to offer: `all` that the server has, also those it will have, or a choice; undefined when the user gave up. */
async function pickModels({ name }: ServerSetting, found: readonly string[]): Promise<"all" | string[] | undefined> {
  if (found.length === 0) {
    return "all";
  }
  const isShort = found.length <= MAX_ALL;
  const picked = await vscode.window.showQuickPick(
    found.map((id) => ({ label: id, picked: isShort })),
    { title: `${name} has ${found.length} ${found.length === 1 ? "model" : "models"}`, placeHolder: "Which of them should be offered?", canPickMany: true, ignoreFocusOut: true },
  );
  if (picked === undefined) {
    return undefined;
  }
  return picked.length === 0 || picked.length === found.length ? "all" : picked.map(({ label }) => label);
}

type AfterFailure = "again" | "address" | "key" | "save";

async function askAfterFailure({ name }: ServerSetting, problem: string): Promise<AfterFailure | undefined> {
  // A dialog shows the whole of what is wrong, where a quick pick would cut it. The first button has the focus.
  const picked = await vscode.window.showWarningMessage(
    `${name} cannot be used yet.`,
    { modal: true, detail: problem },
    { title: "Change Address…", next: "address" as const },
    { title: "Change Key…", next: "key" as const },
    { title: "Try Again", next: "again" as const },
    { title: "Add It Anyway", next: "save" as const },
  );
  return picked?.next;
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
