import { ModelError } from "../features/models/modelError.js";
import type { ChatModel, ModelEvent, ModelRequest } from "../ports/models.js";

/** Requests that are made again after one that failed for the moment. */
const MAX_RETRIES = 4;
/** Milliseconds before the first of them; doubled for each further one. */
const FIRST_WAIT = 1_000;
/** Milliseconds a server may ask to wait. Who asks for more is told to the user at once, who decides. */
const MAX_WAIT = 60_000;
/** The share of a wait that is left to chance, so that several agents do not ask again at the same instant. */
const JITTER = 0.2;

/** A request that is made again. */
export interface Retry {
  /** Why, for the user. */
  reason: string;
  /** Milliseconds until then. */
  wait: number;
  /** 1 for the first. */
  attempt: number;
}

export interface RetryHost {
  /** Told before each wait. */
  onRetry(retry: Retry): void;
  /** Waits; throws the signal's reason when it is aborted. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  random?: () => number;
  /** Whether an answer of which a part has come already is asked for again, after `restart`. Not when absent. */
  restarts?: boolean;
}

/** `restart`: what came so far is void, the answer begins again. */
export type RequestEvent = ModelEvent | { type: "restart" };

/**
 * One request to a model, made again when it fails for the moment: too many requests, a fault of the server's, a
 * connection that broke. Waits 1, 2, 4 and 8 seconds, or as long as the server asks, up to a minute.
 *
 * @throws ModelError when it fails for good or for the fifth time; the signal's reason
 */
export async function* requestModel(
  model: ChatModel,
  request: ModelRequest,
  signal: AbortSignal,
  host: RetryHost,
): AsyncGenerator<RequestEvent> {
  for (let attempt = 1; ; attempt++) {
    let began = false;
    try {
      for await (const event of untilAborted(model.send(request, signal), signal)) {
        began = true;
        yield event;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (
        !isPassing(error) ||
        attempt > MAX_RETRIES ||
        (began && host.restarts !== true) ||
        (error.retryAfter ?? 0) > MAX_WAIT
      ) {
        throw error;
      }
      const wait = error.retryAfter ?? FIRST_WAIT * 2 ** (attempt - 1) * (1 + JITTER * (host.random ?? Math.random)());
      host.onRetry({ reason: error.message, wait, attempt });
      await (host.wait ?? waitFor)(wait, signal);
      if (began) {
        yield { type: "restart" };
      }
    }
  }
}

/**
 * The items until the signal is aborted, whose reason it throws at once: a provider of another extension may not listen
 * to it.
 */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let stop = (): void => undefined;
  const onAbort = (): void => stop();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        stop = () => reject(signal.reason as Error);
        iterator.next().then(resolve, reject);
      });
      signal.throwIfAborted();
      if (next.done === true) {
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not waited for: what does not listen may never end.
    iterator.return?.().then(undefined, () => undefined);
  }
}

function isPassing(error: unknown): error is ModelError {
  return error instanceof ModelError && error.retry;
}

/** Resolves after some time. Throws the signal's reason as soon as it is aborted. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal.aborted) {
      onAbort();
    } else {
      signal.addEventListener("abort", onAbort, { once: true });
    }
  });
}
