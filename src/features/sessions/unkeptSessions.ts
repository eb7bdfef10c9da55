import { ToolError } from "../../core/errors.js";
import type { SessionLog } from "./sessionLog.js";

/** Returns the log of a host that cannot keep sessions, not even in memory: every method fails with the reason. */
export function unkeptSessions(reason: string): SessionLog {
  const refuse = (): Promise<never> => Promise.reject(new ToolError("unavailable", reason));
  return {
    problem: () => Promise.resolve(reason),
    ...{ beginTurn: refuse, append: refuse, addTokens: refuse, endTurn: refuse, compact: refuse, context: refuse },
    ...{
      leave: refuse,
      hasLeft: refuse,
      takeLeft: refuse,
      list: refuse,
      status: refuse,
      history: refuse,
      findInterrupted: refuse,
    },
  };
}
