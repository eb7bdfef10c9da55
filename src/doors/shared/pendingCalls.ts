import type { ReadRule } from "../../core/pipeline/changeOrigin.js";
import type { Outcome } from "../../core/outcome.js";
import type { Confirm } from "../../ports/confirm.js";
import { inputHash } from "../../core/pipeline/preparedCalls.js";

/** The session and turn of a call on its way through VS Code. */
export interface CallOrigin {
  session: string;
  callId: string;
  parentId: string;
  /** Which files the session must have read before it changes them. */
  reads: ReadRule;
  /** See `Caller.root`. */
  root?: { session: string; turn: string };
  /** See `Caller.planOnly`. */
  planOnly?: boolean;
  /** See `AgentCall.asker`. */
  asker?: string | undefined;
  /** Resolves when the call may run; the user may be asked earlier. Default: immediately. */
  ready?: Promise<void>;
  /** Asks our own questions about it. Default: a dialog. */
  confirm?: Confirm;
  /** Called with the progress of the call. */
  report?: (message: string) => void;
  /** Called with the outcome, which the result does not contain. */
  ended?: (outcome: Outcome) => void;
}

interface PendingCall {
  origin: CallOrigin;
  budget: number;
}

/**
 * Calls that our own participant sends through `lm.invokeTool`. VS Code passes a tool only its input and its token
 * budget, so the lm door finds the call's session and turn by tool, input and budget, and equal calls get different
 * budgets: mixing up two calls would run one early, in the wrong session, or deadlock.
 */
export class PendingCalls {
  readonly #calls = new Map<string, PendingCall[]>();

  /**
   * Announces a call. Dispose the result to forget a call that never arrived.
   *
   * @param budget maximum tokens of the call's result
   * @returns the budget to send it with: slightly less if equal calls are pending
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

  /** Returns the origin of the oldest matching call and keeps it: VS Code does not say which of equal calls it asks about. */
  async peek(tool: string, input: unknown): Promise<CallOrigin | undefined> {
    return this.#calls.size === 0 ? undefined : this.#calls.get(await callKey(tool, input))?.[0]?.origin;
  }

  /** Removes a call and returns its origin; undefined if the call is not ours. @param budget the budget it was sent with */
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
