import { newId } from "../../core/pipeline/pipeline.js";
import { USER, type SessionLog } from "../../features/sessions/sessionLog.js";
import type { ModelMessage } from "../../ports/models.js";

/**
 * Logs in a session what happened outside its turns, for example an undo. The user may remove the message that did it
 * from the chat, but that does not revert it, so the note stays.
 *
 * @returns `SessionEntry.seq` of the last message; undefined if it could not be logged or the session does not exist
 */
export async function noteInSession(
  log: () => Promise<SessionLog>,
  session: string,
  messages: readonly ModelMessage[],
): Promise<number | undefined> {
  try {
    const sessions = await log();
    const { model = "", title } = await sessions.status(session);
    const turn = newId();
    await sessions.beginTurn({ session, turn, kind: "agent", title, model });
    try {
      let seq: number | undefined;
      for (const message of messages) {
        seq = await sessions.append(session, turn, message);
      }
      return seq;
    } finally {
      await sessions.endTurn(session, turn);
    }
  } catch {
    return leaveNote(log, session, messages);
  }
}

/** Leaves a message, which a running turn reads before its next request. */
async function leaveNote(
  log: () => Promise<SessionLog>,
  session: string,
  messages: readonly ModelMessage[],
): Promise<undefined> {
  const content = messages
    .flatMap((message) => message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    .join("\n");
  try {
    await (await log()).leave(session, { content, from: USER });
  } catch {
    // A session that is not logged relies on the chat's history.
  }
}
