import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { USER } from "../../features/sessions/sessionLog.js";
import { shorten } from "../../text/clip.js";
import { ID_FIELD } from "./sessionWords.js";

/** Maximum characters of a message; a longer text belongs in a file, which the session can read itself. */
const MAX_CONTENT = 50_000;

export const sessionsSend = defineTool({
  name: "sessions_send",
  group: "sessions",
  title: "Send to a session",
  description:
    "Leave a message for another session. An active session gets it before its next model request; any other session with its next turn, " +
    "started by a person, or by a worker if the session belongs to a waiting task.",
  input: () =>
    z.object({
      session_id: z.string().describe(ID_FIELD),
      content: z.string().min(1).max(MAX_CONTENT).describe("The message."),
    }),
  aliases: { id: "session_id", session: "session_id", message: "content", text: "content" },
  output: () => z.object({ session_id: z.string(), active: z.boolean().describe("A running turn will see it.") }),
  needs: ["sessions"],
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  positional: ["session_id", "content"],
  texts: ["content"],
  touches: () => [],
  summary: ({ session_id: id, content }) => `Send ${JSON.stringify(shorten(content, 60))} to session ${id}`,
  expose: "optional",
  execute: async ({ session_id: given, content }, { sessions, session, byPerson }) => {
    if (content.trim() === "") {
      throw new ToolError("invalid_input", "sessions_send: content: is blank.", "Say what the session should know.");
    }
    const { id, title } = await sessions.status(given);
    if (id === session) {
      throw new ToolError(
        "invalid_input",
        "sessions_send: that is the session you are in.",
        "sessions_list lists the others.",
      );
    }
    const { active } = await sessions.send(id, content, byPerson ? USER : `session ${session}`);
    const when = active
      ? "It is active and gets the message before its next model request."
      : "It is not active and gets the message with its next turn.";
    return { text: `Left for session ${id} (${title}). ${when}`, data: { session_id: id, active } };
  },
});
