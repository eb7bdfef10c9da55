import type { AgentEvent } from "../../agent/events.js";
import { REFUSED, RESTRICTED } from "../../core/pipeline/callFailure.js";
import { isRecord } from "../../core/jsonSchema.js";
import { progressOf, type TodoStep } from "../../tools/sessions/todoSteps.js";
import { oneLine, shorten } from "../../text/clip.js";
import { escapeMarkdown, literalLine } from "../../text/fence.js";
import { LINK_COMMAND } from "../../names/contributed.js";
import { commandLink } from "./commandLink.js";
import type { ChatOutput } from "./output.js";
import { Unrecorded } from "./unrecorded.js";

/** Maximum characters of a subagent's task in a progress line. */
const MAX_TASK = 40;
/** Maximum code units of the answer that are searched for file names. */
const MAX_ANSWER = 100_000;

const ICONS: Readonly<Record<TodoStep["status"], string>> = {
  pending: "$(circle-large-outline)",
  in_progress: "$(arrow-right)",
  completed: "$(pass)",
};

/** Maximum number of subagents' answers that can be opened at a turn's end. */
const MAX_ANSWERS = 20;
/** What a subagent's answer begins with, for the model. */
const FOR_MODEL = /^Subagent completed task\. Result:\n/;

/** Shows a turn in the chat while it runs, and collects what is reported at its end. */
export class ShownTurn {
  readonly #output: Pick<ChatOutput, "said" | "own" | "progress">;
  readonly #session: string;
  readonly #isShownByVscode: (tool: string) => boolean;
  readonly #processOf: (call: string) => string | undefined;
  /** Display names of subagents and of calls that VS Code does not show, by call id. */
  readonly #names = new Map<string, string>();
  /** Ids of the calls whose failure is marked. */
  readonly #failed: string[] = [];
  #lastCall = "";
  /** Titles of questions whose no the chat shows. */
  readonly #refused: string[] = [];
  /** What was refused because the workspace is not trusted, each once. */
  readonly restricted = new Set<string>();
  /** Summaries of calls, for failures. */
  readonly #summaries = new Map<string, string>();
  readonly unrecorded = new Unrecorded();
  /** What subagents answered, by their tasks. VS Code folds their steps away. */
  readonly subagents: { task: string; text: string }[] = [];
  #answer = "";
  /** The steps of the list that was last shown. */
  #steps = "";

  /** @param processOf returns the process that a call of this turn has started */
  constructor(
    output: Pick<ChatOutput, "said" | "own" | "progress">,
    session: string,
    isShownByVscode: (tool: string) => boolean,
    processOf: (call: string) => string | undefined,
  ) {
    this.#output = output;
    this.#session = session;
    this.#isShownByVscode = isShownByVscode;
    this.#processOf = processOf;
  }

  /** The text of the model in this turn. */
  get answer(): string {
    return this.#answer;
  }

  /** Number of failures to tell at the end; 0 if the reader sees them: VS Code folds marks above the last step. */
  get hiddenFailures(): number {
    return this.#failed.some((id) => id !== this.#lastCall) ? this.#failed.length : 0;
  }

  /** Notes that the chat says that the user refused a call. */
  noteRefused(title: string): void {
    this.#refused.push(title);
  }

  onEvent(event: AgentEvent): void {
    if (event.type === "result") {
      this.unrecorded.note(event.id, event.data);
    }
    // A subagent's actions are reported by the call that runs it.
    if (event.session === this.#session) {
      this.#show(event);
    }
  }

  #show(event: AgentEvent): void {
    switch (event.type) {
      case "text":
        this.#answer += this.#answer.length < MAX_ANSWER ? event.text : "";
        this.#output.said(event.text);
        break;
      case "call":
        this.#begin(event);
        break;
      case "progress":
        this.#tellProgress(event);
        break;
      case "result":
        this.#tellFailure(event);
        this.#keepAnswer(event);
        break;
      case "todos":
        this.#showSteps(event.todos);
        break;
      case "notice":
        this.#output.own(`\n\n*${literalLine(event.message)}*\n\n`);
        break;
      default:
        break;
    }
  }

  #keepAnswer({ id, tool, ok, text }: Extract<AgentEvent, { type: "result" }>): void {
    const task = tool === "sessions_spawn" ? this.#names.get(id) : undefined;
    if (ok && task !== undefined && this.subagents.length < MAX_ANSWERS) {
      this.subagents.push({ task, text: text.replace(FOR_MODEL, "") });
    }
  }

  #begin({ id, tool, input, summary }: Extract<AgentEvent, { type: "call" }>): void {
    this.#lastCall = id;
    this.#summaries.set(id, summary);
    if (tool === "sessions_spawn") {
      const prompt = isRecord(input) && typeof input["prompt"] === "string" ? input["prompt"] : "";
      this.#names.set(id, `Subagent “${shorten(oneLine(prompt), MAX_TASK)}”`);
    } else if (!this.#isShownByVscode(tool)) {
      this.#names.set(id, summary);
      this.#output.progress(literalLine(summary));
    }
  }

  /** Shows the whole list when it has other steps than before, and how far it is whenever it changes. */
  #showSteps(steps: readonly TodoStep[]): void {
    const names = JSON.stringify(steps.map(({ content }) => content));
    const now = steps.find(({ status }) => status === "in_progress");
    const isNew = names !== this.#steps;
    this.#steps = names;
    if (isNew && steps.length > 0) {
      const rows = steps.map(({ content, status }) => `- ${ICONS[status]} ${literalLine(content)}`);
      this.#output.own(`\n\n${rows.join("\n")}\n\n`);
    } else if (steps.length > 0) {
      const words = `${progressOf(steps)}${now === undefined ? "" : `: ${now.content}`}`;
      this.#output.own(`\n\n$(checklist) ${literalLine(words)}\n\n`);
    }
  }

  /** Reports a failed call, since VS Code shows failed steps like successful ones. */
  #tellFailure({ id, tool, ok, failed }: Extract<AgentEvent, { type: "result" }>): void {
    const words = failed ?? (ok ? undefined : "failed");
    const summary = this.#summaries.get(id) ?? tool;
    if (words === RESTRICTED) {
      // All of them have the same reason, which the end of the answer gives once.
      this.restricted.add(summary);
    } else if (words !== undefined && !(words === REFUSED && this.#isRefusalTold(summary))) {
      this.#failed.push(id);
      const process = this.#processOf(id);
      const terminal =
        process === undefined ? "" : ` · ${commandLink("Show Terminal", LINK_COMMAND.showTerminal, process)}`;
      this.#output.own(`\n\n$(error) ${literalLine(summary)} — **${literalLine(words)}**${terminal}\n\n`, [
        LINK_COMMAND.showTerminal,
      ]);
    }
  }

  #isRefusalTold(title: string): boolean {
    const at = this.#refused.indexOf(title);
    return at >= 0 && this.#refused.splice(at, 1).length > 0;
  }

  #tellProgress({ id, message }: Extract<AgentEvent, { type: "progress" }>): void {
    const name = this.#names.get(id);
    if (name !== undefined) {
      this.#output.progress(escapeMarkdown(`${oneLine(name)}: ${oneLine(message)}`));
    }
  }
}
