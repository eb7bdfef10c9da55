import { ToolError } from "../../core/errors.js";
import { isUnknownSession } from "../../features/sessions/sessionLog.js";
import type { Sessions } from "../../ports/sessions.js";

/** A session id or the beginning of one, as opposed to a name that schedules share. */
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f-]*)?$/i;

/** Whether a schedule's `session` is the id of an existing session, not a name that schedules share. */
export function isSessionId(session: string): boolean {
  return SESSION_ID.test(session);
}

/**
 * Checks the session that a schedule's prompt is to be sent to.
 *
 * @param what the schedule, for the error
 * @param session the id of an existing session, or a name; undefined for a session of its own
 * @param done the verb for the error's “Nothing was …”: `added`, `written`, `changed`
 * @throws ToolError `unknown_id` with the existing ids, `not_unique` for a prefix of several ids, and those of
 * `Sessions.status`
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
