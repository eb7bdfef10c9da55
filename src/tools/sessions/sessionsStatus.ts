import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Sessions, SessionSummary } from "../../ports/sessions.js";
import { sessionData, toData } from "./sessionData.js";
import { ID_FIELD, shownCost, shownTime, tokensInWords } from "./sessionWords.js";

export const sessionsStatus = defineTool({
  name: "sessions_status",
  group: "sessions",
  title: "Session status",
  description:
    "Show the state of a session: whether a turn is running, messages, tokens, and cost if the user configured prices. Default: the current session.",
  input: () => z.object({ session_id: z.string().optional().describe(`${ID_FIELD} Default: the current session.`) }),
  aliases: { id: "session_id", session: "session_id" },
  output: sessionData,
  needs: ["sessions"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["session_id"],
  touches: () => [],
  summary: ({ session_id: id }) => (id === undefined ? "Show status of this session" : `Show status of session ${id}`),
  expose: "optional",
  execute: async ({ session_id: given }, { sessions, session }) => {
    const found = given === undefined ? await current(sessions, session) : await sessions.status(given);
    return { text: describe(found), data: toData(found) };
  },
});

/** Returns the calling session. Sessions of other agents and of the command line are not kept. */
async function current(sessions: Sessions, session: string): Promise<SessionSummary> {
  try {
    return await sessions.status(session);
  } catch (error) {
    if (error instanceof ToolError && error.type === "unknown_id") {
      throw new ToolError(
        "unknown_id",
        "sessions_status: the calling session is not one of Toolhost's, so its state is unknown.",
        "Give a session_id; sessions_list lists them.",
      );
    }
    throw error;
  }
}

function describe({
  id,
  title,
  kind,
  state,
  parent,
  model,
  created,
  updated,
  messages,
  tokens,
  cost,
}: SessionSummary): string {
  const states = {
    active: "active: a turn is running",
    idle: "idle: waiting for a message",
    interrupted: "interrupted: its process ended during a turn; it can be continued",
  };
  return [
    `Session ${id}: ${JSON.stringify(title)}`,
    `State: ${states[state]}`,
    `Kind: ${kind}${parent === undefined ? "" : `, spawned by ${parent}`}`,
    ...(model === undefined ? [] : [`Model: ${model}`]),
    `Messages: ${messages}`,
    `Tokens: ${tokensInWords(tokens)}`,
    `Cost: ${cost === undefined ? "unknown, because some of its models have no configured price" : shownCost(cost)}`,
    `Started ${shownTime(created)}, last used ${shownTime(updated)}`,
  ].join("\n");
}
