import type { InputRequest, Server, ServerContext } from "@modelcontextprotocol/server";
import type * as McpSdk from "./mcpSdk.js";

/** The request's name in the client's answer. */
const ROOTS = "roots";
/** How long a client may take to say its roots, in ms. One that never answers is one that has none. */
const ROOTS_TIME = 3_000;

/** The folders in which a client says that it works. It is asked once, and again when it says that they have changed. */
export class ClientRoots {
  readonly #sdk: Pick<typeof McpSdk, "inputRequired" | "inputResponse">;
  #known: Promise<readonly string[]> | undefined;

  constructor(sdk: Pick<typeof McpSdk, "inputRequired" | "inputResponse">) {
    this.#sdk = sdk;
  }

  forget(): void {
    this.#known = undefined;
  }

  /** Asks a client whose revision has requests of servers. Resolves to none if it does not say. */
  ask(server: Server): Promise<readonly string[]> {
    this.#known ??= server.listRoots({}, { timeout: ROOTS_TIME }).then(
      ({ roots }) => roots.map(({ uri }) => uri),
      () => [],
    );
    return this.#known;
  }

  /**
   * Returns what a client of another revision has said, or the request that its call has to be answered with first.
   */
  async said({ mcpReq }: ServerContext): Promise<readonly string[] | Record<string, InputRequest>> {
    if (this.#known === undefined && mcpReq.inputResponses === undefined) {
      return { [ROOTS]: this.#sdk.inputRequired.listRoots() };
    }
    const answer = this.#sdk.inputResponse(mcpReq.inputResponses, ROOTS);
    this.#known ??= Promise.resolve(answer.kind === "roots" ? answer.roots.map(({ uri }) => uri) : []);
    return this.#known;
  }
}
