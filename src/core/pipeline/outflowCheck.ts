import type { SecretMask } from "../../text/secrets/mask.js";
import type { Caller } from "../caller.js";
import type { Touch } from "../contract.js";
import type { SeenBy, SeenCall, SeenTexts } from "../outflow/seenTexts.js";
import { guardOfChange, type SecretTouch } from "../permission/touches.js";
import type { DecidedCall } from "./callContext.js";
import type { Decided } from "./callJudge.js";

/** A decision, and what a yes to its question allows for the rest of the session. */
export type DecidedWithOutflow = Decided & { asked?: readonly string[] };

/** Keeps what sessions have got from their calls, and looks at what they send off this machine. */
export class OutflowCheck {
  readonly #mask: () => Promise<SecretMask> | undefined;
  /** Undefined before a call has returned something: it is a file of its own. */
  #seen: SeenTexts | undefined;

  /** @param mask knows the secrets; undefined if they are not masked */
  constructor(mask: () => Promise<SecretMask> | undefined) {
    this.#mask = mask;
  }

  /** Notes what a call returned. */
  async note(caller: Caller, made: SeenCall, text: string): Promise<void> {
    (await this.#texts()).note(seenBy(caller), made, text);
  }

  /** Notes that a person said yes to what was asked about. @param asked as `decide` returned it */
  allow(caller: Caller, asked: readonly string[]): void {
    asked.forEach((key) => this.#seen?.of(seenBy(caller).session).allowed.add(key));
  }

  /** Whether text from outside has come in a caller's turn. */
  hasOutside(caller: Caller): boolean {
    return this.#seen?.hasOutside(seenBy(caller)) === true;
  }

  /**
   * Decides again on a call that takes a secret or what its session has got off this machine, or that text from outside
   * may be behind.
   *
   * @param more what the call reaches beside what its input says
   */
  async decide(
    { tool, input, caller }: Pick<DecidedCall, "tool" | "input" | "caller">,
    decided: Decided,
    more: readonly Touch[] | undefined,
    again: (found: readonly SecretTouch[]) => Promise<Decided>,
  ): Promise<DecidedWithOutflow> {
    const { session, turn } = seenBy(caller);
    const seen = this.#seen?.of(session);
    const { touches: gated = [] } = decided;
    const isOutgoing = gated.some(
      ({ kind }) => kind !== "read" && (kind !== "write" || (seen !== undefined && seen.outside.length > 0)),
    );
    if (caller.authority === "owner" || decided.decision.decision === "deny" || !isOutgoing) {
      return decided;
    }
    const { outflowOf } = await import("../outflow/outflow.js");
    const texts = await this.#texts();
    const isProtected = (file: Parameters<typeof guardOfChange>[0]): boolean => guardOfChange(file) !== undefined;
    const call = {
      tool,
      input,
      named: [...(tool.touches?.(input) ?? []), ...(more ?? [])],
      gated,
      turn,
      isProtected,
      isAsked: decided.decision.decision === "ask",
      isContained: decided.decision.decision === "allow" && decided.decision.isContained === true,
      mask: this.#mask,
    };
    const { touches, asked } = await outflowOf(call, texts.of(session));
    return touches.length === 0 ? decided : { ...(await again(touches)), asked };
  }

  async #texts(): Promise<SeenTexts> {
    const { SeenTexts: Texts } = await import("../outflow/outflow.js");
    return (this.#seen ??= new Texts());
  }
}

/** Returns for whom a result counts: what a subagent or a tool within a tool gets counts for the turn that began it. */
function seenBy({ root, session, turn, isInner = false, parentId }: Caller): SeenBy {
  // Where a door has no turns, tools within a tool have the call's id as theirs.
  const own = isInner && turn === parentId ? undefined : turn;
  return { session: root?.session ?? session, turn: root?.turn ?? own };
}
