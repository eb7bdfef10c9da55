import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { sessionData, toData } from "./sessionData.js";
import { sessionLine } from "./sessionWords.js";

const DEFAULT_LIMIT = 20;
/** Maximum sessions per answer: as many as are kept. */
const MAX_LIMIT = 500;

export const sessionsList = defineTool({
  name: "sessions_list",
  group: "sessions",
  title: "List sessions",
  description: `List the agent sessions of this workspace, most recently used first: id, state, title, messages and tokens. At most limit (${DEFAULT_LIMIT} by default, ${MAX_LIMIT} at most).`,
  input: () =>
    z.object({
      limit: z
        .int()
        .min(1)
        .max(MAX_LIMIT)
        .optional()
        .describe(`Number of sessions to list, 1 to ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}.`),
    }),
  aliases: { max: "limit", count: "limit" },
  output: () => z.object({ sessions: z.array(sessionData()), total: z.int().describe("All sessions.") }),
  needs: ["sessions"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: () => [],
  summary: () => "List sessions",
  expose: "optional",
  execute: async ({ limit = DEFAULT_LIMIT }, { sessions: log, session }) => {
    const { sessions, total } = await log.list(limit);
    const more = sessions.length < total ? ` Raise limit for more.` : "";
    const text =
      sessions.length === 0
        ? "No sessions yet in this workspace."
        : [
            `${sessions.length} of ${total} sessions, most recently used first.${more}`,
            ...sessions.map((each) => sessionLine(each, session)),
          ].join("\n");
    return { text, data: { sessions: sessions.map(toData), total } };
  },
});
