import type { Confirm } from "../../ports/confirm.js";

/** Returns a Confirm whose questions say who asks: several agents, tasks and clients may use one window. */
export function askedBy(asker: string, confirm: Confirm): Confirm {
  return { ask: (question, signal) => confirm.ask({ ...question, title: `${asker}: ${question.title}` }, signal) };
}
