import { ToolError } from "../../core/errors.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";

/** How long a question of unattended work waits for an answer, in ms. */
const PATIENCE = 10 * 60_000;

/** Asks as `confirm` does, but with a timeout, so that unattended work can continue. */
export function patientConfirm(confirm: Confirm, patience: number = PATIENCE): Confirm {
  return {
    ask: async (question: Question, signal: AbortSignal): Promise<Answer> => {
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(), patience);
      try {
        // A host may leave its dialog open; its buttons then have no effect.
        return await Promise.race([
          confirm.ask(question, AbortSignal.any([signal, over.signal])),
          expiry(question, patience, over.signal),
        ]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function expiry({ tool }: Question, patience: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener(
      "abort",
      () =>
        reject(
          new ToolError(
            "denied",
            `${tool} needs the user's permission, and nobody answered within ${Math.round(patience / 60_000)} minutes. Nothing was done.`,
            "Continue without it, or end and say what it was needed for.",
          ),
        ),
      { once: true },
    ),
  );
}
