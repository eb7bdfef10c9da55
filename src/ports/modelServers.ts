import type { ChatModel, ModelPrices } from "./models.js";

/** One model of a server, as the user's settings describe it. */
export interface ModelSetting {
  id: string;
  /** For people; the id when absent. */
  name?: string;
  /** Tokens that a request may hold. */
  maxInputTokens?: number;
  /** Whether it can look at images. */
  images?: boolean;
  prices?: ModelPrices;
}

/** An OpenAI-compatible server, as the user's settings describe it. */
export interface ServerSetting {
  /** Holds no `/`: a model is named `<server>/<model>`. */
  name: string;
  /** Up to `/v1`, without a final slash: `http://localhost:11434/v1`. */
  baseUrl: string;
  /** The models to offer; undefined for all that the server lists. */
  models: ModelSetting[] | undefined;
  /** Sent with every request. May hold secrets. */
  headers: Record<string, string>;
}

/** A model of a server. */
export interface ServerModel extends ChatModel {
  /** The server's name. */
  readonly server: string;
}

/** The servers of the user's settings and their models. */
export interface ModelServers {
  /** What the settings have; `problems` name the entries that are wrong. */
  servers(): { servers: ServerSetting[]; problems: string[] };
  /** The models of all servers. One that does not answer soon is left out, with its reason in `problems`. */
  list(signal: AbortSignal): Promise<{ models: ServerModel[]; problems: string[] }>;
  /**
   * The model of that name, whether its server lists it or not; undefined where no server of the settings has that
   * name.
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
  /** Calls back when there may be other models than before. */
  onDidChange(listener: () => void): { dispose(): void };
}
