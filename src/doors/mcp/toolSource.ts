import type { Progress } from "../../core/contract.js";
import type { McpTool } from "../../core/formats.js";
import type { JsonSchema } from "../../core/jsonSchema.js";
import type { Media } from "../../core/outcome.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Person } from "../../ports/person.js";
import type { OfferAnswer, OfferRequest } from "./offerTypes.js";

/** A tool as it is listed, with the shape of its results' data. */
export interface ListedTool extends McpTool {
  outputSchema?: JsonSchema;
}

/** A call's answer: its text says all, also of a failure. */
export interface ToolAnswer {
  ok: boolean;
  text: string;
  data?: unknown;
  media?: readonly Media[];
}

/** How a client makes a call. */
export interface CallOptions {
  /** The client's name for people. */
  client: string;
  signal: AbortSignal;
  report: (progress: Progress) => void;
  /** The number of the turn in the client's session. */
  turn: number;
  /** Maximum characters of the answer. */
  answerSize: number;
  /** Answers the question of a call where no window does. */
  person?: Person | undefined;
  /**
   * Returns what asks about calls where no window does.
   *
   * @param otherwise decides where that may not ask
   */
  asking?: ((tool: string, otherwise: Confirm) => Confirm) | undefined;
}

/** Whose tools an MCP client is served. */
export interface ToolSource {
  /** @param client the client's name for people */
  list(client: string): Promise<ListedTool[]>;
  /** Calls a listener when the list may have changed. */
  onDidChange(listener: () => void): { dispose(): void };
  /**
   * Answers a request for something else than tools.
   *
   * @throws Error with words for the client, if it cannot
   */
  offer(request: OfferRequest, options: Pick<CallOptions, "client" | "signal">): Promise<OfferAnswer>;
  /** Lets another process go on with the client's session. */
  release?(): Promise<void>;
  /** Never throws. */
  call(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer>;
}
