import type { SessionSummary, TokenCount } from "../../ports/sessions.js";
import { count } from "../../text/words.js";

/** Description of every session field. */
export const ID_FIELD = "The session's id, or its first characters (at least 6).";

/** Describes a session on one line: its full id, state, kind and title, then its size, cost and last use. */
export function sessionLine(session: SessionSummary, current: string): string {
  const { id, state, kind, title, parent, messages, tokens, cost, model, updated } = session;
  const facts = [
    `${count(messages, "message")}`,
    tokensInWords(tokens),
    ...(cost === undefined || cost === 0 ? [] : [`cost ${shownCost(cost)}`]),
    ...(model === undefined ? [] : [`model ${model}`]),
    `last used ${shownTime(updated)}`,
    ...(parent === undefined ? [] : [`spawned by ${parent}`]),
    ...(id === current ? ["this session"] : []),
  ];
  return `${id}  ${state}  ${kind}  ${JSON.stringify(title)}  (${facts.join(", ")})`;
}

export function tokensInWords({ input, output, estimated }: TokenCount): string {
  return `${estimated ? "about " : ""}${input} tokens in and ${output} out${estimated ? " (estimated)" : ""}`;
}

/** Formats a cost, in whatever currency the user means. */
export function shownCost(cost: number): string {
  return cost.toFixed(cost < 1 ? 4 : 2);
}

/** Formats a time to the minute, which is enough to distinguish sessions. */
export function shownTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16)}Z`;
}
