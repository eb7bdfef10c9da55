import type { AgentEvent } from "../../agent/events.js";
import type { RunningTask, TaskRun } from "../../agent/work/taskWorker.js";
import type { ScheduleResult } from "../../agent/work/runSchedule.js";
import { oneLine, shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { jsonLine } from "./controls.js";

/** Maximum characters of a task's result or a notice, and of a failure. */
const MAX_NOTE = 2_000;
const MAX_FAILURE = 500;
/** Maximum characters of a tool's name: a model may call one that does not exist. */
const MAX_NAME = 100;

export interface WorkViewOptions {
  json: boolean;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Shows running work: results of tasks and schedules on standard output, actions as lines on standard error; or
 * everything as lines of JSON.
 */
export class WorkView {
  readonly #options: WorkViewOptions;
  /** Display names of the tasks and schedules, by session. */
  readonly #names = new Map<string, string>();
  #held: string[] | undefined;

  constructor(options: WorkViewOptions) {
    this.#options = options;
  }

  /** Holds lines back while a question is on the terminal. */
  hold(isHeld: boolean): void {
    const held = this.#held ?? [];
    this.#held = isHeld ? held : undefined;
    if (!isHeld) {
      held.forEach((line) => this.#options.err(line));
    }
  }

  beginTask({ name, title, session, from }: RunningTask): void {
    this.#names.set(session, `task ${visibleLine(name)}`);
    this.#json({ type: "task", name, title, session, status: "in_progress", from });
    const how = { pending: "", abandoned: " (its previous worker is gone)", sentTo: " (a message is waiting for it)" }[
      from
    ];
    this.#line(`[task ${visibleLine(name)}] starts${how}: ${visibleLine(title)}  (session ${session})`);
  }

  endTask({ name, title, session, status, note, from, copy = "" }: TaskRun): void {
    this.#json({ type: "task", name, title, session, status, note, from, ...(copy !== "" && { copy }) });
    this.#result(
      `task ${visibleLine(name)}: ${status}${note === "" ? "" : `: ${shorten(visibleLine(oneLine(note)), MAX_NOTE)}`}${status === "waiting" ? `\n  Answer with: toolhost sessions send ${session} "…"` : ""}${inCopy(copy)}`,
    );
  }

  /** @param due when the run was due, in ms since the epoch */
  beginSchedule(name: string, session: string, due: number): void {
    this.#names.set(session, `schedule ${visibleLine(name)}`);
    this.#json({ type: "schedule", name, session, status: "running", due: new Date(due).toISOString() });
    this.#line(`[schedule ${visibleLine(name)}] starts  (session ${session})`);
  }

  endSchedule(name: string, session: string, { reason, text, copy = "" }: ScheduleResult): void {
    this.#json({ type: "schedule", name, session, status: reason, text, ...(copy !== "" && { copy }) });
    this.#result(
      `schedule ${visibleLine(name)}: ${reason}: ${shorten(visibleLine(oneLine(text)), MAX_NOTE)}${inCopy(copy)}`,
    );
  }

  tell(message: string): void {
    this.#json({ type: "notice", message });
    this.#line(`! ${shorten(visibleLine(message), MAX_NOTE)}`);
  }

  onEvent(event: AgentEvent): void {
    this.#json(event);
    const who = `[${this.#names.get(event.session) ?? "subagent"}]`;
    switch (event.type) {
      case "call":
        this.#line(`${who} • ${visibleLine(event.summary)}`);
        return;
      case "result":
        if (!event.ok) {
          this.#line(
            `${who}   ${shorten(visibleLine(event.tool), MAX_NAME)} failed: ${shorten(visibleLine(oneLine(event.text.slice(0, MAX_FAILURE * 4))), MAX_FAILURE)}`,
          );
        }
        return;
      case "notice":
        this.#line(`${who} ! ${shorten(visibleLine(event.message), MAX_FAILURE)}`);
        return;
      default:
        return;
    }
  }

  #json(event: object): void {
    if (this.#options.json) {
      this.#options.out(jsonLine(event));
    }
  }

  #result(line: string): void {
    if (!this.#options.json) {
      this.#options.out(`${line}\n`);
    }
  }

  #line(line: string): void {
    if (this.#options.json) {
      return;
    }
    if (this.#held !== undefined) {
      this.#held.push(`${line}\n`);
    } else {
      this.#options.err(`${line}\n`);
    }
  }
}

/** Returns the line that says what became of changes in a copy. */
function inCopy(copy: string): string {
  return copy === "" ? "" : `\n  ${shorten(visibleLine(oneLine(copy)), MAX_NOTE)}`;
}
