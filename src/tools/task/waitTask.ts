import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { holdTask } from "../../features/documents/tasks.js";
import { moveOwnTask } from "./ownTask.js";

/** Characters: what is longer belongs into a file. */
const MAX_LENGTH = 10_000;

export const waitTask = defineTool({
  name: "wait_task",
  group: "task",
  title: "Pause the task",
  description:
    "Pause this session's task until someone answers: it continues in this session when a message is sent to it. Nothing runs after it until then.",
  input: z.object({
    reason: z
      .string()
      .min(1)
      .max(MAX_LENGTH)
      .regex(/\S/, "must not be blank")
      .describe("What it waits for, as a question to the person who can answer."),
  }),
  aliases: { question: "reason", message: "reason" },
  output: z.object({ task: z.string().describe("The task's name."), status: z.literal("waiting") }),
  needs: ["files", "changes", "clock"],
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  positional: ["reason"],
  // It tells of the session's own task how it ended, as the worker would otherwise: nothing to ask anybody about.
  touches: () => [],
  summary: ({ reason }) => `Report the task as waiting: ${reason}`,
  terminal: true,
  expose: "never",
  execute: async ({ reason }, context) => {
    const { name } = await moveOwnTask(context, (task) => holdTask(task, reason, context.clock.now()));
    return { text: `Task waiting: ${reason}`, data: { task: name, status: "waiting" as const } };
  },
});
