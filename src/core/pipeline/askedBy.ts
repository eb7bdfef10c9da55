import type { Confirm } from "../../ports/confirm.js";

/**
 * Returns a Confirm whose questions say who asks: several agents, tasks and clients may use one window.
 *
 * @param asker undefined if that is clear
 */
export function askedBy(asker: string | undefined, confirm: Confirm): Confirm {
  return asker === undefined
    ? confirm
    : {
        ...(confirm.isAttended === true && { isAttended: true }),
        ask: (question, signal) => confirm.ask({ ...question, asker, title: `${asker}: ${question.title}` }, signal),
      };
}
