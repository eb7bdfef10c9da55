import type { ExternalTool } from "./externalTools.js";
import type { ChatModel } from "./models.js";

/** What the capabilities list needs besides our own tools. */
export interface Inventory {
  /** Returns other providers' tools that can be called; empty if the host knows none. */
  external(signal: AbortSignal): readonly ExternalTool[] | Promise<readonly ExternalTool[]>;
  /**
   * Returns the model that a session runs on, or else the user's choice.
   *
   * @throws ModelError if no model can be used
   */
  model(session: string, signal: AbortSignal): Promise<ChatModel>;
}
