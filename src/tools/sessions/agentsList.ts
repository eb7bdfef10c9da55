import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";

export const agentsList = defineTool({
  name: "agents_list",
  group: "sessions",
  title: "List agents",
  description: "List the agents of this workspace, each with its model and whether it is working.",
  input: () => z.object({}),
  output: () =>
    z.object({
      agents: z.array(z.object({ name: z.string(), model: z.string().nullable(), state: z.enum(["idle", "active"]) })),
    }),
  needs: ["sessions"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: () => [],
  summary: () => "List agents",
  expose: "optional",
  execute: async (_input, { sessions }) => {
    const agents = await sessions.agents();
    return {
      text: agents
        .map(({ name, model, state }) => `name=${name}\tmodel=${model ?? "unknown"}\tstatus=${state}`)
        .join("\n"),
      data: { agents: agents.map(({ name, model, state }) => ({ name, model: model ?? null, state })) },
    };
  },
});
