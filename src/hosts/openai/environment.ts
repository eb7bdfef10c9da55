import { findModel, tellModels } from "../../features/models/findModel.js";
import { readBaseUrl } from "../../features/models/serverSettings.js";
import { ModelError } from "../../features/models/modelError.js";
import type { ChatModel, Models } from "../../ports/models.js";
import type { ServerAccess } from "./access.js";
import { OpenAiModel } from "./model.js";
import { fetchModels, type ListedModel } from "./modelList.js";
import { WAIT_LIMITS, type WaitLimits } from "./patience.js";
import { sendDirectly } from "./sendDirectly.js";
import { roomOf } from "./servers.js";
import { messageOf } from "../../text/words.js";

/** Command-line flags; absent ones are read from the environment. */
export interface EnvironmentOptions {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  model?: string | undefined;
}

/**
 * The models of one server that flags or environment variables name: `OPENAI_BASE_URL`, `OPENAI_API_KEY`,
 * `OPENAI_MODEL`.
 */
export class EnvironmentModels implements Models {
  readonly #options: EnvironmentOptions;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #userAgent: string;
  readonly #limits: WaitLimits;

  constructor(options: EnvironmentOptions, environment: NodeJS.ProcessEnv, userAgent: string, limits = WAIT_LIMITS) {
    this.#options = options;
    this.#environment = environment;
    this.#userAgent = userAgent;
    this.#limits = limits;
  }

  async list(signal: AbortSignal): Promise<{ models: ChatModel[]; problems: string[] }> {
    const access = this.#access();
    try {
      const listed = await this.#fetch(access, signal);
      return { models: listed.map((model) => this.#make(access, model)), problems: [] };
    } catch (error) {
      signal.throwIfAborted();
      return { models: [], problems: [messageOf(error)] };
    }
  }

  async find(id: string | undefined, signal: AbortSignal): Promise<ChatModel> {
    const access = this.#access();
    const name = id ?? this.#value(this.#options.model, "OPENAI_MODEL");
    if (name === undefined) {
      const models = (await this.#fetch(access, signal)).map((model) => this.#make(access, model));
      const [only] = models;
      if (only === undefined || models.length > 1) {
        throw new ModelError(`Say which model to use, with --model or OPENAI_MODEL. ${tellModels(models)}`);
      }
      return only;
    }
    // The server knows best which models it has, even those it does not list: it reports an unknown one when called.
    const { models } = await this.list(signal);
    try {
      return findModel(models, name);
    } catch {
      const prefix = `${access.setting.name}/`;
      return this.#make(access, { id: name.startsWith(prefix) ? name.slice(prefix.length) : name });
    }
  }

  #fetch(access: ServerAccess, signal: AbortSignal): Promise<ListedModel[]> {
    return fetchModels(access, this.#userAgent, this.#limits.list, signal);
  }

  #access(): ServerAccess {
    const given = this.#value(this.#options.baseUrl, "OPENAI_BASE_URL");
    if (given === undefined) {
      throw new ModelError(
        "Say which server to use: --base-url or OPENAI_BASE_URL, for example http://localhost:11434/v1 or https://api.openai.com/v1.",
      );
    }
    const address = readBaseUrl(given);
    if ("problem" in address) {
      throw new ModelError(
        `${this.#options.baseUrl ? "--base-url" : "OPENAI_BASE_URL"} ${address.problem.replace(/;.*$/, "; put the key in OPENAI_API_KEY")}.`,
      );
    }
    const key = this.#value(this.#options.apiKey, "OPENAI_API_KEY");
    return {
      setting: { name: new URL(address.baseUrl).host, baseUrl: address.baseUrl, models: undefined, headers: {} },
      key: async () => key,
      send: sendDirectly,
      advice: { address: "Its address is in --base-url or OPENAI_BASE_URL.", key: "Set the key in OPENAI_API_KEY." },
    };
  }

  /** Returns the value of a flag or else of a variable. An empty variable counts as not set. */
  #value(flag: string | undefined, variable: string): string | undefined {
    return flag || this.#environment[variable] || undefined;
  }

  #make(access: ServerAccess, { contextTokens, ...model }: ListedModel): ChatModel {
    return new OpenAiModel({
      id: `${access.setting.name}/${model.id}`,
      access,
      model: { ...model, ...(contextTokens === undefined ? {} : { maxInputTokens: roomOf(contextTokens) }) },
      userAgent: this.#userAgent,
      limits: this.#limits,
      listModels: async () => (await this.#fetch(access, new AbortController().signal)).map(({ id }) => id),
    });
  }
}
