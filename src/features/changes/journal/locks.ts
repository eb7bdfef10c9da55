import type { Store } from "../../../ports/store.js";
import { ToolError } from "../../../core/errors.js";
import { LOCK_POLL, LOCK_TIMEOUT } from "./limits.js";
import type { CallRow } from "./rows.js";
import type { JournalChange } from "./types.js";

/** A file that another call is changing. */
export interface Held<By extends HeldBy = CallRow> {
  absolute: string;
  by: By;
}

/** Who holds a file. */
export type HeldBy = Pick<CallRow, "tool" | "owner_pid">;

/** Returns the lock keys of the files that a call changes. */
export function lockKeys(changes: readonly JournalChange[], foldCase: boolean): string[] {
  const keys = changes.flatMap(({ absolute, toAbsolute }) =>
    toAbsolute === undefined ? [absolute] : [absolute, toAbsolute],
  );
  return [...new Set(foldCase ? keys.map((key) => key.toLowerCase()) : keys)];
}

/** Returns the first of the files that another call holds. */
export function heldFile(store: Store, keys: readonly string[]): Held | undefined {
  for (const absolute of keys) {
    const by = store.get<CallRow>(
      "SELECT calls.* FROM locks JOIN calls ON calls.id = locks.call WHERE absolute = ?",
      absolute,
    );
    if (by !== undefined) {
      return { absolute, by };
    }
  }
  return undefined;
}

/**
 * Waits for files that others are changing. Calls of this process wake the waiting ones; other processes are polled.
 */
export class LockWaits {
  readonly #waiting = new Set<() => void>();

  /** Wakes the waiting calls: files may be free now. */
  wake(): void {
    for (const go of this.#waiting) {
      go();
    }
  }

  /**
   * Repeats an attempt until it succeeds or the timeout is over.
   *
   * @param attempt returns the file that is still locked, or undefined when it is done
   * @throws ToolError `conflict`, and the signal's reason
   */
  async until<By extends HeldBy>(
    attempt: () => Promise<Held<By> | undefined>,
    signal: AbortSignal | undefined,
    pathOf: (held: Held<By>) => string,
  ): Promise<void> {
    for (const deadline = Date.now() + LOCK_TIMEOUT; ;) {
      signal?.throwIfAborted();
      const held = await attempt();
      if (held === undefined) {
        return;
      }
      if (Date.now() > deadline) {
        throw new ToolError(
          "conflict",
          `${pathOf(held)} is being changed by another call (${held.by.tool}, process ${held.by.owner_pid}). Nothing was changed.`,
          "Try again when it is done.",
        );
      }
      await this.#pause(signal);
    }
  }

  async #pause(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, LOCK_POLL);
      signal?.addEventListener("abort", done);
      this.#waiting.add(done);
    });
  }
}
