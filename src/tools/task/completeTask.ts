import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { endTask } from "../../features/documents/tasks.js";
import { moveOwnTask } from "./ownTask.js";

/** Characters: what is longer belongs into a file. */
const MAX_LENGTH = 10_000;

export const completeTask = defineTool({
  name: "complete_task",
  group: "task",
  title: "Complete the task",
  description:
    "End this session's task as done. Call it once, when everything asked for is done and verified; nothing runs after it.",
  input: z.object({
    summary: z
      .string()
      .min(1)
      .max(MAX_LENGTH)
      .regex(/\S/, "must not be blank")
      .describe("What was done and the outcome, with the relevant files."),
  }),
  aliases: { output: "summary", message: "summary", result: "summary" },
  output: z.object({ task: z.string().describe("The task's name."), status: z.literal("complete") }),
  needs: ["files", "changes", "clock"],
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  positional: ["summary"],
  // It tells of the session's own task how it ended, as the worker would otherwise: nothing to ask anybody about.
  touches: () => [],
  summary: ({ summary }) => `Report the task as completed: ${summary}`,
  terminal: true,
  expose: "never",
  execute: async ({ summary }, context) => {
    const { name } = await moveOwnTask(context, (task) => endTask(task, "complete", summary, context.clock.now()));
    return { text: `Task completed: ${summary}`, data: { task: name, status: "complete" as const } };
  },
});
