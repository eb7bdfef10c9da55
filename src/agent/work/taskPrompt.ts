import type { TakenTask } from "../../features/documents/takeTask.js";

/** Additional instructions for a task. */
export const TASK_INSTRUCTIONS =
  "You do a written task. Work until it is done and verified, then call complete_task. If it cannot be done, call fail_task; if you cannot continue without an answer from someone else, call wait_task. End with one of these three: words alone do not end a task. Do not change the task's own file.";

/** For a model that answered without calling a tool that ends the task. */
export const ASK_FOR_END =
  "You answered without ending the task. Call complete_task, fail_task or wait_task now, once.";

/** Returns the user message that starts or continues a task. */
export function taskPrompt({ task: { name, fields, body }, from, waitedFor }: TakenTask): string {
  const what = [`Task ${name}: ${fields.title}`, ...(body === "" ? [] : ["", body])].join("\n");
  switch (from) {
    case "pending":
      return what;
    case "abandoned":
      return `${what}\n\n[This task was started before, but that process ended early. Check what is already done before you continue.]`;
    case "sentTo":
      return `${what}\n\n[The task waited${waitedFor === undefined ? "" : ` for: ${waitedFor}`}\nIt continues now with the message that follows.]`;
  }
}
