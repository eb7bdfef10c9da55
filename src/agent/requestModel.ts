import { ModelError } from "../features/models/modelError.js";
import type { ChatModel, ModelEvent, ModelRequest } from "../ports/models.js";

/** Maximum number of retries after a temporary failure. */
const MAX_RETRIES = 4;
/** Wait before the first retry, in ms; doubled for each further one. */
const FIRST_WAIT = 1_000;
/** Maximum wait that a server may request, in ms. If it requests more, fail immediately and let the user decide. */
const MAX_WAIT = 60_000;
/** Random share of a wait, so that several agents do not retry at the same instant. */
const JITTER = 0.2;

/** A retry of a request. */
export interface Retry {
  /** The reason, for the user. */
  reason: string;
  /** Wait before the retry, in ms. */
  wait: number;
  /** 1 for the first. */
  attempt: number;
}

export interface RetryHost {
  /** Called before each wait. */
  onRetry(retry: Retry): void;
  /** Waits; throws the signal's reason if it is aborted. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  random?: () => number;
  /** Whether to retry, after `restart`, even if part of the answer has arrived. Default: false. */
  restarts?: boolean;
}

/** `restart`: discard everything so far, the answer starts again. */
export type RequestEvent = ModelEvent | { type: "restart" };

/**
 * Sends a request to a model and retries temporary failures: too many requests, server errors, broken connections. Waits
 * 1, 2, 4 and 8 seconds, or as long as the server requests, up to a minute.
 *
 * @throws ModelError after a permanent or the fifth failure; the signal's reason
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
 * Yields the items until the signal is aborted, then throws its reason immediately: another extension's provider may
 * ignore the signal.
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
    // Not awaited: a provider that ignores the signal may never end.
    iterator.return?.().then(undefined, () => undefined);
  }
}

function isPassing(error: unknown): error is ModelError {
  return error instanceof ModelError && error.retry;
}

/** Waits; throws the signal's reason as soon as the signal is aborted. */
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
