import * as z from "zod";
import type { Aliases } from "../../core/aliases.js";
import type { Tool } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import { endTask, holdTask, type Task, type TaskChanges } from "../../features/documents/tasks.js";
import { questionsAsText } from "../sessions/askAliases.js";
import { moveOwnTask } from "./ownTask.js";

/** Maximum characters of the text: anything longer belongs in a file. */
const MAX_LENGTH = 10_000;

export const completeTask = endingTool({
  name: "complete_task",
  title: "Complete the task",
  description:
    "End this session's task as done. Call it once, when everything asked for is done and verified; nothing runs after it.",
  field: "summary",
  asks: "What was done and the outcome, with the relevant files.",
  aliases: { output: "summary", message: "summary", result: "summary" },
  status: "complete",
  word: "completed",
  move: (task, words, now) => endTask(task, "complete", words, now),
});

export const failTask = endingTool({
  name: "fail_task",
  title: "Fail the task",
  description: "End this session's task as failed: it cannot be done. Nothing runs after it.",
  field: "reason",
  asks: "Why, what was tried, and what would have to change.",
  aliases: { error: "reason", message: "reason" },
  status: "failed",
  word: "failed",
  move: (task, words, now) => endTask(task, "failed", words, now),
});

export const waitTask = endingTool({
  name: "wait_task",
  title: "Pause the task",
  description:
    "Pause this session's task until someone answers. It continues here when a message is sent to this session; until then, nothing runs after this call.",
  field: "reason",
  asks: "What it waits for, as a question to the person who can answer.",
  // Where nobody is asked while it runs, this is the way to ask.
  aliases: { ...questionsAsText("reason"), message: "reason" },
  status: "waiting",
  word: "waiting",
  move: holdTask,
});

interface Ending<Field extends string, Status extends string> {
  name: string;
  title: string;
  description: string;
  /** The input's only field, and its description. */
  field: Field;
  asks: string;
  aliases: Aliases;
  status: Status;
  /** The status as used in a sentence. */
  word: string;
  move: (task: Task, words: string, now: number) => TaskChanges;
}

/** Defines a tool by which a worker reports how its own session's task ended. */
function endingTool<Field extends string, Status extends string>(ending: Ending<Field, Status>): Tool {
  const { name, title, description, field, status, word } = ending;
  const words = z.string().min(1).max(MAX_LENGTH).regex(/\S/, "must not be blank").describe(ending.asks);
  return defineTool({
    name,
    group: "task",
    title,
    description,
    input: () => z.object({ [field]: words }),
    aliases: ending.aliases,
    output: () => z.object({ task: z.string().describe("The task's name."), status: z.literal(status) }),
    needs: ["files", "changes", "clock"],
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    positional: [field],
    // It only reports how the session's own task ended, and the worker would record that anyway: nobody needs to be
    // asked.
    touches: () => [],
    summary: (input) => `Report the task as ${word}: ${input[field]}`,
    terminal: true,
    expose: "never",
    execute: async (input, context) => {
      const said = input[field] ?? "";
      const task = await moveOwnTask(context, (own) => ending.move(own, said, context.clock.now()));
      return { text: `Task ${word}: ${said}`, data: { task: task.name, status } };
    },
  });
}
