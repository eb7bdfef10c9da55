import type { Question } from "../../ports/confirm.js";
import { oneLine, shorten } from "../../text/clip.js";
import type { Preview, Tool } from "../contract.js";
import type { Decision } from "../permission/decide.js";
import type { PreparedCall } from "./preparedCalls.js";

/** Maximum length of a line for people, in characters: it includes an input's texts, of any length. */
const MAX_SUMMARY = 200;

/** Returns one line for people on what a call does. */
export function summaryLine(summary: string): string {
  return shorten(oneLine(summary), MAX_SUMMARY);
}

/**
 * Returns what to ask before a call: its preview if it has one, otherwise its input.
 *
 * @param mask hides secrets, except in a diff that is written as it is shown: a person decides on that text
 */
export function makeQuestion(
  tool: Tool,
  input: unknown,
  decision: Extract<Decision, { decision: "ask" }>,
  preview: Preview<unknown> | undefined,
  mask: (text: string) => string = (text) => text,
): Question {
  return {
    tool: tool.name,
    title: mask(summaryLine(tool.summary(input))),
    reasons: [...decision.reasons, ...(preview?.remarks ?? []).map(mask)],
    detail: preview
      ? { language: preview.language, text: preview.language === "diff" ? preview.text : mask(preview.text) }
      : { language: "json", text: mask(JSON.stringify(input, undefined, 2)) },
    ...(preview?.outcome !== undefined && {
      outcome: preview.outcome.map((each) => ({ ...each, text: mask(each.text) })),
    }),
    derived: decision.derived,
    ...(decision.exact && { exact: decision.exact }),
    ...(decision.everyTime && { everyTime: true }),
  };
}

/** Whether a question's detail says something that its title does not: an input of one text in the title does not. */
export function tellsMore({ title, detail }: Pick<Question, "title" | "detail">): boolean {
  const [, only] = detail.language === "json" ? (/^\{\s*"\w+": ("(?:[^"\\]|\\.)*")\s*\}$/.exec(detail.text) ?? []) : [];
  return only === undefined || !title.includes(String(JSON.parse(only)));
}

/**
 * Whether the answered question is the one to ask now: since then, a link may have been changed to lead to another
 * file, or a rule may have changed.
 */
export function sameQuestion(
  { question, reasons: shown }: PreparedCall,
  { reasons, derived }: Extract<Decision, { decision: "ask" }>,
): boolean {
  return JSON.stringify([shown, question.derived]) === JSON.stringify([reasons, derived]);
}
