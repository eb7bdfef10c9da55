import type { Caller } from "../../core/caller.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { Answer as PortAnswer } from "../../ports/confirm.js";
import type { InvokeOptions, ToolApi } from "../shared/toolTypes.js";
import type { Toolhost, ToolhostOptions } from "./types.js";

/**
 * Returns the tools of a program, which end in order: `dispose` cancels running calls and waits for them before it closes
 * what they use.
 *
 * @param apiFor makes the tools for a caller
 */
export function endsInOrder(
  apiFor: (caller: Omit<Caller, "signal" | "session" | "report">) => ToolApi,
  { confirm }: Pick<ToolhostOptions, "confirm">,
  close: () => Promise<void>,
): Toolhost {
  const api = apiFor({
    ...{ door: "api", authority: "model", reads: "ask" },
    ...(confirm === undefined
      ? {}
      : { confirm: { ask: async (question, signal) => asAnswer(await confirm(question, signal)) } }),
  });
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const track = async <T>(call: Promise<T>): Promise<T> => {
    running.add(call);
    try {
      return await call;
    } finally {
      running.delete(call);
    }
  };
  const dispose = (): Promise<void> => {
    ended.abort();
    return (closing ??= Promise.allSettled(running).then(close));
  };
  return {
    ...api,
    invoke: async (name, input, options = {}) => {
      if (ended.signal.aborted) {
        return {
          ok: false,
          error: {
            type: "unavailable",
            message: `${String(name)}: this toolhost was disposed.`,
            hint: "Create another one.",
          },
        };
      }
      const call = api.invoke(name, input, withEnd(options, ended.signal));
      return track(call);
    },
    applyWorkspaceManifest: async (target, manifest, options = {}) => {
      ended.signal.throwIfAborted();
      return track(api.applyWorkspaceManifest(target, manifest, withEnd(options, ended.signal)));
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

/** Adds a signal to a call's options; wrong ones are reported with the call. */
function withEnd<Options extends Pick<InvokeOptions, "signal">>(options: Options, end: AbortSignal): Options {
  const signal: unknown = isRecord(options) ? options["signal"] : end;
  return signal === undefined
    ? { ...options, signal: end }
    : signal instanceof AbortSignal && isRecord(options)
      ? { ...options, signal: AbortSignal.any([signal, end]) }
      : options;
}

/** Everything but a clear yes is a no. */
function asAnswer(given: unknown): PortAnswer {
  return given === "once" || given === "session" ? given : "no";
}
