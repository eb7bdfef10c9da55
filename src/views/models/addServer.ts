import * as vscode from "vscode";
import { nameProblem, readBaseUrl } from "../../features/models/serverSettings.js";
import { ModelError } from "../../features/models/modelError.js";
import type { ServerSetting } from "../../ports/modelServers.js";
import { plain } from "../../text/plainText.js";
import { SERVER_PRESETS, type ServerPreset } from "./presets.js";
import { askKey, type ServerCommandsHost } from "./serverKey.js";

/** Maximum number of models to offer without asking: longer lists crowd the model picker. */
const MAX_ALL = 20;

/** *Add Model Server…*: asks for a server, tries it, and saves it if it lists models or the user adds it anyway. */
export class AddServer {
  readonly #host: ServerCommandsHost;

  constructor(host: ServerCommandsHost) {
    this.#host = host;
  }

  async run(): Promise<void> {
    const preset = await pickPreset();
    let baseUrl = preset && (await this.#askAddress(preset.baseUrl));
    if (preset === undefined || baseUrl === undefined) {
      return;
    }
    let server: ServerSetting = {
      name: this.#freeName(preset.name || nameOf(baseUrl)),
      baseUrl,
      models: undefined,
      headers: {},
    };
    let key = preset.key === "needed" ? await askKey(server, KEY_PROMPT.needed) : "";
    while (key !== undefined) {
      const found = await this.#try(server, key);
      if (found === undefined) {
        return;
      }
      if (Array.isArray(found)) {
        await this.#save(server, key, found);
        return;
      }
      const next = await askAfterFailure(server, key !== "", found);
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
        key = await askKey(server, KEY_PROMPT[preset.key === "needed" ? "needed" : "optional"]);
      } else if (next !== "again") {
        return;
      }
    }
  }

  async #askAddress(value: string): Promise<string | undefined> {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t("Address of the Server"),
      prompt: vscode.l10n.t(
        "The base URL, which usually ends in /v1. Conversations with the server's models are sent there.",
      ),
      value,
      placeHolder: "http://localhost:11434/v1",
      ignoreFocusOut: true,
      validateInput: (text) => {
        const read = readBaseUrl(text);
        return "problem" in read ? sentence(`the base URL ${read.problem}`) : undefined;
      },
    });
    const read = typed === undefined ? undefined : readBaseUrl(typed);
    return read !== undefined && "baseUrl" in read ? read.baseUrl : undefined;
  }

  /** Returns a name that no other server has. The user can change it in the settings. */
  #freeName(wanted: string): string {
    const taken = new Set(this.#host.servers.servers().servers.map(({ name }) => name));
    return (
      [wanted, ...Array.from({ length: taken.size + 1 }, (_, index) => `${wanted}-${index + 2}`)].find(
        (name) => !taken.has(name),
      ) ?? wanted
    );
  }

  /** Returns the ids of the server's models, or an error; undefined if the user did not wait. */
  async #try(server: ServerSetting, key: string): Promise<string[] | ModelError | undefined> {
    return whileAsking(vscode.l10n.t("Asking {0} for its models…", server.name), async (signal) => {
      try {
        const models = await this.#host.servers.probe(server, key === "" ? undefined : key, signal);
        return models.length > 0
          ? models
          : new ModelError("The server answers but has no model. Load or download one there.");
      } catch (error) {
        return error instanceof ModelError ? error : new ModelError(String(error));
      }
    });
  }

  async #save(server: ServerSetting, key: string, found: readonly string[]): Promise<void> {
    // Hundreds of models would bury all others in the model picker.
    const models = found.length > MAX_ALL ? await pickModels(server, found) : "all";
    if (models === undefined) {
      return;
    }
    // Save the key first: the new setting makes us query the server immediately.
    await this.#host.setKey(server, key === "" ? undefined : key);
    await this.#store(server, models);
    const offered = models === "all" ? found : models;
    const [first] = offered;
    const isChosen = first !== undefined && (await this.#host.choose(server, first));
    const others = offered.length - 1;
    const said =
      first === undefined
        ? vscode.l10n.t("Once it lists its models, pick one below the chat input.")
        : !isChosen
          ? others === 0
            ? vscode.l10n.t("Pick its model below the chat input.")
            : vscode.l10n.t("Pick one of its {0} models below the chat input.", offered.length)
          : others === 0
            ? vscode.l10n.t("The chat now uses {0}.", first)
            : others === 1
              ? vscode.l10n.t("The chat now uses {0}; another model can be picked below its input.", first)
              : vscode.l10n.t("The chat now uses {0}; {1} more can be picked below its input.", first, others);
    const buttons = models === "all" && found.length > 1 ? [CHOOSE_MODELS] : [];
    void vscode.window
      .showInformationMessage(`${vscode.l10n.t("{0} is added.", plain(server.name))} ${plain(said)}`, ...buttons)
      .then(async (pressed) => {
        const chosen = pressed === undefined ? undefined : await pickModels(server, found);
        if (chosen !== undefined) {
          await this.#store(server, chosen);
        }
      });
  }

  async #store(server: ServerSetting, models: "all" | readonly string[]): Promise<void> {
    await this.#host.save({ ...server, models: models === "all" ? undefined : models.map((id) => ({ id })) });
  }
}

const CHOOSE_MODELS = vscode.l10n.t("Choose Models…");

const KEY_PROMPT: Record<"optional" | "needed", string> = {
  optional: vscode.l10n.t(
    "Leave it empty if the server needs none. Kept in VS Code's secret storage and sent only to this server.",
  ),
  needed: vscode.l10n.t("Kept in VS Code's secret storage and sent only to this server."),
};

async function pickPreset(): Promise<ServerPreset | undefined> {
  const items = SERVER_PRESETS.map((preset) => ({ label: preset.label, description: preset.baseUrl, preset }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Add Model Server"),
    placeHolder: vscode.l10n.t("What kind of server is it?"),
    ignoreFocusOut: true,
  });
  return picked?.preset;
}

/** Returns the models to offer: `all`, including future ones, or the user's choice; undefined if the user gave up. */
async function pickModels({ name }: ServerSetting, found: readonly string[]): Promise<"all" | string[] | undefined> {
  if (found.length === 0) {
    return "all";
  }
  const isShort = found.length <= MAX_ALL;
  const picked = await vscode.window.showQuickPick(
    found.map((id) => ({ label: id, picked: isShort })),
    {
      title:
        found.length === 1
          ? vscode.l10n.t("{0} has {1} model", name, found.length)
          : vscode.l10n.t("{0} has {1} models", name, found.length),
      placeHolder: vscode.l10n.t("Which models should be offered?"),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) {
    return undefined;
  }
  return picked.length === 0 || picked.length === found.length ? "all" : picked.map(({ label }) => label);
}

type AfterFailure = "again" | "address" | "key" | "save";

/** Options after a failure, most likely first: the first button has the focus. */
const AFTER_FAILURE: Record<"key" | "address" | "other", readonly AfterFailure[]> = {
  key: ["key", "address", "save"],
  address: ["address", "again", "save"],
  other: ["again", "address", "key", "save"],
};

/** Asks in a dialog, since a quick pick would truncate the error. */
async function askAfterFailure(
  { name }: ServerSetting,
  hasKey: boolean,
  { message, wrong }: ModelError,
): Promise<AfterFailure | undefined> {
  const titles: Record<AfterFailure, string> = {
    again: vscode.l10n.t("Try Again"),
    address: vscode.l10n.t("Change Address…"),
    key: hasKey ? vscode.l10n.t("Change Key…") : vscode.l10n.t("Enter Key…"),
    save: vscode.l10n.t("Add It Anyway"),
  };
  const items = AFTER_FAILURE[wrong ?? "other"].map((next) => ({ title: titles[next], next }));
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} is not added yet.", name),
    { modal: true, detail: message },
    ...items,
  );
  return picked?.next;
}

/**
 * Shows progress in a quick pick, in the same place as the questions before and after. A notification would linger
 * behind the next question.
 *
 * @returns undefined if the user stopped it
 */
async function whileAsking<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stopped = new AbortController();
  const shown = vscode.window.createQuickPick();
  Object.assign(shown, {
    title,
    placeholder: vscode.l10n.t("Press Escape to stop."),
    busy: true,
    ignoreFocusOut: true,
  });
  const listener = shown.onDidHide(() => stopped.abort());
  shown.show();
  try {
    const done = await work(stopped.signal);
    return stopped.signal.aborted ? undefined : done;
  } finally {
    listener.dispose();
    shown.dispose();
  }
}

/** Derives a name for a server of unknown kind from its host, or from the program that usually has this address. */
function nameOf(baseUrl: string): string {
  const { hostname, host } = new URL(baseUrl);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
  const known = SERVER_PRESETS.find(
    (preset) =>
      isHere && preset.baseUrl !== "" && new URL(preset.baseUrl).host === `localhost:${host.split(":").at(-1) ?? ""}`,
  );
  return known?.name ?? (isHere || nameProblem(hostname) !== undefined ? "local" : hostname);
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
