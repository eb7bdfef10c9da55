import type { Answer, Question } from "../../ports/confirm.js";
import type { Rule, RuleBook } from "../../ports/rules.js";
import { oneLine, shorten } from "../../text/clip.js";
import type { Caller } from "../caller.js";
import { SAID_NO } from "./callFailure.js";
import { settled, throwIfCancelled } from "./deadline.js";
import { ToolError } from "../errors.js";
import { messageOf } from "../../text/words.js";

/** Maximum length of the host's message about a question that could not be asked, in characters. */
const MAX_PROBLEM = 200;

/**
 * Asks the person about a call, and records a yes that covers more than this call.
 * @throws ToolError `denied`: a no, no one to ask, or a question that could not be asked
 * @throws Cancelled
 */
export async function askPerson(question: Question, caller: Caller, rules: RuleBook | undefined): Promise<void> {
  throwIfCancelled(question.tool, caller.signal);
  if (caller.confirm === undefined) {
    throw new ToolError(
      "denied",
      `${question.tool} needs the user's permission, and no one can be asked here.`,
      question.reasons.join(" "),
    );
  }
  // A dialog may stay open after the call is cancelled; nothing waits for its answer then.
  const answer = await settled(caller.confirm.ask(question, caller.signal), caller.signal, 0)
    .catch((error: unknown) => {
      throwIfCancelled(question.tool, caller.signal);
      // If the person cannot be asked, there is no yes. That is not a failure of the tool.
      if (error instanceof ToolError && error.type === "denied") {
        throw error;
      }
      throw new ToolError(
        "denied",
        `${question.tool} needs the user's permission, and asking failed. Nothing was done.`,
        errorText(error),
      );
    })
    .finally(() => throwIfCancelled(question.tool, caller.signal));
  if (answer === "no") {
    throw new ToolError(
      "denied",
      `${question.tool}: ${SAID_NO}. Nothing was done.`,
      "Do not try the same thing again. Ask the user how to continue.",
    );
  }
  await grant(rules, answer, question.derived, caller.root?.session ?? caller.session);
}

/** Stores a grant. If that fails, the answer is still a yes to this call: the host tells the user. */
async function grant(
  rules: RuleBook | undefined,
  answer: Answer,
  derived: readonly Rule[],
  session: string,
): Promise<void> {
  if (answer === "session") {
    rules?.grantForSession(session, derived);
  } else if (answer === "always") {
    await rules?.grantAlways(derived).catch(() => undefined);
  }
}

/** Returns the message of a host's error, for a hint. */
function errorText(error: unknown): string {
  return shorten(oneLine(messageOf(error)), MAX_PROBLEM);
}
