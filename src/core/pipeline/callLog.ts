import { shorten } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import type { Caller } from "../caller.js";
import { errorText } from "../outcome.js";
import { rememberedInput, rememberedResult, type CallStart } from "./activity.js";
import { turnOf } from "./callContext.js";
import { failureWords } from "./callFailure.js";
import type { FullOutcome } from "./fullOutcome.js";
import type { PipelineHost } from "./pipelineHost.js";
import { MAX_NAME } from "./unknownTool.js";

/** A call as it was made. */
export interface MadeCall {
  name: string;
  raw: unknown;
  caller: Caller;
  callId: string;
  started: number;
}

/** Records calls, if the log can: one that fails does not change an outcome. */
export class CallLog {
  readonly #host: Pick<PipelineHost, "activity" | "now">;
  readonly #mask: (text: string) => string;

  /** @param mask hides secrets, without waiting */
  constructor(host: Pick<PipelineHost, "activity" | "now">, mask: (text: string) => string) {
    this.#host = host;
    this.#mask = mask;
  }

  /**
   * Records that a call has begun. A failing log does not change the outcome: the call is made, whether or not it can be
   * recorded.
   */
  began(call: MadeCall): void {
    try {
      this.#host.activity.began?.(this.#startOf(call));
    } catch {
      // The log may fail: the output channel of a closing window, for example.
    }
  }

  /** Records a call, if the log can. @param isUnmasked whether the result is for its caller's eyes only */
  ended(call: MadeCall, outcome: FullOutcome, isUnmasked: boolean): void {
    try {
      const failed = failureWords(outcome);
      this.#host.activity.record({
        ...this.#startOf(call),
        duration: this.#host.now() - call.started,
        outcome: outcome.ok ? "ok" : outcome.error.type,
        bytes: outcome.ok ? utf8Length(outcome.text) : 0,
        ...(failed === undefined ? {} : { failed }),
        ...(isUnmasked ? {} : { result: rememberedResult(outcome.ok ? outcome.text : errorText(outcome.error)) }),
      });
    } catch {
      // As above.
    }
  }

  #startOf({ name, raw, caller, callId, started }: MadeCall): CallStart {
    return {
      callId,
      parentId: caller.parentId,
      session: caller.session,
      root: { session: caller.root?.session ?? caller.session, turn: turnOf(caller, callId) },
      door: caller.door,
      tool: shorten(this.#mask(name), MAX_NAME),
      input: rememberedInput(raw, this.#mask),
      started,
    };
  }
}
