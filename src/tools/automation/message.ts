import * as z from "zod";
import { once } from "../../core/once.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { MAX_CONTENT } from "../../features/messages/channelSettings.js";
import type { Messages } from "../../ports/messages.js";
import type { Sessions } from "../../ports/sessions.js";
import { excerpt, oneLine, shorten } from "../../text/clip.js";
import { PROSE } from "../../text/prose.js";

const SESSION = "session:";
const WINDOW = "window:";
/** A server has 10 seconds; the rest is for reading settings and secrets. */
const TIMEOUT = 20_000;

const output = once(() =>
  z.object({
    to: z.string(),
    status: z.int().nullable().describe("HTTP status of the server that accepted it; null if there was none."),
    answer: z.string().describe("The server's answer."),
  }),
);

export const message = defineTool({
  name: "message",
  group: "automation",
  title: "Send a message",
  description:
    "Send a message to a person, or leave one for another session. Recipients: window: (a notification in this window, if any), " +
    "webhook:<name> and signal:<number> (channels from the user's settings), session:<id> (another agent session). Use it when the user asked to be notified, or something cannot wait until they look. " +
    "It is sent once; the result has the server's answer. An error for an unknown address lists all addresses.",
  input: () =>
    z.object({
      to: z.string().describe("Channel and address: window: · session:<id> · webhook:team · signal:+15551234567."),
      content: z.string().min(1).max(MAX_CONTENT).describe("The message, as plain text."),
    }),
  aliases: { message: "content", text: "content", target: "to", recipient: "to" },
  output,
  needs: ["messages", "sessions"],
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  positional: ["to", "content"],
  texts: ["content"],
  touches: ({ to }) => (to === WINDOW || to.startsWith(SESSION) ? [] : [{ kind: "message", to, by: ["to"] }]),
  summary: ({ to, content }) => `Send ${JSON.stringify(shorten(oneLine(content), 80))} to ${shorten(oneLine(to), 80)}`,
  preview: async ({ to, content }, { messages }) => {
    check(to, content, messages);
    return { language: PROSE, text: content, plan: null };
  },
  timeout: TIMEOUT,
  expose: "optional",
  execute: async ({ to, content }, { messages, sessions, session, signal }) => {
    check(to, content, messages);
    if (to.startsWith(SESSION)) {
      return toSession(sessions, to, content, session);
    }
    const { status, answer } = await messages.send(to, content, signal);
    const data = { to, status: status ?? null, answer };
    if (status === undefined) {
      return { text: "Shown in the window. Whether anyone saw it is unknown.", data };
    }
    const origin = messages.originOf(to) ?? "the server";
    return {
      text: `Sent to ${to}: ${origin} answered ${status}${answer === "" ? "" : ` and said ${JSON.stringify(answer)}`}.`,
      data,
    };
  },
});

function check(to: string, content: string, messages: Messages): void {
  if (!/^[a-z]+:/.test(to)) {
    const { addresses } = messages.addresses();
    throw new ToolError(
      "invalid_input",
      `message: to: ${excerpt(to)} is not a channel:address.`,
      `Addresses: ${[...addresses, "session:<id>"].join(", ")}.`,
    );
  }
  const problem =
    content.trim() === ""
      ? "is blank"
      : /\p{Surrogate}/u.test(content)
        ? "contains an unpaired surrogate"
        : content.includes("\0")
          ? "contains a NUL character"
          : undefined;
  if (problem !== undefined) {
    throw new ToolError(
      "invalid_input",
      `message: content ${problem}. Nothing was sent.`,
      "Say in plain text what they should know.",
    );
  }
}

async function toSession(
  sessions: Sessions,
  to: string,
  content: string,
  from: string,
): Promise<{ text: string; data: z.output<ReturnType<typeof output>> }> {
  const { id, title } = await sessions.status(to.slice(SESSION.length));
  if (id === from) {
    throw new ToolError("invalid_input", "message: to: that is the session you are in.", "Just say it.");
  }
  const { active } = await sessions.send(id, content, `session ${from}`);
  const when = active
    ? "It is active and gets the message before its next model request."
    : "It is not active and gets the message with its next turn.";
  return {
    text: `Left for session ${id} (${title}). ${when}`,
    data: { to: `${SESSION}${id}`, status: null, answer: "" },
  };
}
