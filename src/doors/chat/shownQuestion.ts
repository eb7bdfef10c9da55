import type { Person, PersonAnswer, PersonQuestion } from "../../ports/person.js";
import { literalLine } from "../../text/fence.js";
import type { ChatOutput } from "./output.js";

/** Returns a person whose questions and answers are also in the chat. */
export function shownInChat(person: Person, output: Pick<ChatOutput, "own" | "progress">): Person {
  return {
    answer: async (question, signal) => {
      output.own(`\n\n${describeQuestion(question)}\n\n`);
      output.progress("Waiting for your answer at the top of the window");
      const answer = await person.answer(question, signal);
      output.own(`\n\n$(reply) ${describeAnswer(answer)}\n\n`);
      return answer;
    },
  };
}

function describeQuestion({ question, choices }: PersonQuestion): string {
  const lines = question
    .split("\n")
    .map((line) => literalLine(line))
    .filter((line) => line !== "");
  const rows = choices.map(
    ({ label, description }) =>
      `- **${literalLine(label)}**${description === undefined ? "" : `: ${literalLine(description)}`}`,
  );
  return [`$(question) ${lines.join("\\\n")}`, ...(rows.length === 0 ? [] : [rows.join("\n")])].join("\n\n");
}

function describeAnswer(answer: PersonAnswer): string {
  if (typeof answer === "string") {
    return "*No answer.*";
  }
  const parts = [...answer.chosen, ...(answer.words === "" ? [] : [answer.words])];
  return parts.length === 0 ? "*None of these.*" : literalLine(parts.join("; "));
}
