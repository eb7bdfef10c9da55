import type { Question } from "../../ports/confirm.js";
import { oneLine, shorten } from "../../text/clip.js";
import type { Preview, Tool } from "../contract.js";
import type { Decision } from "../permission/decide.js";

/** Characters of a line for people: an input's texts are in it, however long. */
const MAX_SUMMARY = 200;

/** One line for people on what a call does. */
export function summaryLine(summary: string): string {
  return shorten(oneLine(summary), MAX_SUMMARY);
}

/** What to ask before a call: its preview where it has one, else its input. */
export function makeQuestion(
  tool: Tool,
  input: unknown,
  decision: Extract<Decision, { decision: "ask" }>,
  preview: Preview<unknown> | undefined,
): Question {
  return {
    tool: tool.name,
    title: summaryLine(tool.summary(input)),
    reasons: decision.reasons,
    detail: preview
      ? { language: preview.language, text: preview.text }
      : { language: "json", text: JSON.stringify(input, undefined, 2) },
    derived: decision.derived,
  };
}

/**
 * Whether what was agreed to is what must be asked now: a link may have come to mean another file since, or a rule have
 * changed.
 */
export function sameQuestion(shown: Question, { reasons, derived }: Extract<Decision, { decision: "ask" }>): boolean {
  return JSON.stringify([shown.reasons, shown.derived]) === JSON.stringify([reasons, derived]);
}
