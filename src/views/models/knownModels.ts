import { isRecord } from "../../core/jsonSchema.js";

/** Where what outlives a window is kept (`vscode.Memento`). */
export interface Keeper {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** What is kept of a server. */
interface Kept {
  /** The models that it told last. */
  told: string[];
  /** The one that a chat had last: VS Code gives it to the next chat, after a restart too. */
  last?: string;
}

const KEY = "toolhost.models.known";
/** Models that are kept of a server. */
const MAX_KEPT = 50;

/**
 * The models that chats may have, by their servers' names. VS Code answers every message of a chat whose model is no
 * longer offered with "Language model unavailable", also one that needs no model. So a server's models stay offered
 * while it tells none, those that were used while the window is open, and the last one also after that: asked for an
 * answer, each says itself what is wrong.
 */
export class KnownModels {
  readonly #keeper: Keeper;
  /** Used in this window. */
  readonly #used = new Map<string, Set<string>>();

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  /** What is to be offered of a server. @param told what it tells now; nothing when it cannot */
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

  /** A chat has it. */
  use(server: string, model: string): void {
    this.#used.set(server, new Set([...(this.#used.get(server) ?? []), model]));
    const kept = this.#of(server);
    if (kept.last !== model) {
      this.#keep(server, { ...kept, last: model });
    }
  }

  /** Whether some chat may have a model of it. */
  isUsed(server: string): boolean {
    return this.#used.has(server) || this.#of(server).last !== undefined;
  }

  /** The servers of which a model was used in this window. */
  usedHere(): string[] {
    return [...this.#used.keys()];
  }

  /** The user removed the server here. */
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
    // Whether it could be written matters to the next window alone.
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
