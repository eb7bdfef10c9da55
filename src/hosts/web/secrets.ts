import type { Secrets } from "../../core/secrets/secrets.js";
import { secretName } from "../../text/secrets/find.js";
import { ID_DIGITS } from "../../text/secrets/handles.js";
import { SecretMask } from "../../text/secrets/mask.js";
import { NamedValues } from "../../text/secrets/named.js";

/**
 * The secrets of a browser's tab: what looks like one, and what the user named. There are no variables, and values in
 * files are not looked up. Handles are made at random and end with the tab.
 */
export class TabSecrets implements Secrets {
  readonly #named = new NamedValues();
  readonly #ids = new Map<string, string>();
  readonly #mask = new SecretMask([], (value) => this.#idOf(value), this.#named);

  /** Adds a secret that its user named. */
  add(name: string, value: string): void {
    this.#named.add(secretName(name), value);
  }

  look(): void {
    // There is nothing to look for.
  }

  mask(): Promise<SecretMask> {
    return Promise.resolve(this.#mask);
  }

  now(): SecretMask {
    return this.#mask;
  }

  note(): void {
    // What a file holds is masked if it looks like a secret.
  }

  find(id: string): readonly string[] {
    return [...this.#ids].flatMap(([value, of]) => (of.startsWith(id) ? [value] : []));
  }

  #idOf(value: string): string {
    let id = this.#ids.get(value);
    if (id === undefined) {
      const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(ID_DIGITS / 2)));
      id = [...bytes]
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join("")
        .slice(0, ID_DIGITS);
      this.#ids.set(value, id);
    }
    return id;
  }
}
