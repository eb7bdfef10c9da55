import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { endTask } from "../../features/documents/tasks.js";
import { moveOwnTask } from "./ownTask.js";

/** Characters: what is longer belongs into a file. */
const MAX_LENGTH = 10_000;

export const failTask = defineTool({
  name: "fail_task",
  group: "task",
  title: "Fail the task",
  description: "End this session's task as failed: it cannot be done. Nothing runs after it.",
  input: z.object({
    reason: z
      .string()
      .min(1)
      .max(MAX_LENGTH)
      .regex(/\S/, "must not be blank")
      .describe("Why, what was tried, and what would have to change."),
  }),
  aliases: { error: "reason", message: "reason" },
  output: z.object({ task: z.string().describe("The task's name."), status: z.literal("failed") }),
  needs: ["files", "changes", "clock"],
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  positional: ["reason"],
  // It tells of the session's own task how it ended, as the worker would otherwise: nothing to ask anybody about.
  touches: () => [],
  summary: ({ reason }) => `Report the task as failed: ${reason}`,
  terminal: true,
  expose: "never",
  execute: async ({ reason }, context) => {
    const { name } = await moveOwnTask(context, (task) => endTask(task, "failed", reason, context.clock.now()));
    return { text: `Task failed: ${reason}`, data: { task: name, status: "failed" as const } };
  },
});
