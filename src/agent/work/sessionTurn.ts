import { ToolError } from "../../core/errors.js";
import type { WorkState } from "../../features/documents/workState.js";
import { isUnknownSession } from "../../features/sessions/sessionLog.js";
import { pause } from "./ticker.js";
import type { WorkHost } from "./workHost.js";

/** How late a schedule may still run, in ms: later than that, for example after sleep, the run was missed. */
export const LATE = 5 * 60_000;
/** How often to check whether a session shared by several schedules is free, in ms. */
const SESSION_PAUSE = 250;

/** A schedule's run that wants its session. */
interface SessionTurn {
  /** Of the schedule. */
  name: string;
  session: string;
  /** Who claims the session for it. */
  worker: string;
  claims: WorkState["claims"];
  signal: AbortSignal;
}

/**
 * Runs schedules that share a session one after the other: a run claims the session, across processes, and also waits
 * for a turn of someone else in it.
 */
export async function inSessionTurn<T>(
  host: Pick<WorkHost, "log">,
  { name, session, worker, claims, signal }: SessionTurn,
  run: () => Promise<T>,
): Promise<T> {
  const claimed = `session ${session}`;
  let waited = 0;
  const wait = async (): Promise<void> => {
    if (waited >= LATE || signal.aborted) {
      throw new ToolError(
        "conflict",
        `The schedule ${name}: a turn is running in its session${signal.aborted ? "" : ` and did not end within ${LATE / 60_000} minutes`}.`,
        "Give it its own session, or another time.",
      );
    }
    waited += SESSION_PAUSE;
    await pause(SESSION_PAUSE, signal);
  };
  while (claims.claim(claimed, worker) === undefined) {
    await wait();
  }
  try {
    while (await isActive(host, session)) {
      await wait();
    }
    return await run();
  } finally {
    letGo(claims, claimed, worker);
  }
}

async function isActive(host: Pick<WorkHost, "log">, session: string): Promise<boolean> {
  try {
    return (await (await host.log()).status(session)).state === "active";
  } catch (error) {
    if (!isUnknownSession(error)) {
      throw error;
    }
    // Its first turn creates the session.
    return false;
  }
}

/** Releases a claim. */
export function letGo(claims: WorkState["claims"], document: string, worker: string): void {
  try {
    claims.release(document, worker);
  } catch {
    // The state cannot be written: the claim ends with this process.
  }
}
