import type { ReadRule } from "../../core/changes.js";
import { inputHash } from "../../core/preparedCalls.js";

/** The session and turn of a call that is on its way through VS Code. */
export interface CallOrigin {
  session: string;
  callId: string;
  parentId: string;
  /** What the session has to have read before it changes a file. */
  reads: ReadRule;
  /** See `Caller.root`. */
  root?: { session: string; turn: string };
  /** See `Caller.planOnly`. */
  planOnly?: boolean;
  /** Resolves when it may run: the user may be asked before. At once when absent. */
  ready?: Promise<void>;
  /** Told what it does while it runs. */
  report?: (message: string) => void;
  /** Told whether it did its work, which the result does not say. */
  ended?: (ok: boolean) => void;
}

/**
 * Calls that our own participant sends through `lm.invokeTool`. VS Code hands a tool nothing but its input, so
 * the lm door finds the session, turn and call of one again by tool and input.
 */
export class PendingCalls {
  readonly #calls = new Map<string, CallOrigin[]>();

  /** Announces a call; disposing it forgets it, should it never arrive. */
  async announce(tool: string, input: unknown, origin: CallOrigin): Promise<{ dispose(): void }> {
    const key = await callKey(tool, input);
    this.#calls.set(key, [...(this.#calls.get(key) ?? []), origin]);
    return { dispose: () => this.#remove(key, origin) };
  }

  /** The origin of the oldest such call, left in its place. */
  async peek(tool: string, input: unknown): Promise<CallOrigin | undefined> {
    return this.#calls.size === 0 ? undefined : this.#calls.get(await callKey(tool, input))?.[0];
  }

  /** The origin of the oldest such call, taken out. */
  async take(tool: string, input: unknown): Promise<CallOrigin | undefined> {
    const key = this.#calls.size === 0 ? "" : await callKey(tool, input);
    // Looked up and taken out with nothing in between: equal calls that run side by side get an origin each.
    const origin = this.#calls.get(key)?.[0];
    if (origin !== undefined) {
      this.#remove(key, origin);
    }
    return origin;
  }

  #remove(key: string, origin: CallOrigin): void {
    const rest = (this.#calls.get(key) ?? []).filter((other) => other !== origin);
    if (rest.length > 0) {
      this.#calls.set(key, rest);
    } else {
      this.#calls.delete(key);
    }
  }
}

async function callKey(tool: string, input: unknown): Promise<string> {
  return `${tool} ${await inputHash(input)}`;
}
