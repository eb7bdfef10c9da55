import * as vscode from "vscode";
import type { RecordedChange } from "../../features/changes/journal/types.js";
import { SettledParts } from "./settledParts.js";

const KEY = "toolhost.changes.kept";
const PARTS_KEY = "toolhost.changes.settledParts";
/** Maximum number of remembered changes; the journal drops old ones, too. */
const MAX_KEPT = 10_000;

/** Changes that the user has kept, so that no list asks about them again. They are remembered by workspace. */
export class KeptChanges implements vscode.Disposable {
  readonly #keeper: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** Parts of changes that the user has kept or undone one by one. */
  readonly parts: SettledParts;
  #kept: Set<string>;

  constructor(keeper: vscode.Memento) {
    this.#keeper = keeper;
    this.parts = new SettledParts(keeper.get<unknown>(PARTS_KEY));
    const kept = keeper.get<unknown>(KEY);
    this.#kept = new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === "string") : []);
  }

  isKept(change: RecordedChange): boolean {
    return this.#kept.has(keyOf(change));
  }

  async keep(changes: readonly RecordedChange[]): Promise<void> {
    this.#kept = new Set([...this.#kept, ...changes.map(keyOf)].slice(-MAX_KEPT));
    this.#changed.fire();
    await this.#keeper.update(KEY, [...this.#kept]);
  }

  /** Settles parts, by their keys. @param undoneBy the journal's id of the call that undid them; if absent, they are kept */
  async settle(parts: readonly string[], undoneBy?: number): Promise<void> {
    this.parts.settle(parts, undoneBy);
    this.#changed.fire();
    await this.#keeper.update(PARTS_KEY, this.parts.stored());
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Names a change also by its content: a journal that was deleted begins with the same ids again. */
function keyOf({ id, before, after }: RecordedChange): string {
  return `${id}:${(after ?? before)?.hash.slice(0, 8) ?? ""}`;
}
