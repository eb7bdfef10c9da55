import * as vscode from "vscode";
import { requestModel } from "../../agent/requestModel.js";
import { ModelError } from "../../features/models/modelError.js";
import type { ModelEvent, ModelRequest } from "../../ports/models.js";
import type { ModelServers, ServerModel } from "../../ports/modelServers.js";
import { toAbortSignal } from "../shared/abortSignal.js";
import type { KnownModels } from "./knownModels.js";
import { textsOf, toModelMessages } from "./requestMessages.js";
import { SERVERS_VENDOR, SERVER_COMMAND } from "../../names/contributed.js";

/** Input tokens of a model with an unknown limit: VS Code needs a number, and a server with a lower limit says so. */
const UNKNOWN_ROOM = 128_000;
/** Output tokens: VS Code needs a number, but it limits nothing here. */
const MAX_OUTPUT = 16_000;
const CHARACTERS_PER_TOKEN = 4;

export interface ServersProviderHost {
  servers: ModelServers;
  known: KnownModels;
  /** Logs a problem with a server. Has no contents or keys. */
  onNotice(message: string): void;
}

/** Offers the models of the user's servers in VS Code, including to Copilot's agent. */
export class ServersProvider implements vscode.LanguageModelChatProvider {
  readonly #host: ServersProviderHost;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeLanguageModelChatInformation = this.#changed.event;
  readonly #listener: { dispose(): void };
  #told = "";

  constructor(host: ServersProviderHost) {
    this.#host = host;
    this.#listener = host.servers.onDidChange(() => this.update());
  }

  /** Refreshes VS Code's model picker. The event alone has no effect for a vendor whose models were never requested. */
  update(): void {
    this.#changed.fire();
    void vscode.lm.selectChatModels({ vendor: SERVERS_VENDOR });
  }

  async provideLanguageModelChatInformation(
    { silent }: vscode.PrepareLanguageModelChatModelOptions,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelChatInformation[]> {
    if (!silent && this.#host.servers.servers().servers.length === 0) {
      await vscode.commands.executeCommand(SERVER_COMMAND.add);
    }
    const { signal, dispose } = toAbortSignal(token);
    try {
      const { models, problems } = await this.#host.servers.list(signal);
      this.#note(problems);
      const { servers } = this.#host.servers.servers();
      const gone = this.#host.known.usedHere().filter((name) => servers.every((server) => server.name !== name));
      return [
        ...servers.flatMap(({ name }) => {
          const told = models.filter(({ server }) => server === name);
          const others = this.#host.known
            .offered(name, told.map(modelId))
            .filter((id) => told.every((model) => modelId(model) !== id));
          return [
            ...told.map(information),
            ...others.flatMap((id) => this.#host.servers.model(`${name}/${id}`) ?? []).map(information),
          ];
        }),
        ...gone.flatMap((name) => this.#host.known.offered(name, []).map((id) => goneInformation(name, id))),
      ];
    } finally {
      dispose();
    }
  }

  async provideLanguageModelChatResponse(
    { id }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const model = this.#host.servers.model(id);
    this.#use(id);
    if (model === undefined) {
      throw withoutStack(
        vscode.l10n.t(
          "The server of {0} is no longer in the settings. Choose another model, or add the server again with “Toolhost: Add Model Server…”.",
          id,
        ),
      );
    }
    const request: ModelRequest = {
      messages: toModelMessages(messages),
      tools: (options.tools ?? []).map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: inputSchema ?? {},
      })),
      mustCall: options.toolMode === vscode.LanguageModelChatToolMode.Required,
    };
    const { signal, dispose } = toAbortSignal(token);
    try {
      for await (const event of requestModel(model, request, signal, {
        onRetry: ({ reason, wait }) =>
          this.#host.onNotice(vscode.l10n.t("Retrying in {0} s: {1}", Math.ceil(wait / 1000), reason)),
      })) {
        const part = event.type === "restart" ? undefined : asPart(event, model);
        if (part !== undefined) {
          progress.report(part);
        }
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      throw error instanceof ModelError ? withoutStack(error.message) : error;
    } finally {
      dispose();
    }
  }

  async provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    return Math.ceil((typeof text === "string" ? text : textsOf(text)).length / CHARACTERS_PER_TOKEN);
  }

  #use(id: string): void {
    const [server = "", ...rest] = id.split("/");
    this.#host.known.use(server, rest.join("/"));
  }

  /** Logs a problem once, not each time VS Code lists models. */
  #note(problems: readonly string[]): void {
    const told = problems.join("\n");
    if (told !== this.#told) {
      this.#told = told;
      problems.forEach((problem) => this.#host.onNotice(problem));
    }
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }
}

/** Returns the server's own id for a model. */
function modelId({ id, server }: ServerModel): string {
  return id.slice(`${SERVERS_VENDOR}/${server}/`.length);
}

/** Describes a model of a removed server that a chat still has selected. A request to it reports that. */
function goneInformation(server: string, id: string): vscode.LanguageModelChatInformation {
  return {
    ...{
      id: `${server}/${id}`,
      name: id,
      family: id,
      version: "1",
      detail: `${server} (removed)`,
      maxInputTokens: UNKNOWN_ROOM,
      maxOutputTokens: MAX_OUTPUT,
    },
    tooltip: vscode.l10n.t("The server “{0}” is no longer in your settings. Choose another model.", server),
    capabilities: { toolCalling: true },
  };
}

function information(model: ServerModel): vscode.LanguageModelChatInformation {
  return {
    id: `${model.server}/${modelId(model)}`,
    name: model.name,
    family: modelId(model),
    version: "1",
    detail: model.server,
    tooltip: `${modelId(model)} at the server “${model.server}” of your settings.${model.maxInputTokens === undefined ? " Its input limit is unknown: set maxInputTokens." : ""}`,
    maxInputTokens: model.maxInputTokens ?? UNKNOWN_ROOM,
    maxOutputTokens: MAX_OUTPUT,
    // No list says whether a model can call tools; one that cannot reports it with the request.
    capabilities: { toolCalling: true, imageInput: model.seesImages !== false },
  };
}

/** Converts an event for VS Code, which has no part for token counts. */
function asPart(event: ModelEvent, { name }: ServerModel): vscode.LanguageModelResponsePart | undefined {
  switch (event.type) {
    case "text":
      return new vscode.LanguageModelTextPart(event.text);
    case "call":
      // There is no way to report a malformed input here, but the tool refuses an empty one and the model tries again.
      return new vscode.LanguageModelToolCallPart(event.id, event.name, event.input);
    case "cut":
      return new vscode.LanguageModelTextPart(
        event.reason === "length"
          ? `\n\n*${name} reached its limit: the answer is cut off.*`
          : `\n\n*The server of ${name} withheld the rest of the answer.*`,
      );
    case "usage":
      return undefined;
  }
}

/**
 * Creates an error without a stack, because Copilot's agent shows any stack to the user. VS Code keeps an empty stack but
 * gives each `LanguageModelError` a new one, so this is a plain `Error`.
 */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = "";
  return error;
}
