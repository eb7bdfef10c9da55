import type { SandboxUse } from "../doors/shared/toolTypes.js";
import type * as SandboxPlace from "./sandboxPlace.js";

/** The sandboxes that a program or the user's settings chose: tools work in the one that was chosen last. */
export class SandboxUses {
  readonly #host: () => SandboxPlace.PlaceHost;
  readonly #onChange: () => void;
  #uses: readonly SandboxPlace.Place[] = [];
  readonly #closing = new Set<Promise<void>>();

  /** @param onChange called when tools work somewhere else: the local pipeline must forget what was shown */
  constructor(host: () => SandboxPlace.PlaceHost, onChange: () => void) {
    this.#host = host;
    this.#onChange = onChange;
  }

  /** The one where tools work; undefined for the folders that are open. */
  get current(): SandboxPlace.Place | undefined {
    return this.#uses.at(-1);
  }

  #change(uses: readonly SandboxPlace.Place[]): void {
    this.#uses = uses;
    // What was shown there before would otherwise count as answered when tools work there again.
    uses.forEach(({ pipeline }) => pipeline.forgetShown());
    this.#onChange();
  }

  /** @throws TypeError that names what is wrong */
  use(client: unknown, options?: unknown): SandboxUse {
    // oxlint-disable-next-line typescript/no-require-imports -- the only import that loads on use and at once
    const { openPlace } = require("./sandboxPlace.js") as typeof SandboxPlace;
    const host = this.#host();
    const place = openPlace(client, options, host);
    this.#change([...this.#uses, place]);
    return {
      name: place.name,
      undo: ({ list = false, signal = new AbortController().signal } = {}) =>
        place.undo(list ? "list" : "last", signal),
      dispose: () => {
        if (this.#uses.includes(place)) {
          this.#change(this.#uses.filter((each) => each !== place));
          const closing = place
            .close()
            .catch((error: unknown) => host.onNotice(`${place.name}: ${String(error)}`))
            .finally(() => this.#closing.delete(closing));
          this.#closing.add(closing);
        }
      },
    };
  }

  async close(): Promise<void> {
    const uses = this.#uses;
    this.#uses = [];
    await Promise.all([...uses.map((place) => place.close()), ...this.#closing]);
  }
}
