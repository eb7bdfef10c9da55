import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { shownTime } from "./sessionWords.js";

export const subagents = defineTool({
  name: "subagents",
  group: "sessions",
  title: "Running subagents",
  description: "List the subagents running in this window: session, parent, start time, and current activity.",
  input: () => z.object({}),
  output: () =>
    z.object({
      subagents: z.array(
        z.object({
          session: z.string(),
          parent: z.string(),
          title: z.string(),
          started: z.string(),
          doing: z.string(),
        }),
      ),
    }),
  needs: ["sessions"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: () => [],
  summary: () => "List running subagents",
  expose: "optional",
  execute: async (_input, { sessions }) => {
    const running = sessions.running();
    const lines = running.map(
      ({ session, parent, title, started, doing }) =>
        `${session}  ${JSON.stringify(title)}  (spawned by ${parent}, since ${shownTime(started)}): ${doing}`,
    );
    return {
      text: lines.length === 0 ? "No subagents are running." : lines.join("\n"),
      data: { subagents: running.map((each) => ({ ...each, started: new Date(each.started).toISOString() })) },
    };
  },
});
