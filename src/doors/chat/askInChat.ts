import { ruleWords } from "../../core/permission/rules/words.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { escapeMarkdown, literalCode, literalLine } from "../../text/fence.js";
import { choicesOf } from "../../views/questions/choices.js";
import type { ChatQuestions, ShownChoice } from "../../views/questions/chatQuestions.js";
import { questionMarkdown } from "../shared/questionMarkdown.js";
import { plain } from "../../text/plainText.js";
import { PROSE } from "../../text/prose.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";
import { commandLink } from "./commandLink.js";
import type { ChatOutput } from "./output.js";

/** Limits of a question in the chat: the buttons must be on the screen with what they are about. */
const MAX_LINES = 30;
const MAX_CHARACTERS = 3_000;
const MAX_REASONS = 8;
/** Characters of a line that a chat shows without scrolling, or nearly: what is right of that is easily missed. */
const MAX_COLUMNS = 120;

type Shown = Pick<ChatOutput, "own" | "button" | "progress">;

/** What asks in a chat. */
export interface AskHost {
  /** Asks what is too long for the chat. */
  confirm: Confirm;
  questions: Pick<ChatQuestions, "ask">;
  /** Told the title of a question whose answer, no, the chat shows. */
  refused?: (title: string) => void;
}

const SAID: Readonly<Record<Answer, string>> = {
  no: "$(circle-slash) Not allowed:",
  once: "$(check) Allowed once:",
  session: "$(check) Allowed in this session:",
  always: "$(check) Always allowed:",
};

/** Returns what asks our own questions in an answer of the chat. Long ones are dialogs, which can show all of them. */
export function askedInChat({ confirm, questions, refused }: AskHost, output: Shown): Confirm {
  return {
    isAttended: true,
    ask: async (question, signal) => {
      if (isLong(question)) {
        return confirm.ask(question, signal);
      }
      const command = wholeCommand(question);
      const title = headline(question.title, command);
      const isExact = allowsOnly(question, command);
      const body = questionMarkdown(question, isExact || isNamed(question), command !== undefined);
      output.own(`\n\n$(question) **Allow this?** ${title}\n\n${body}\n\n`);
      const answer = await questions.ask(question, signal, (choices) => {
        showChoices(isExact ? choices.map(withoutRule) : choices, output);
        output.progress("Waiting for your answer");
      });
      if (!signal.aborted) {
        output.own(`\n\n${SAID[answer]} ${title}\n\n`);
        if (answer === "no") {
          refused?.(question.title);
        }
      }
      return answer;
    },
  };
}

function isLong({ detail, outcome = [], reasons }: Question): boolean {
  const blocks = [detail, ...outcome].map(({ language, text }) => ({ language, lines: text.split("\n") }));
  return (
    blocks.flatMap(({ lines }) => lines).join("\n").length + reasons.join("").length > MAX_CHARACTERS ||
    // A title takes two lines.
    blocks.flatMap(({ lines }) => lines).length + 2 * outcome.length > MAX_LINES ||
    // Prose is wrapped.
    blocks.some(({ language, lines }) => language !== PROSE && lines.some((line) => line.length > MAX_COLUMNS)) ||
    reasons.length > MAX_REASONS
  );
}

/**
 * Returns the command of a question whose title has all of it, exactly as it is: there is no need to show it again. With
 * a dollar, the chat would take the headline, from its icon's dollar on, for a formula (KaTeX), even into code.
 */
function wholeCommand({ title, detail: { language, text } }: Question): string | undefined {
  const command = text.trim();
  const isPlain = !/[^\S ]| {2}|\$/.test(command) && showHidden(command, false).notice === undefined;
  const isTitle = title === `Run ${command}` || title === `Start ${command}`;
  return language === "bash" && command !== "" && isPlain && isTitle ? command : undefined;
}

/** Returns a title as Markdown, with its command as code. */
function headline(title: string, command: string | undefined): string {
  return command === undefined
    ? literalLine(visibleLine(title))
    : `${title.slice(0, -command.length)}${literalCode(command)}`;
}

/** Whether the only rule that would allow the call covers nothing but the command that the headline has. */
function allowsOnly({ derived }: Question, command: string | undefined): boolean {
  const [only] = derived;
  return derived.length === 1 && only !== undefined && ruleWords(only) === command && !/[*?[\]{}\\]/.test(command);
}

function withoutRule(choice: ShownChoice): ShownChoice {
  return choice.answer === "always" ? { ...choice, title: "Always Allow This Command" } : choice;
}

/** Whether the link that always allows names the only rule in full. */
function isNamed(question: Question): boolean {
  const [only] = question.derived;
  const always = choicesOf(question).find(({ answer }) => answer === "always");
  return question.derived.length === 1 && only !== undefined && always?.title.includes(ruleWords(only)) === true;
}

/** Shows yes and no as buttons, and what allows more as links: four buttons would look alike. */
function showChoices(choices: readonly ShownChoice[], output: Shown): void {
  for (const wanted of ["once", "no"] as const) {
    for (const { title, answer, command, argument } of choices) {
      if (answer === wanted) {
        output.button({ command, title, arguments: [argument] });
      }
    }
  }
  const lasting = choices.filter(({ answer }) => answer === "session" || answer === "always");
  if (lasting.length > 0) {
    const links = lasting.map(({ title, answer, command, argument }) =>
      commandLink(
        escapeMarkdown(plain(title)),
        command,
        argument,
        answer === "session"
          ? "Allows it until this session ends"
          : "Adds the rule to your settings, for every workspace",
      ),
    );
    output.own(
      `\n\n${links.join(" · ")}\n\n`,
      lasting.map(({ command }) => command),
    );
  }
}
