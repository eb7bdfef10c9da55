import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import type { PersonAnswer } from "../../ports/person.js";
import { ASK_USER } from "../../names/tools.js";
import { oneLine, shorten } from "../../text/clip.js";
import { ASK_ALIASES } from "./askAliases.js";

/** Maximum choices: more are a question that is not ready to be asked. */
const MAX_CHOICES = 6;
/** Maximum characters of a question, a label and its explanation: a person reads them in a prompt of a few lines. */
const [MAX_QUESTION, MAX_LABEL, MAX_DESCRIPTION] = [2_000, 200, 500];
/** How long a question waits for its answer, in ms: people go home, and timers hold 25 days. */
const PATIENCE = 20 * 24 * 3_600_000;

/** What a model does when it gets no answer. */
const WITHOUT = "Decide yourself if that is safe; otherwise end your turn with the question.";

const text = (max: number): z.ZodString => z.string().min(1).max(max).regex(/\S/, "must not be blank");

export const askUser = defineTool({
  name: ASK_USER,
  group: "sessions",
  title: "Ask the user",
  description: "Ask the user what you cannot find out and should not guess. They can always answer in their own words.",
  input: () =>
    z.object({
      question: text(MAX_QUESTION).describe("One question."),
      choices: z
        .array(
          z.object({
            label: text(MAX_LABEL),
            description: z.string().max(MAX_DESCRIPTION).optional().describe("What it means."),
          }),
        )
        .max(MAX_CHOICES)
        .optional()
        .describe(`2 to ${MAX_CHOICES} likely answers, the best first.`),
      several: z.boolean().optional().describe("Allow several choices."),
    }),
  aliases: ASK_ALIASES,
  output: () =>
    z.object({
      answered: z.boolean(),
      chosen: z.array(z.string()).describe("Labels of the choices."),
      words: z.string().describe("Their own words; empty if none."),
    }),
  needs: ["person"],
  annotations: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
  positional: ["question"],
  touches: () => [],
  summary: ({ question }) => `Ask: ${shorten(oneLine(question), 150)}`,
  timeout: PATIENCE,
  expose: "never",
  execute: async ({ question, choices = [], several = false }, { person, signal }) => {
    const answer = await person.answer({ question, choices, several }, signal);
    return typeof answer === "string"
      ? { text: withoutAnswer(answer), data: { answered: false, chosen: [], words: "" } }
      : { text: inWords(answer), data: { answered: true, chosen: [...answer.chosen], words: answer.words } };
  },
});

function withoutAnswer(why: Extract<PersonAnswer, string>): string {
  return `[${why === "nobody" ? "Nobody can be asked here." : "The user did not answer."} ${WITHOUT}]`;
}

function inWords({ chosen, words }: Exclude<PersonAnswer, string>): string {
  const parts = [
    ...(chosen.length > 0 ? [`The user chose: ${chosen.join("; ")}`] : []),
    ...(words === "" ? [] : [`The user answered: ${words}`]),
  ];
  return parts.length === 0 ? "The user chose none of these." : parts.join("\n");
}
