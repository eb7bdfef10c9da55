import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { parseInput } from "../../core/pipeline/input.js";
import { TODO_ALIASES } from "./todoAliases.js";
import { progressOf, STEP_STATUSES, type TodoStep } from "./todoSteps.js";

/** Maximum steps, and characters of one: more is a plan, which belongs in a file. */
const [MAX_STEPS, MAX_CONTENT] = [100, 500];

/**
 * Keeps an agent's list of steps. The list lives in the session's conversation, as the input of the latest call: there
 * it outlasts windows and processes, and is taken back with the messages around it. Compaction keeps it
 * (`agent/todoNote.ts`).
 */
export const todo = defineTool({
  name: "todo",
  group: "sessions",
  title: "Keep a list of steps",
  description:
    "Keep the steps of longer work, which the user sees. Each call replaces the list. Have one step in_progress.",
  input: () =>
    z.object({
      todos: z
        .array(
          z.object({
            content: z.string().min(1).max(MAX_CONTENT).regex(/\S/, "must not be blank"),
            status: z.enum(STEP_STATUSES),
          }),
        )
        .max(MAX_STEPS)
        .describe("All steps, in order."),
    }),
  aliases: TODO_ALIASES,
  output: () => z.object({ total: z.int(), completed: z.int() }),
  needs: [],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: () => [],
  summary: ({ todos }) => `Keep the list of steps: ${progressOf(todos)}`,
  expose: "never",
  execute: ({ todos }) => {
    const countOf = (status: TodoStep["status"]): number => todos.filter((step) => step.status === status).length;
    const remark = countOf("in_progress") > 1 ? " Have one step in_progress at a time." : "";
    return Promise.resolve({
      text: todos.length === 0 ? "The list is cleared." : `Kept: ${progressOf(todos)}.${remark}`,
      data: { total: todos.length, completed: countOf("completed") },
    });
  },
});

/** Returns the steps of a call of `todo`; undefined if its input is refused. */
export function stepsOf(input: object): TodoStep[] | undefined {
  try {
    return parseInput(todo, input)["todos"] as TodoStep[];
  } catch {
    return undefined;
  }
}
