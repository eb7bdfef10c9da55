import { newId } from "../../core/pipeline/pipeline.js";
import { USER, type SessionLog } from "../../features/sessions/sessionLog.js";
import type { ModelMessage } from "../../ports/models.js";

/**
 * Writes down in a session what happened beside its turns: that changes were taken back, say. The chat may take back
 * the message that did it, but not what it did, so the note stays.
 *
 * @returns `SessionEntry.seq` of the last message; undefined when it could not be written down, or nothing was of the
 * session
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

/** A turn that is under way is told before its next request. */
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
    // A session that nothing is written of has its chat's own memory.
  }
}
