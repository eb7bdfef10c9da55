import { ToolError } from "../../core/errors.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";

/** Milliseconds that a question of unattended work waits for somebody to answer. */
const PATIENCE = 10 * 60_000;

/** Asks as `confirm` does, but not for ever: work that nobody watches goes on without. */
export function patientConfirm(confirm: Confirm, patience: number = PATIENCE): Confirm {
  return {
    ask: async (question: Question, signal: AbortSignal): Promise<Answer> => {
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(), patience);
      try {
        // A host may leave its dialog open; what is pressed there then counts for nothing.
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
            `${tool}: needs the user's permission, and nobody answered within ${Math.round(patience / 60_000)} minutes. Nothing was done.`,
            "Go on without it, or end and say what it was needed for.",
          ),
        ),
      { once: true },
    ),
  );
}
