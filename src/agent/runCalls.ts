import type { Tool } from "../core/contract.js";
import type { ModelContent } from "../ports/models.js";
import { canAskEarly, isSameInput, keepsPlace, type PlacedCall } from "./callOrder.js";
import type { CallResult } from "./turn.js";

/** Maximum number of concurrent calls; each may start a process. */
const MAX_AT_ONCE = 8;

/** The result of a call that would end a turn that has already ended. */
const LATE: CallResult = {
  ok: false,
  text: "Not run: an earlier call had already ended the turn.",
  failed: "not run: the turn had ended",
};

/** A call as the model made it. */
export interface ModelCall {
  id: string;
  name: string;
  input: object;
  /** Set if its input was not a JSON object. */
  problem?: string;
  /** What was repaired in its input, for the model. */
  note?: string;
}

/** A call about to be made. */
export interface StartedCall extends ModelCall {
  tool: Tool | undefined;
  /** See `AgentCall.ready`. */
  ready: Promise<void>;
}

export interface CallRunner {
  toolOf(name: string): Tool | undefined;
  /** Returns whether a call runs a command that is proven to only read. */
  onlyReads(call: ModelCall): Promise<boolean>;
  /** Makes one call. Only throws if the turn is cancelled. */
  call(call: StartedCall): Promise<CallResult>;
  /** Called as soon as a call has ended, in any order. */
  onResult(call: ModelCall, result: CallResult): Promise<void>;
}

export type ResultContent = Extract<ModelContent, { type: "result" }>;

/**
 * Makes the calls of an answer. Calls that change nothing, commands that only read among them, run in parallel; a call that changes something waits for all
 * calls before it, and all calls after it wait for it. Questions are asked as early as they can be accurate. Calls that
 * end the turn run last, whatever their position.
 *
 * @returns the results in the order of the calls, and whether they end the turn
 */
export async function runCalls(
  calls: readonly ModelCall[],
  runner: CallRunner,
): Promise<{ results: ResultContent[]; isTerminal: boolean }> {
  const order = await Promise.all(calls.map((call, index) => placed(call, calls.slice(0, index), runner)));
  // Otherwise a turn could end before its last edit.
  const sorted = [
    ...order.filter(({ tool }) => tool?.terminal !== true),
    ...order.filter(({ tool }) => tool?.terminal === true),
  ];
  const slots = new Slots(MAX_AT_ONCE);
  const texts = new Map<ModelCall, ResultContent>();
  let isTerminal = false;
  const started: Promise<void>[] = [];
  for (const [index, call] of sorted.entries()) {
    const { isAlone } = call;
    const before = started.filter((_, at) => isAlone || sorted[at]?.isAlone === true);
    // Failed calls have reported their failure; the call itself notices a cancelled turn.
    const ready = Promise.allSettled(before).then(() => undefined);
    const run = async (): Promise<void> => {
      if (!isAlone || call.tool?.terminal === true || !canAskEarly(call, sorted.slice(0, index))) {
        await ready;
      }
      const isLate = isTerminal && call.tool?.terminal === true;
      const result = isLate
        ? LATE
        : await (isAlone ? runner.call({ ...call, ready }) : slots.hold(() => runner.call({ ...call, ready })));
      isTerminal ||= call.tool?.terminal === true && result.ok;
      texts.set(call, {
        type: "result",
        id: call.id,
        text: result.text,
        ...(result.media === undefined ? {} : { media: result.media }),
      });
      await runner.onResult(call, result);
    };
    started.push(run());
  }
  const outcomes = await Promise.allSettled(started);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
  return { results: order.flatMap((call) => texts.get(call) ?? []), isTerminal };
}

/** Returns a call with its tool and whether it runs alone. @param earlier the calls before it in the answer */
async function placed(
  call: ModelCall,
  earlier: readonly ModelCall[],
  runner: CallRunner,
): Promise<ModelCall & PlacedCall> {
  const tool = runner.toolOf(call.name);
  if (tool?.terminal === true || !keepsPlace({ tool, input: call.input })) {
    return { ...call, tool, isAlone: tool?.terminal === true };
  }
  // Equal commands take turns: a rule may make them ask, and a yes to one could count for the other.
  const isRepeat = earlier.some((other) => other.name === call.name && isSameInput(other.input, call.input));
  return { ...call, tool, isAlone: isRepeat || !(await runner.onlyReads(call)) };
}

/** Limits concurrency. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    while (this.#free === 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#free -= 1;
    try {
      return await work();
    } finally {
      this.#free += 1;
      this.#waiting.shift()?.();
    }
  }
}
