import type { InputRequest } from "@modelcontextprotocol/server";
import { ToolError } from "../../core/errors.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import { showHidden } from "../../text/showHidden.js";
import { wholeText } from "../../text/visibleDetails.js";
import type * as McpSdk from "./mcpSdk.js";

/** The field for the answer. */
const ANSWER = "answer";
/** Maximum characters of a question: nobody reads more in a form, and a question must show the whole command. */
const MAX_MESSAGE = 12_000;

/** Maximum number of forms of a connection that wait for an answer; an answer to an older one counts for nothing. */
const MAX_OPEN = 100;

const ONCE = "Allow once";
const SESSION = "Allow in this session";
const NO = "Do not allow";

/** The forms of one connection that were shown and have not been answered, with their questions. */
export type OpenForms = Map<string, string>;

/**
 * Asks the user of a client that can show forms whether a call may run. As with `FormPerson`, the call is made twice:
 * nothing runs the first time, and the second time the same question has its answer.
 */
export class FormConfirm implements Confirm {
  /** The form that is to be shown; undefined if there is none. */
  form: Record<string, InputRequest> | undefined;

  constructor(
    readonly parts: {
      sdk: Pick<typeof McpSdk, "inputRequired" | "inputResponse">;
      /** What came back; untrusted, as all that a client sends. */
      responses: Record<string, unknown> | undefined;
      open: OpenForms;
      /** The called tool: what a call does within itself cannot be asked about in a form, since it would run twice. */
      tool: string;
      /** Answers what a form must not ask: what only a window or a terminal may be asked, and what is too long. */
      otherwise: Confirm;
    },
  ) {}

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { sdk, open, tool, otherwise } = this.parts;
    const message = messageOf(question);
    if (question.everyTime === true || question.tool !== tool || message.length > MAX_MESSAGE) {
      return otherwise.ask(question, signal);
    }
    const answer = this.#answerTo(message);
    if (answer !== undefined) {
      return answer === "unanswered" ? this.#unanswered(question, signal) : answer;
    }
    const name = `permission-${crypto.randomUUID()}`;
    open.set(name, message);
    // A client may call without ever answering.
    for (const [oldest] of open) {
      if (open.size <= MAX_OPEN) {
        break;
      }
      open.delete(oldest);
    }
    const choices = question.derived.length > 0 ? [ONCE, SESSION, NO] : [ONCE, NO];
    this.form = {
      [name]: sdk.inputRequired.elicit({
        message,
        requestedSchema: {
          type: "object",
          properties: { [ANSWER]: { type: "string", title: "Your answer", enum: choices } },
          required: [ANSWER],
        },
      }),
    };
    throw new ToolError("denied", `${question.tool}: the user is being asked. Nothing was done.`);
  }

  /** Returns the answer to a question, if it was asked on this connection and came back; each counts once. */
  #answerTo(message: string): Answer | "unanswered" | undefined {
    const { sdk, open, responses = {} } = this.parts;
    for (const name of Object.keys(responses)) {
      const response = sdk.inputResponse(responses, name);
      if (open.get(name) === message && response.kind === "elicit") {
        open.delete(name);
        const chosen = response.action === "accept" ? response.content?.[ANSWER] : undefined;
        return chosen === ONCE ? "once" : chosen === SESSION ? "session" : chosen === NO ? "no" : "unanswered";
      }
    }
    return undefined;
  }

  /**
   * Refuses with the words for when nobody can be asked: some clients decline, close or accept forms without showing them to
   * anybody.
   */
  async #unanswered(question: Question, signal: AbortSignal): Promise<Answer> {
    try {
      return await this.parts.otherwise.ask(question, signal);
    } catch (error) {
      throw error instanceof ToolError
        ? new ToolError(
            error.type,
            `${question.tool} needs the user's permission, and the form that asks for it came back without one of its choices. Nothing was done. ${question.reasons.join(" ")}`.trim(),
            error.hint,
          )
        : error;
    }
  }
}

function messageOf({ title, reasons, detail, outcome = [], derived }: Question): string {
  const rules = derived.map(ruleWords).join(", ");
  const lines = [
    title,
    ...reasons,
    "",
    wholeText([detail, ...outcome]),
    ...(rules === "" ? [] : ["", `"${SESSION}" allows from now on, until this session ends: ${rules}`]),
  ];
  return showHidden(lines.join("\n"), false).text;
}
