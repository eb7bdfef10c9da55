import type { ReadRule } from "../../core/pipeline/changeOrigin.js";
import type { Outcome } from "../../core/outcome.js";
import { inputHash } from "../../core/pipeline/preparedCalls.js";

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
  /** Told how it ended, which the result does not say. */
  ended?: (outcome: Outcome) => void;
}

interface PendingCall {
  origin: CallOrigin;
  budget: number;
}

/**
 * Calls that our own participant sends through `lm.invokeTool`. VS Code hands a tool nothing but its input and how many
 * tokens its result may have, so the lm door finds the session, turn and call of one again by tool, input and that
 * budget, which no two equal calls share: a call that took another's place would run before its turn, for another
 * session, or wait for what waits for it.
 */
export class PendingCalls {
  readonly #calls = new Map<string, PendingCall[]>();

  /**
   * Announces a call; disposing it forgets it, should it never arrive.
   *
   * @param budget tokens that its result may have
   * @returns the budget to send it with: a few less where equal calls are on their way
   */
  async announce(
    tool: string,
    input: unknown,
    origin: CallOrigin,
    budget: number,
  ): Promise<{ budget: number; dispose(): void }> {
    const key = await callKey(tool, input);
    const equal = this.#calls.get(key) ?? [];
    let own = budget;
    while (equal.some((other) => other.budget === own)) {
      own -= 1;
    }
    const call = { origin, budget: own };
    this.#calls.set(key, [...equal, call]);
    return { budget: own, dispose: () => this.#remove(key, call) };
  }

  /** The origin of the oldest such call, left in its place: which of equal ones is asked about VS Code does not say. */
  async peek(tool: string, input: unknown): Promise<CallOrigin | undefined> {
    return this.#calls.size === 0 ? undefined : this.#calls.get(await callKey(tool, input))?.[0]?.origin;
  }

  /** The origin of a call, taken out; undefined when it is somebody else's. @param budget as it was sent with */
  async take(tool: string, input: unknown, budget: number | undefined): Promise<CallOrigin | undefined> {
    const key = this.#calls.size === 0 ? "" : await callKey(tool, input);
    const call = this.#calls.get(key)?.find((pending) => pending.budget === budget);
    if (call !== undefined) {
      this.#remove(key, call);
    }
    return call?.origin;
  }

  #remove(key: string, call: PendingCall): void {
    const rest = (this.#calls.get(key) ?? []).filter((other) => other !== call);
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
