import type { ChatModel, ModelPrices } from "./models.js";

/** One model of a server, as the user's settings describe it. */
export interface ModelSetting {
  id: string;
  /** Name for people; defaults to the id. */
  name?: string;
  /** Maximum number of tokens in a request. */
  maxInputTokens?: number;
  /** Whether it accepts images. */
  images?: boolean;
  prices?: ModelPrices;
}

/** An OpenAI-compatible server, as the user's settings describe it. */
export interface ServerSetting {
  /** Contains no `/`, because models are named `<server>/<model>`. */
  name: string;
  /** Ends in `/v1`, without a trailing slash: `http://localhost:11434/v1`. */
  baseUrl: string;
  /** The models to offer; undefined for all models the server lists. */
  models: ModelSetting[] | undefined;
  /** Sent with every request. May contain secrets. */
  headers: Record<string, string>;
}

/** A model of a server. */
export interface ServerModel extends ChatModel {
  /** The server's name. */
  readonly server: string;
}

/** The servers of the user's settings and their models. */
export interface ModelServers {
  /** Returns the servers in the settings; `problems` names invalid entries. */
  servers(): { servers: ServerSetting[]; problems: string[] };
  /** Lists the models of all servers. A server that does not answer soon is skipped, and `problems` says why. */
  list(signal: AbortSignal): Promise<{ models: ServerModel[]; problems: string[] }>;
  /**
   * Returns the model with this name, whether or not its server lists it; undefined if no server in the settings has
   * that name.
   *
   * @param name `<server>/<model>`
   */
  model(name: string): ServerModel | undefined;
  /**
   * Asks a server that is not in the settings yet for its models.
   *
   * @throws ModelError
   */
  probe(server: ServerSetting, key: string | undefined, signal: AbortSignal): Promise<string[]>;
  /** Calls `listener` when the models may have changed. */
  onDidChange(listener: () => void): { dispose(): void };
}
