import { isRecord } from "../core/jsonSchema.js";
import { errorText, type OutcomeError } from "../core/outcome.js";
import { otherThanEdit } from "../core/pipeline/peerTools.js";
import { meantCall, unknownTool } from "../core/pipeline/unknownTool.js";
import { FIND_TOOL } from "../names/tools.js";
import type { ModelContent } from "../ports/models.js";
import { oneLine, shorten } from "../text/clip.js";
import { stepsOf, todo } from "../tools/sessions/todo.js";
import { fitResult } from "./bigResults.js";
import { mayChange, touchesOf } from "./callOrder.js";
import type { Conversation } from "./conversation.js";
import { Repeats } from "./repeats.js";
import { runCalls, type ModelCall, type StartedCall } from "./runCalls.js";
import { summaryOf } from "./summaryOf.js";
import { ToldGuides } from "./toldGuides.js";
import type { ToolDesk } from "./toolDesk.js";
import type { AskedCall, CallResult, TurnHost, TurnRequest } from "./turn.js";
import type { TurnReport } from "./turnReport.js";

/** Maximum characters of a tool's name. */
const MAX_NAME = 80;

/** The turn that makes the calls. */
interface CallingTurn {
  host: TurnHost;
  request: TurnRequest;
  /** The turn's id. */
  turn: string;
  /** See `AgentCall.asker`. */
  asker: string | undefined;
  desk: ToolDesk;
  conversation: Conversation;
  report: TurnReport;
}

/** Makes the calls of a turn's answers: each result is reported, logged and put into the conversation. */
export class TurnCalls {
  readonly #host: TurnHost;
  readonly #request: TurnRequest;
  readonly #turn: string;
  readonly #asker: string | undefined;
  readonly #desk: ToolDesk;
  readonly #conversation: Conversation;
  readonly #report: TurnReport;
  readonly #guides: ToldGuides;
  readonly #repeats = new Repeats();

  constructor({ host, request, turn, asker, desk, conversation, report }: CallingTurn) {
    this.#host = host;
    this.#request = request;
    this.#turn = turn;
    this.#asker = asker;
    this.#desk = desk;
    this.#conversation = conversation;
    this.#report = report;
    this.#guides = new ToldGuides(host.guides, () => conversation.messages(), request.signal);
  }

  /** The tool of a call that was repeated too often; undefined if none was. */
  get stuckOn(): string | undefined {
    return this.#repeats.stuckOn;
  }

  /** Returns a call as it is run: under our name, and not through `find_tool`. */
  meant(given: ModelCall): ModelCall {
    const call = this.#desk.unwrapped(given);
    const { name, input, problem } = call;
    const isOurs = this.#desk.find(name) !== undefined && otherThanEdit(name, input) === undefined;
    const isKnown = problem !== undefined || this.#desk.isSearch(name) || isOurs;
    const meant = isKnown ? undefined : meantCall(name, input, this.#request.tools);
    return meant === undefined || !isRecord(meant.input)
      ? call
      : { ...call, name: meant.tool.name, input: meant.input };
  }

  /** Makes the calls of an answer. @returns whether they end the turn */
  async make(calls: readonly ModelCall[]): Promise<boolean> {
    const { session, signal } = this.#request;
    const asked = calls.map((call) => this.meant(call));
    const { isTerminal } = await runCalls(asked, {
      toolOf: (name) => this.#desk.find(name),
      // The answer matters only next to other calls.
      onlyReads: async ({ name, input }) =>
        calls.length > 1 && (await this.#host.onlyReads?.(this.#asked(name, input))) === true,
      call: (call) => this.#call(call),
      onResult: async (call, result) => {
        this.#report.emit({
          type: "result",
          session,
          id: call.id,
          tool: call.name,
          ok: result.ok,
          text: result.text,
          ...(result.failed === undefined ? {} : { failed: result.failed }),
          ...(result.data === undefined ? {} : { data: result.data }),
          ...(result.error === undefined ? {} : { error: result.error }),
        });
        const content: ModelContent = {
          type: "result",
          id: call.id,
          text: result.text,
          ...(result.media === undefined ? {} : { media: result.media }),
        };
        // Each result is logged soon after it arrives, so that a crash only loses unfinished calls.
        await this.#conversation.add({ role: "user", content: [content] });
      },
    });
    signal.throwIfAborted();
    return isTerminal;
  }

  async #call(call: StartedCall): Promise<CallResult> {
    const { session, callTool, model, signal, root } = this.#request;
    const place = { session, turn: this.#turn };
    const search =
      this.#desk.isSearch(call.name) && call.problem === undefined ? this.#desk.search(call.input) : undefined;
    const summary =
      search?.summary ??
      (call.tool === undefined || call.problem !== undefined
        ? `Call ${shorten(oneLine(call.name), MAX_NAME)}`
        : summaryOf(call.tool, call.input));
    this.#report.emit({ type: "call", session, id: call.id, tool: call.name, input: call.input, summary });
    if (search !== undefined) {
      const { ok, text } = search;
      const error: OutcomeError = { type: "invalid_input", message: text };
      return this.#noted(call, { ok, text, ...(ok ? {} : { failed: "not run: wrong input", error }) }, text);
    }
    const refused = this.#refuse(call);
    if (refused !== undefined) {
      return this.#noted(
        call,
        {
          ok: false,
          text: errorText(refused),
          failed: call.tool === undefined ? "not run: there is no such tool" : "not run: wrong input",
          error: refused,
        },
        errorText(refused),
      );
    }
    const touches = touchesOf(call) ?? [];
    // A change may make the file that they are about; for any other call they are looked up while it runs.
    const early = touches.some(({ kind }) => kind === "write") ? undefined : this.#guides.about(touches);
    early?.catch(() => undefined);
    const result = await callTool({
      ...place,
      ...{ id: call.id, tool: call.name, input: call.input, root: root ?? place, ready: call.ready, model, signal },
      asker: this.#asker,
      report: (message) =>
        this.#report.emit({ type: "progress", session, id: call.id, message: shorten(oneLine(message), 200) }),
    });
    const steps = result.ok && call.name === todo.name ? stepsOf(call.input) : undefined;
    if (steps !== undefined) {
      this.#report.emit({ type: "todos", session, todos: steps });
    }
    const shown = await fitResult(result.text, call.tool?.paged ?? false, call.name, this.#host.results);
    return this.#noted(
      call,
      result,
      shown + (result.ok ? this.#guides.tell(await (early ?? this.#guides.about(touches))) : ""),
    );
  }

  /** Returns the result for the model, with a warning if it is a repeat. @param shown its text, short enough */
  async #noted(
    { name, input, tool, note: repaired }: StartedCall,
    result: CallResult,
    shown: string,
  ): Promise<CallResult> {
    const note = await this.#repeats.note({
      ...{ tool: name, input, text: result.text },
      mayChange: async () =>
        result.ok && mayChange({ tool, input }) && (await this.#host.onlyReads?.(this.#asked(name, input))) !== true,
    });
    if (note !== undefined) {
      this.#report.notice(
        "repeated",
        `The model made the same call of ${shorten(oneLine(name), MAX_NAME)} again, with the same result.`,
      );
    }
    const parts = [...(repaired === undefined ? [] : [`[${repaired}]`]), shown, ...(note === undefined ? [] : [note])];
    return { ...result, text: parts.join("\n") };
  }

  #asked(tool: string, input: object): AskedCall {
    const { session, root, signal } = this.#request;
    const place = { session, turn: this.#turn };
    return { ...place, tool, input, root: root ?? place, signal };
  }

  /** Returns why a call cannot be made, for the model; undefined if it can. */
  #refuse({ name, input, tool, problem }: StartedCall): OutcomeError | undefined {
    if (tool === undefined && !this.#desk.isSearch(name)) {
      const { type, message, hint } = unknownTool(name, input, this.#request.tools, {
        ...{ ifNone: "There are no tools in this turn: answer in words.", absent: this.#host.absent?.() },
        ...(this.#desk.finder && {
          toolList: `The names of the tools are in your list, and ${FIND_TOOL} finds others.`,
        }),
      });
      return { type, message, ...(hint === undefined ? {} : { hint }) };
    }
    return problem === undefined
      ? undefined
      : {
          type: "invalid_input",
          message: `${name}: ${shorten(problem, 500)} Nothing was run.`,
          hint: "Make the call again, with its input as one JSON object.",
        };
  }
}
