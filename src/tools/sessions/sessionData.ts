import * as z from "zod";
import { once } from "../../core/once.js";
import type { SessionSummary } from "../../ports/sessions.js";

/** A session as data. */
export const sessionData = once(() =>
  z.object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(["chat", "agent", "subagent", "task", "schedule"]),
    state: z
      .enum(["active", "idle", "interrupted"])
      .describe("interrupted: its process ended during a turn; it can be continued."),
    parent: z.string().nullable().describe("The session that spawned it."),
    model: z.string().nullable(),
    created: z.string(),
    updated: z.string(),
    messages: z.int(),
    tokens: z.object({ input: z.int(), output: z.int(), estimated: z.boolean() }),
    cost: z.number().nullable().describe("In the user's currency; null when some of its models have no price."),
  }),
);

export function toData({
  parent,
  model,
  created,
  updated,
  cost,
  ...rest
}: SessionSummary): z.output<ReturnType<typeof sessionData>> {
  return {
    ...rest,
    parent: parent ?? null,
    model: model ?? null,
    created: new Date(created).toISOString(),
    updated: new Date(updated).toISOString(),
    cost: cost ?? null,
  };
}
