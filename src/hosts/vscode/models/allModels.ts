import * as vscode from "vscode";
import { findModel, tellModels } from "../../../features/models/findModel.js";
import { ModelError } from "../../../features/models/modelError.js";
import type { ChatModel, Models } from "../../../ports/models.js";
import type { ModelServers } from "../../../ports/modelServers.js";
import { VscodeModel } from "./models.js";

export interface VscodeModelsOptions {
  servers: ModelServers;
  /** The vendor under which VS Code offers the models of `servers` as well. */
  serversVendor: string;
  /** Vendors whose models are not real: the stand-in. */
  leaveOut: readonly string[];
  /** The user's choice for agents that have no chosen model; undefined if there is none. */
  chosen: () => string | undefined;
}

/** The models of VS Code's providers, then those of the user's servers, which are called directly. */
export class VscodeModels implements Models {
  readonly #options: VscodeModelsOptions;

  constructor(options: VscodeModelsOptions) {
    this.#options = options;
  }

  async list(signal: AbortSignal): Promise<{ models: ChatModel[]; problems: string[] }> {
    const { servers, serversVendor, leaveOut } = this.#options;
    const [all, own] = await Promise.all([vscode.lm.selectChatModels(), servers.list(signal)]);
    // Copilot lists placeholders for other kinds of session that no chat can use: their limit is 0 tokens.
    const usable = all.filter(
      ({ vendor, maxInputTokens }) => vendor !== serversVendor && !leaveOut.includes(vendor) && maxInputTokens > 0,
    );
    return { models: [...usable.map((model) => new VscodeModel(model)), ...own.models], problems: own.problems };
  }

  async find(id: string | undefined, signal: AbortSignal): Promise<ChatModel> {
    const name = id ?? this.#options.chosen();
    const { models, problems } = await this.list(signal);
    if (name !== undefined) {
      return this.#ofServer(name) ?? this.#named(models, name, problems);
    }
    const [first] = models;
    if (first === undefined) {
      throw new ModelError(
        [
          `${tellModels([])} Add a server with the command “Toolhost: Add Model Server…”, or sign in to GitHub Copilot.`,
          ...problems,
        ].join(" "),
      );
    }
    return first;
  }

  /**
   * Returns our own model if VS Code's is one of the user's servers, so that token counts, prices and error reasons are
   * not lost on the way.
   */
  ownModel({ vendor, id }: vscode.LanguageModelChat): ChatModel | undefined {
    return vendor === this.#options.serversVendor ? this.#options.servers.model(id) : undefined;
  }

  /** Returns the model that the participant runs on if the user picked this one. */
  asModel(model: vscode.LanguageModelChat): ChatModel {
    return this.ownModel(model) ?? new VscodeModel(model);
  }

  #named(models: readonly ChatModel[], name: string, problems: readonly string[]): ChatModel {
    try {
      return findModel(models, name, problems);
    } catch (error) {
      // A server that is down, or does not list the model, reports that itself when called.
      const unlisted = this.#options.servers.model(name);
      if (unlisted !== undefined) {
        return unlisted;
      }
      throw error;
    }
  }

  #ofServer(name: string): ChatModel | undefined {
    const prefix = `${this.#options.serversVendor}/`;
    return name.startsWith(prefix) ? this.#options.servers.model(name.slice(prefix.length)) : undefined;
  }
}
