import type { AgentEvent } from "../../agent/events.js";
import type { TurnResult } from "../../agent/turn.js";
import type { Tool } from "../../core/contract.js";
import { todo } from "../../tools/sessions/todo.js";
import { checklist } from "../../tools/sessions/todoSteps.js";
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { quoted } from "./allow.js";
import { jsonLine, withoutControls } from "./controls.js";
import { EXIT } from "./exitCode.js";
import { count } from "../../text/words.js";

/** Maximum characters shown of a result, a failed result and a notice. */
const MAX_RESULT = 120;
const MAX_FAILURE = 1_000;
const MAX_NOTICE = 500;
/** Maximum characters shown of a step of the agent's list. */
const MAX_STEP = 200;
/** Number of calls that the message about a stopped turn names. */
const MAX_DONE = 10;

export interface AgentViewOptions {
  /** Whether to show events as lines of JSON instead of text. */
  json: boolean;
  /** Write to standard output and standard error, unchanged. */
  out(text: string): void;
  err(text: string): void;
  /** Whether standard output is a terminal, and whether standard error is the same terminal. */
  isTerminal: boolean;
  sharesTerminal: boolean;
  /** The turn's session. */
  session: string;
  /** The workspace as given on the command line. */
  workspace: string | undefined;
  /** The address of the sandbox in which it works: its changes and sessions are kept apart. */
  sandbox?: string | undefined;
  toolOf(name: string): Tool | undefined;
}

/**
 * Shows a turn on the command line: the answer on standard output, the agent's actions as lines on standard error; or
 * everything as lines of JSON.
 */
export class AgentView {
  readonly #options: AgentViewOptions;
  /** Sessions of subagents, in the order they started. */
  readonly #children: string[] = [];
  /** Calls that run a subagent, and the summary of each call, by `keyOf`. */
  readonly #spawning = new Set<string>();
  readonly #summaries = new Map<string, string>();
  readonly #done: string[] = [];
  readonly #tokens = { input: 0, output: 0, estimated: false };
  #cost: number | undefined = 0;
  #hasChanged = false;
  /** The last two characters of the answer so far. */
  #tail = "";
  #isNewAnswer = false;
  #progress = "";
  /** Lines held back until the user has answered a question. */
  #held: string[] | undefined;

  constructor(options: AgentViewOptions) {
    this.#options = options;
  }

  /** Holds lines back while a question is on the terminal. */
  hold(isHeld: boolean): void {
    if (isHeld) {
      this.#breakLine();
      this.#held ??= [];
      return;
    }
    const held = this.#held ?? [];
    this.#held = undefined;
    held.forEach((line) => this.#options.err(line));
  }

  onEvent(event: AgentEvent): void {
    this.#note(event);
    if (this.#options.json) {
      this.#options.out(jsonLine(event));
    } else if (event.session === this.#options.session) {
      this.#tell(event, "");
    } else {
      this.#tell(event, `[subagent ${this.#numberOf(event.session)}] `);
    }
  }

  /** Reports how the turn ended. @returns the exit code */
  finish({ reason, message, iterations }: Pick<TurnResult, "reason" | "message" | "iterations">): number {
    const { json, session, workspace, sandbox } = this.#options;
    if (!json && this.#tail !== "" && !this.#tail.endsWith("\n")) {
      this.#options.out("\n");
      this.#tail = "\n";
    }
    if (message !== undefined && reason !== "answered" && reason !== "terminal") {
      this.#line(`toolhost: ${shorten(visibleLine(message), 2_000)}`);
    }
    if (json) {
      return exitCodeOf(reason);
    }
    if (reason === "cancelled") {
      this.#line(`toolhost: Stopped. ${this.#describeDone()}`);
    }
    const { input, output, estimated } = this.#tokens;
    const cost = this.#cost === undefined || input + output === 0 ? "" : `, cost ${Number(this.#cost.toPrecision(3))}`;
    const used = `${count(iterations, "request")}, ${input} tokens in, ${output} out${estimated ? " (estimated)" : ""}${cost}`;
    const at =
      sandbox !== undefined
        ? `--sandbox ${quoted(sandbox)} `
        : workspace === undefined
          ? ""
          : `--workspace ${quoted(workspace)} `;
    this.#line(`toolhost: ${used}.${this.#hasChanged ? ` Undo its changes: toolhost ${at}undo` : ""}`);
    this.#line(`toolhost: Continue with: toolhost ${at}agent --session ${session} "…"`);
    return exitCodeOf(reason);
  }

  /** Collects totals for the end, from subagents, too. */
  #note(event: AgentEvent): void {
    switch (event.type) {
      case "call":
        this.#summaries.set(keyOf(event), event.summary);
        return;
      case "result": {
        if (event.ok) {
          this.#done.push(this.#summaries.get(keyOf(event)) ?? event.tool);
          this.#hasChanged ||= this.#options.toolOf(event.tool)?.needs.includes("changes") === true;
        }
        return;
      }
      case "usage":
        this.#tokens.input += event.tokens.input;
        this.#tokens.output += event.tokens.output;
        this.#tokens.estimated ||= event.tokens.estimated;
        this.#cost = event.cost === undefined || this.#cost === undefined ? undefined : this.#cost + event.cost;
        return;
      default:
        return;
    }
  }

  #tell(event: AgentEvent, who: string): void {
    switch (event.type) {
      case "text":
        // A subagent's text is its result, meant for the agent.
        if (who === "") {
          this.#answer(event.text);
        }
        return;
      case "request":
        this.#isNewAnswer ||= who === "";
        return;
      case "call":
        if (event.tool === "sessions_spawn") {
          this.#spawning.add(keyOf(event));
        }
        this.#line(`${who}• ${visibleLine(event.summary)}`);
        return;
      case "progress": {
        const line = `${who}  ${visibleLine(event.message)}`;
        // A subagent reports its actions in its own events.
        if (!this.#spawning.has(keyOf(event)) && line !== this.#progress) {
          this.#progress = line;
          this.#line(line);
        }
        return;
      }
      case "todos":
        checklist(event.todos).forEach((line) => this.#line(`${who}  ${shorten(visibleLine(line), MAX_STEP)}`));
        return;
      case "result":
        if (event.ok && event.tool === todo.name) {
          // The list itself was shown.
          return;
        }
        // A failure ends with what to do about it, so it gets more room.
        this.#line(
          `${who}  ${shortened(event.tool, MAX_RESULT)}${event.ok ? "" : " failed"}: ${shortened(event.text, event.ok ? MAX_RESULT : MAX_FAILURE)}`,
        );
        return;
      case "notice":
        this.#isNewAnswer ||= who === "" && event.kind === "retry";
        this.#line(`${who}! ${shorten(visibleLine(event.message), MAX_NOTICE)}`);
        return;
      case "end":
        if (who !== "") {
          this.#line(
            `${who}ended: ${event.reason}${event.message === undefined ? "" : ` (${shorten(visibleLine(event.message), MAX_NOTICE)})`}`,
          );
        }
        return;
      case "usage":
        return;
    }
  }

  /** Writes a piece of the answer. Text from a new request starts a new paragraph. */
  #answer(text: string): void {
    if (this.#isNewAnswer && this.#tail !== "") {
      this.#write(this.#tail.endsWith("\n\n") ? "" : this.#tail.endsWith("\n") ? "\n" : "\n\n");
    }
    this.#isNewAnswer = false;
    this.#write(text);
  }

  #write(text: string): void {
    this.#tail = (this.#tail + text).slice(-2);
    this.#options.out(this.#options.isTerminal ? withoutControls(text.replaceAll("\r\n", "\n")) : text);
  }

  #line(line: string): void {
    if (this.#options.json && !line.startsWith("toolhost:")) {
      return;
    }
    if (this.#held !== undefined) {
      this.#held.push(`${line}\n`);
      return;
    }
    this.#breakLine();
    this.#options.err(`${line}\n`);
  }

  /** Ends the answer's unfinished line before another line is written to the same terminal. */
  #breakLine(): void {
    if (this.#options.sharesTerminal && !this.#options.json && this.#tail !== "" && !this.#tail.endsWith("\n")) {
      this.#write("\n");
    }
  }

  #numberOf(session: string): number {
    const known = this.#children.indexOf(session);
    if (known >= 0) {
      return known + 1;
    }
    const number = this.#children.push(session);
    this.#line(`[subagent ${number}] starts, session ${session}`);
    return number;
  }

  #describeDone(): string {
    const shown = this.#done.slice(-MAX_DONE).map((summary) => visibleLine(summary));
    const more = this.#done.length - shown.length;
    const list = `${more > 0 ? `${more} earlier calls, then ` : ""}${shown.join("; ")}`;
    const kept = this.#hasChanged ? " Their changes stay." : "";
    return this.#done.length === 0
      ? "Nothing was done. The session keeps what was said so far."
      : `Done so far: ${list}.${kept} The session is kept.`;
  }
}

/** Returns a call's key: different agents' calls may have the same id. */
function keyOf({ session, id }: { session: string; id: string }): string {
  return `${session} ${id}`;
}

function exitCodeOf(reason: TurnResult["reason"]): number {
  switch (reason) {
    case "answered":
    case "terminal":
      return EXIT.ok;
    case "cancelled":
      return EXIT.cancelled;
    case "limit":
    case "repeated":
    case "empty":
    case "failed":
      return EXIT.toolError;
  }
}

function shortened(text: string, max: number): string {
  return shorten(visibleLine(shorten(oneLine(text.slice(0, max * 4)), max)), max);
}
