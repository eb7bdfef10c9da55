import { bareName } from "../../core/registry.js";
import type { Operation } from "./operations.js";

/** With the prefix `toolhost_` a name stays within the 64 characters that model APIs allow. */
const MAX_NAME = 55;
/** Longer ids say no more in 55 characters. */
const MAX_READ = 300;

/** Gives names to operations: each is in snake_case and unlike all others. */
export class ToolNames {
  readonly #taken: (name: string) => boolean;
  readonly #given = new Set<string>();
  /** Numbers already tried, by name: 100,000 operations may have one id. */
  readonly #numbers = new Map<string, number>();
  readonly #prefix: string;
  /** Names that other tools have, and which this one got instead. */
  readonly renamed: { wanted: string; name: string }[] = [];

  /** @param taken whether another tool has a name */
  constructor(taken: (name: string) => boolean, prefix: string | undefined) {
    this.#taken = taken;
    this.#prefix = prefix === undefined ? "" : `${prefix}_`;
  }

  /** Returns the operation's id, or else its method and path, as a name. */
  give({ id, method, path }: Pick<Operation, "id" | "method" | "path">): string {
    const byPath = `${method} ${path.replaceAll(/[{}]/g, " ")}`;
    const names = (id === undefined ? [byPath] : [id, byPath]).map((words) => this.#named(words));
    const free = names.find((name) => name !== undefined && this.#isFree(name));
    const name = free ?? this.#numbered(names.find((each) => each !== undefined) ?? this.#prefix + "operation");
    this.#given.add(bareName(name));
    const wanted = names[0];
    if (wanted !== undefined && wanted !== name && this.#taken(wanted)) {
      this.renamed.push({ wanted, name });
    }
    return name;
  }

  #isFree(name: string): boolean {
    return !this.#given.has(bareName(name)) && !this.#taken(name);
  }

  #named(words: string): string | undefined {
    const name = snakeCase(words);
    return name === ""
      ? undefined
      : cut(/^\d/.test(this.#prefix + name) ? `operation_${name}` : this.#prefix + name, MAX_NAME);
  }

  #numbered(base: string): string {
    for (let number = this.#numbers.get(base) ?? 2; ; number++) {
      const name = `${cut(base, MAX_NAME - `_${number}`.length)}_${number}`;
      if (this.#isFree(name)) {
        this.#numbers.set(base, number + 1);
        return name;
      }
    }
  }
}

function cut(name: string, max: number): string {
  return name.slice(0, max).replace(/_$/, "");
}

/** Returns words in snake_case: `getPetById` and `pets/get-by-id` alike become lowercase words with `_` between. */
function snakeCase(words: string): string {
  return words
    .slice(0, MAX_READ)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^_/, "")
    .replace(/_$/, "");
}
