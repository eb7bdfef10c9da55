import type { ExternalTool } from "./externalTools.js";
import type { ChatModel } from "./models.js";

/** What a list of what an agent can do is made of, beside our own tools. */
export interface Inventory {
  /** The tools of others that can be called; none where the host knows of none. */
  external(): readonly ExternalTool[];
  /**
   * The model that a session runs on, else the user's choice.
   *
   * @throws ModelError when no model can be used
   */
  model(session: string, signal: AbortSignal): Promise<ChatModel>;
}
