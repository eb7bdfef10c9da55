import { ToolError } from "../../core/errors.js";
import { isUnknownSession } from "../../features/sessions/sessionLog.js";
import type { Sessions } from "../../ports/sessions.js";

/** What is the id of a session, or the beginning of one, and not a name that schedules share. */
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f-]*)?$/i;

/** Whether the session of a schedule is one there is, by its id, and not one that schedules share by a name. */
export function isSessionId(session: string): boolean {
  return SESSION_ID.test(session);
}

/**
 * Checks the session that a schedule is to be said in.
 *
 * @param what the schedule, for the error
 * @param session the id of one there is, or a name; undefined for one of its own
 * @param done what was done, which is nothing: `added`, `written`, `changed`
 * @throws ToolError `unknown_id`, with those there are, `not_unique` for an id that several begin with, and as
 * `Sessions.status` does
 */
export async function checkSession(
  what: string,
  session: string | undefined,
  done: string,
  sessions: Pick<Sessions, "status">,
): Promise<void> {
  if (session === undefined || !isSessionId(session)) {
    return;
  }
  try {
    await sessions.status(session);
  } catch (error) {
    throw isUnknownSession(error)
      ? new ToolError(
          error.type,
          `${what}: session: ${error.message} Nothing was ${done}.`,
          `${error.hint ?? ""} A word that is not an id is a session name shared by schedules; without session it gets its own.`.trim(),
        )
      : error;
  }
}
