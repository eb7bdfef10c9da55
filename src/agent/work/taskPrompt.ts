import type { TakenTask } from "../../features/documents/takeTask.js";

/** What a model is told beside the usual when it does a task. */
export const TASK_INSTRUCTIONS =
  "You do a task that was written down for you. Work until it is done and proved, then call complete_task. When it cannot be done call fail_task; when only somebody else can answer a question without which you cannot go on, call wait_task. End with one of these three: words alone do not end a task. Do not change the task's own file.";

/** To a model that answered and called none of the tools that end a task. */
export const ASK_FOR_END =
  "You answered without saying how the task stands. Call complete_task, fail_task or wait_task now, once.";

/** The user's message that begins a task, or goes on with one. */
export function taskPrompt({ task: { name, fields, body }, from, waitedFor }: TakenTask): string {
  const what = [`Task ${name}: ${fields.title}`, ...(body === "" ? [] : ["", body])].join("\n");
  switch (from) {
    case "pending":
      return what;
    case "abandoned":
      return `${what}\n\n[Somebody began this task, and their process ended in the middle. Look at what is done already before you go on.]`;
    case "sentTo":
      return `${what}\n\n[The task waited${waitedFor === undefined ? "" : ` for: ${waitedFor}`}\nIt goes on now: a message was left for it, which follows.]`;
  }
}
