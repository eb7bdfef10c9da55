import type { InputRequest } from "@modelcontextprotocol/server";
import type { Person, PersonAnswer, PersonQuestion } from "../../ports/person.js";
import type * as McpSdk from "./mcpSdk.js";

/** The form's name in the client's answer. */
const FORM = "answer";
/** The field for an answer in one's own words. */
const WORDS = "words";
/** The field for one choice; those of several have its name and a number. */
const CHOICE = "choice";

/** Maximum characters of an answer in one's own words: more than anyone types into a form. */
const MAX_WORDS = 20_000;

type Fields = Parameters<typeof McpSdk.inputRequired.elicit>[0]["requestedSchema"];

/**
 * The user of a client that can show forms. The SDK runs a call twice: the first time the question becomes a form, and the
 * second time the call has what the user filled in. So this is only for a tool that does nothing else than ask.
 */
export class FormPerson implements Person {
  /** The form that is to be shown; undefined if there is none, or once it was. */
  form: Record<string, InputRequest> | undefined;

  /** @param responses what came back; untrusted, as all that a client sends */
  constructor(
    readonly sdk: Pick<typeof McpSdk, "inputRequired" | "inputResponse">,
    readonly responses: Record<string, unknown> | undefined,
  ) {}

  async answer(question: PersonQuestion): Promise<PersonAnswer> {
    const response = this.sdk.inputResponse(this.responses, FORM);
    if (response.kind === "elicit") {
      return response.action === "accept" ? read(question, response.content ?? {}) : "unanswered";
    }
    this.form = {
      [FORM]: this.sdk.inputRequired.elicit({ message: messageOf(question), requestedSchema: fieldsOf(question) }),
    };
    return "unanswered";
  }
}

/** Choices are explained in the message: a form has their labels alone. */
function messageOf({ question, choices }: PersonQuestion): string {
  const explained = choices.filter(({ description = "" }) => description !== "");
  return [question, ...explained.map(({ label, description }) => `- ${label}: ${description}`)].join("\n");
}

function fieldsOf({ choices, several }: PersonQuestion): Fields {
  const labels = choices.map(({ label }) => label);
  const [words, required] =
    labels.length === 0 ? [{ title: "Your answer" }, [WORDS]] : [{ title: "Or in your own words" }, []];
  return {
    type: "object",
    properties: {
      ...(labels.length === 0
        ? {}
        : several
          ? // Lists are only in forms since 2025-11-25.
            Object.fromEntries(labels.map((title, index) => [`${CHOICE}${index + 1}`, { type: "boolean", title }]))
          : { [CHOICE]: { type: "string", title: "Your choice", enum: labels } }),
      [WORDS]: { type: "string", ...words },
    },
    required,
  };
}

function read({ choices, several }: PersonQuestion, content: Record<string, unknown>): PersonAnswer {
  const chosen = choices
    .map(({ label }) => label)
    .filter((label, index) => (several ? content[`${CHOICE}${index + 1}`] === true : content[CHOICE] === label));
  const words = content[WORDS];
  return { chosen, words: typeof words === "string" ? words.trim().slice(0, MAX_WORDS) : "" };
}
