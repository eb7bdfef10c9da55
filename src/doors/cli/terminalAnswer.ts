// A question of the model on a terminal, and what a line typed there means.
import type { PersonAnswer, PersonQuestion } from "../../ports/person.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";
import { barred } from "./barred.js";

/** Returns a question with its choices, numbered from 1. */
export function describeQuestion({ question, choices }: PersonQuestion): string {
  const rows = choices.map(
    ({ label, description }, index) =>
      `  ${index + 1}. ${visibleLine(label)}${description === undefined ? "" : `: ${visibleLine(description)}`}`,
  );
  return `${["", "The agent asks:", barred(showHidden(question, true).text), ...rows].join("\n")}\n`;
}

/** Returns the words in front of the answer. */
export function promptFor({ choices, several }: PersonQuestion): string {
  const how = choices.length === 0 ? "Your answer" : `${several ? "Numbers (1,2)" : "A number"}, or your own words`;
  return `${how} (Enter alone = no answer):`;
}

/**
 * Reads an answer: numbers of choices, the label of one, or the person's own words. Other numbers are words: they may
 * answer the question, too.
 *
 * @returns undefined if it takes several choices where one is to be taken
 */
export function readAnswer(line: string, { choices, several }: PersonQuestion): PersonAnswer | undefined {
  const words = line.trim();
  if (words === "") {
    return "unanswered";
  }
  const numbers = /^\d{1,3}(?:[\s,;]+\d{1,3})*$/.test(words) ? [...new Set(words.split(/[\s,;]+/).map(Number))] : [];
  const byNumber = numbers.flatMap((number) => choices[number - 1]?.label ?? []);
  if (numbers.length > 0 && byNumber.length === numbers.length) {
    return several || byNumber.length === 1 ? { chosen: byNumber, words: "" } : undefined;
  }
  const named = choices.filter(({ label }) => label.trim().toLowerCase() === words.toLowerCase());
  return named.length > 0 ? { chosen: named.slice(0, 1).map(({ label }) => label), words: "" } : { chosen: [], words };
}
