import type { Tool } from "../core/contract.js";
import type { ModelContent } from "../ports/models.js";
import { canAskEarly, runsAlone } from "./callOrder.js";
import type { CallResult } from "./turn.js";

/** Calls that run at the same time; each may start a process of its own. */
const MAX_AT_ONCE = 8;

/** What a call gives that would end a turn which has ended already. */
const LATE: CallResult = {
  ok: false,
  text: "Not run: the turn had ended with a call before this one.",
  failed: "not run: the turn had ended",
};

/** A call as the model made it. */
export interface ModelCall {
  id: string;
  name: string;
  input: object;
  /** What it gave as the input was no JSON object. */
  problem?: string;
}

/** A call that is about to be made. */
export interface StartedCall extends ModelCall {
  tool: Tool | undefined;
  /** See `AgentCall.ready`. */
  ready: Promise<void>;
}

export interface CallRunner {
  toolOf(name: string): Tool | undefined;
  /** Makes one call. Throws when the turn is cancelled, and for nothing else. */
  call(call: StartedCall): Promise<CallResult>;
  /** Told as soon as a call has ended, in whatever order. */
  onResult(call: ModelCall, result: CallResult): Promise<void>;
}

export type ResultContent = Extract<ModelContent, { type: "result" }>;

/**
 * Makes the calls of one answer. Those that change nothing run side by side; one that changes something waits for all
 * before it, and those behind it wait for it. Questions come as early as they can tell the truth. Calls that end the
 * turn come last, whatever their place.
 *
 * @returns the results in the order of the calls, and whether the turn ends with them
 */
export async function runCalls(
  calls: readonly ModelCall[],
  runner: CallRunner,
): Promise<{ results: ResultContent[]; isTerminal: boolean }> {
  const order = calls.map((call) => ({ ...call, tool: runner.toolOf(call.name) }));
  // A turn that ends before its last edit would leave that undone.
  const sorted = [
    ...order.filter(({ tool }) => tool?.terminal !== true),
    ...order.filter(({ tool }) => tool?.terminal === true),
  ];
  const slots = new Slots(MAX_AT_ONCE);
  const texts = new Map<ModelCall, ResultContent>();
  let isTerminal = false;
  const started: Promise<void>[] = [];
  for (const [index, call] of sorted.entries()) {
    const isAlone = runsAlone(call) || call.tool?.terminal === true;
    const before = started.filter((_, at) => isAlone || runsAlone(sorted[at] ?? call));
    // Those that failed have said so; a cancelled turn is noticed by the call itself.
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

/** Lets so many through at a time. */
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
