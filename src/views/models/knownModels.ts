import { isRecord } from "../../core/jsonSchema.js";

/** Storage that outlives a window (`vscode.Memento`). */
export interface Keeper {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** Stored data of a server. */
interface Kept {
  /** The models that it listed last. */
  told: string[];
  /** The model that a chat used last: VS Code selects it in the next chat, even after a restart. */
  last?: string;
}

const KEY = "toolhost.models.known";
/** Maximum number of stored models per server. */
const MAX_KEPT = 50;

/**
 * The models that chats may have selected, by server name. If a chat's model is no longer offered, VS Code answers every
 * message with "Language model unavailable", even one that needs no model. So we keep offering a server's models while it
 * lists none, the models used in this window until it closes, and the last used model even after that. A request to
 * such a model fails with the actual problem.
 */
export class KnownModels {
  readonly #keeper: Keeper;
  /** Used in this window. */
  readonly #used = new Map<string, Set<string>>();

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  /** Returns the models to offer. @param told the models that the server lists now; empty if it cannot */
  offered(server: string, told: readonly string[]): string[] {
    const kept = this.#of(server);
    if (told.length > 0 && JSON.stringify(kept.told) !== JSON.stringify(told.slice(0, MAX_KEPT))) {
      this.#keep(server, { ...kept, told: told.slice(0, MAX_KEPT) });
    }
    return [
      ...new Set([
        ...(told.length > 0 ? told : kept.told),
        ...(this.#used.get(server) ?? []),
        ...(kept.last === undefined ? [] : [kept.last]),
      ]),
    ];
  }

  /** Records that a chat uses a model. */
  use(server: string, model: string): void {
    this.#used.set(server, new Set([...(this.#used.get(server) ?? []), model]));
    const kept = this.#of(server);
    if (kept.last !== model) {
      this.#keep(server, { ...kept, last: model });
    }
  }

  /** Whether a chat may have one of its models selected. */
  isUsed(server: string): boolean {
    return this.#used.has(server) || this.#of(server).last !== undefined;
  }

  /** Returns the servers with a model used in this window. */
  usedHere(): string[] {
    return [...this.#used.keys()];
  }

  /** Forgets a server that the user removed in this window. */
  forget(server: string): void {
    this.#used.delete(server);
    this.#keep(server, undefined);
  }

  #of(server: string): Kept {
    const { told, last } = this.#all()[server] ?? {};
    return {
      told: Array.isArray(told) ? told.filter((id) => typeof id === "string") : [],
      ...(typeof last === "string" ? { last } : {}),
    };
  }

  #keep(server: string, kept: Kept | undefined): void {
    const { [server]: _, ...others } = this.#all();
    // A failed write only matters to the next window.
    this.#keeper
      .update(KEY, kept === undefined ? others : { ...others, [server]: kept })
      .then(undefined, () => undefined);
  }

  #all(): Record<string, Record<string, unknown>> {
    const kept = this.#keeper.get(KEY);
    return isRecord(kept)
      ? Object.fromEntries(
          Object.entries(kept).flatMap(([server, value]) => (isRecord(value) ? [[server, value]] : [])),
        )
      : {};
  }
}
