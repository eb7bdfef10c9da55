import type { ChatModel, ModelContent } from "../ports/models.js";
import type { TokenCount } from "../ports/sessions.js";
import type { AgentEvent, NoticeKind } from "./events.js";
import type { Retry } from "./requestModel.js";
import { estimateMessage } from "./tokens.js";
import type { TurnRequest } from "./turn.js";

/** Reports a turn as it runs, to those who show it. */
export class TurnReport {
  readonly #request: Pick<TurnRequest, "session" | "model" | "onEvent">;
  /** Tokens of all its requests. */
  readonly tokens: TokenCount = { input: 0, output: 0, estimated: false };

  constructor(request: Pick<TurnRequest, "session" | "model" | "onEvent">) {
    this.#request = request;
  }

  /** Never throws. */
  emit(event: AgentEvent): void {
    try {
      this.#request.onEvent(event);
    } catch {
      // The listener may be gone, for example a closed chat; the turn continues.
    }
  }

  /** Tells the user something about the turn. */
  notice(kind: NoticeKind, message: string): void {
    this.emit({ type: "notice", session: this.#request.session, kind, message });
  }

  /** Tells the user that a request failed and is made again. */
  retry({ reason, wait, attempt }: Retry): void {
    this.notice("retry", `${reason} Retrying in ${Math.max(1, Math.round(wait / 1000))} s (attempt ${attempt + 1}).`);
  }

  /**
   * Reports the tokens of a request, and counts them.
   *
   * @param used as the provider counted them; undefined if it did not
   * @param estimated our estimate of the request
   * @param content the answer
   */
  usage(
    used: { input: number; output: number } | undefined,
    estimated: number,
    content: readonly ModelContent[],
  ): { tokens: TokenCount; cost: number | undefined } {
    const { model, session } = this.#request;
    const { input, output } = used ?? {
      input: estimated,
      output: estimateMessage({ role: "assistant", content: [...content] }),
    };
    const tokens = { input, output, estimated: used === undefined };
    this.tokens.input += input;
    this.tokens.output += output;
    this.tokens.estimated ||= tokens.estimated;
    const cost = costOf(model, tokens);
    this.emit({ type: "usage", session, tokens: { ...tokens }, ...(cost === undefined ? {} : { cost }) });
    return { tokens, cost };
  }
}

/** Returns the cost of tokens, in the user's currency; undefined if the model has no prices. */
function costOf({ prices }: ChatModel, { input, output }: { input: number; output: number }): number | undefined {
  return prices && (input * prices.input + output * prices.output) / 1_000_000;
}
