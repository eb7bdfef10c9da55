import type { ReadRule } from "../core/pipeline/changeOrigin.js";
import type { Door } from "../core/pipeline/activity.js";
import type { Tool } from "../core/contract.js";
import { Cancelled } from "../core/errors.js";
import { askedBy } from "../core/pipeline/askedBy.js";
import { failureWords } from "../core/pipeline/callFailure.js";
import { errorText } from "../core/outcome.js";
import type { Pipeline } from "../core/pipeline/pipeline.js";
import type { Confirm } from "../ports/confirm.js";
import type { Person } from "../ports/person.js";
import type { AgentCall, AskedCall, CallResult } from "./turn.js";

export interface DirectCallerOptions {
  pipeline: Pick<Pipeline, "invoke">;
  door: Door;
  /** Asks the user. If absent, calls that must ask are denied. */
  confirm?: Confirm;
  /** Answers questions of the user's agent. Its subagents ask nobody: they answer to the agent. */
  person?: Person;
  /** Tools that only these calls have. */
  tools?: readonly Tool[];
  /** Whether calls may only read. */
  planOnly?: boolean;
  /** Which files a session must have read before it changes them. Default: every file (`must`). */
  reads?: ReadRule;
}

/** Makes an agent's calls directly in the pipeline, for doors whose host does not show or ask about them. */
export function directCaller({
  pipeline,
  door,
  confirm,
  person,
  planOnly,
  tools,
  reads = "must",
}: DirectCallerOptions): (call: Omit<AgentCall, "model">) => Promise<CallResult> {
  return async (call) => {
    // Otherwise a question would not show the changes of earlier calls.
    await call.ready;
    if (call.signal.aborted) {
      throw new Cancelled(call.tool);
    }
    const outcome = await pipeline.invoke(call.tool, call.input, {
      ...{
        door,
        session: call.session,
        turn: call.turn,
        root: call.root,
        callId: call.id,
        parentId: call.turn,
        signal: call.signal,
      },
      ...{ authority: "model", reads, report: ({ message }) => call.report(message) },
      ...(confirm === undefined ? {} : { confirm: askedBy(call.asker, confirm) }),
      ...(person === undefined || call.root.session !== call.session ? {} : { person }),
      ...(planOnly === undefined ? {} : { planOnly }),
      ...(tools === undefined ? {} : { tools }),
    });
    const words = failureWords(outcome);
    const failed = words === undefined ? {} : { failed: words };
    if (!outcome.ok) {
      return { ok: false, text: errorText(outcome.error), ...failed, error: outcome.error };
    }
    return {
      ok: true,
      text: outcome.text,
      ...failed,
      ...(outcome.media === undefined || outcome.media.length === 0 ? {} : { media: outcome.media }),
      ...(outcome.data === undefined ? {} : { data: outcome.data }),
    };
  };
}

/** Returns whether a call runs a command that is proven to only read. Never throws. */
export function onlyReads(
  pipeline: Pick<Pipeline, "onlyReads">,
  door: Door,
  { tool, input, session, turn, root, signal }: AskedCall,
): Promise<boolean> {
  return pipeline.onlyReads(tool, input, { door, session, turn, root, signal, authority: "model" });
}
