import { oneLine } from "../../text/clip.js";
import { count } from "../../text/words.js";

export const STEP_STATUSES = ["pending", "in_progress", "completed"] as const;

/** A step of longer work. */
export interface TodoStep {
  content: string;
  status: (typeof STEP_STATUSES)[number];
}

const MARKS: Readonly<Record<TodoStep["status"], string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" };

/** Returns steps as lines with marks: `[x] Read the code`. */
export function checklist(steps: readonly TodoStep[]): string[] {
  return steps.map(({ content, status }) => `${MARKS[status]} ${oneLine(content)}`);
}

/** Returns how far the work is, in words: `2 of 5 steps done`. */
export function progressOf(steps: readonly TodoStep[]): string {
  const done = steps.filter(({ status }) => status === "completed").length;
  return steps.length === 0 ? "no steps" : `${done} of ${count(steps.length, "step")} done`;
}
