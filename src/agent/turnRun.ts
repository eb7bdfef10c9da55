import type { Touch } from "../core/contract.js";
import { settled } from "../core/pipeline/deadline.js";
import { ToolError } from "../core/errors.js";
import { ModelError } from "../features/models/modelError.js";
import { errorText, type OutcomeError } from "../core/outcome.js";
import { changesByPatch } from "../core/pipeline/peerTools.js";
import { meantCall, unknownTool } from "../core/pipeline/unknownTool.js";
import { isRecord } from "../core/jsonSchema.js";
import { newId } from "../core/pipeline/pipeline.js";
import type { SessionLog } from "../features/sessions/sessionLog.js";
import type { ChatModel, ModelContent } from "../ports/models.js";
import type { Results } from "../ports/results.js";
import { FIND_TOOL } from "../names/tools.js";
import { oneLine, shorten } from "../text/clip.js";
import { stepsOf, todo } from "../tools/sessions/todo.js";
import { fitResult } from "./bigResults.js";
import { Conversation } from "./conversation.js";
import { askerOf } from "./asker.js";
import { summaryOf } from "./summaryOf.js";
import type { AgentEvent, EndReason, NoticeKind } from "./events.js";
import { ModelAnswer } from "./modelAnswer.js";
import { mayChange, touchesOf } from "./callOrder.js";
import type { FolderGuides } from "./folderGuides.js";
import { describeNote, noteTag } from "./prompt.js";
import { leftWords, ownWords } from "./ownWords.js";
import { Repeats } from "./repeats.js";
import { requestModel, type Retry } from "./requestModel.js";
import { runCalls, type ModelCall, type StartedCall } from "./runCalls.js";
import { estimateMessage, estimateRequest } from "./tokens.js";
import {
  MAX_ITERATIONS,
  type AskedCall,
  type CallResult,
  type TurnPlace,
  type TurnRequest,
  type TurnResult,
} from "./turn.js";
import { ToolDesk } from "./toolDesk.js";
import { TurnLog } from "./turnLog.js";
import { messageOf } from "../text/words.js";
import type { WorkspaceNote } from "./workspaceNotes.js";

export interface TurnHost {
  log: SessionLog;
  results: Results | undefined;
  /** Returns the system prompt. Called for each turn. */
  systemPrompt(request: TurnRequest): Promise<string>;
  /** Guides of the workspace on some of its files; absent if the user does not trust it. */
  guides?: FolderGuides;
  /** See `AgentsHost.absent`. */
  absent?(): ReadonlyMap<string, string>;
  /** See `AgentsHost.onlyReads`. */
  onlyReads?(call: AskedCall): Promise<boolean>;
  /** Called when the turn has started. */
  onBegin?(turn: TurnPlace, depth: number): void;
  /** For tests: waits between two requests. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Maximum characters of a session's title. */
const MAX_TITLE = 80;
const CLOSING = {
  limit: "You have used all requests of this turn. Answer now with what you know, and say what is left to do.",
  repeated:
    "You keep making the same call with the same result. Make no more calls: answer now with what you know, and say what blocks you.",
} as const;

/**
 * Runs one turn of an agent: asks the model, makes its calls and returns the results to it, until it answers without a
 * call. Everything is logged as it happens. Never throws: the result and the last event say how the turn ended.
 */
export async function runTurn(host: TurnHost, request: TurnRequest): Promise<TurnResult> {
  return new TurnRun(host, request).run();
}

class TurnRun {
  readonly #host: TurnHost;
  readonly #request: TurnRequest;
  readonly #turn: string;
  readonly #log: TurnLog;
  readonly #desk: ToolDesk;
  readonly #repeats = new Repeats();
  readonly #conversation: Conversation;
  readonly #usedIds = new Set<string>();
  /** Paths of workspace files that this turn gave the model. */
  readonly #given = new Set<string>();
  #iterations = 0;
  #text = "";
  readonly #tokens = { input: 0, output: 0, estimated: false };

  constructor(host: TurnHost, request: TurnRequest) {
    this.#host = host;
    this.#request = request;
    this.#turn = request.turn ?? newId();
    this.#desk = new ToolDesk(request.tools, request.sent);
    const { session, kind, model, parent, chat, keepUpTo } = request;
    const start = {
      ...{ session, turn: this.#turn, kind, model: model.id, title: request.title ?? titleOf(request.content) },
      ...(parent === undefined ? {} : { parent: parent.session }),
      ...(chat === undefined ? {} : { chat }),
      ...(keepUpTo === undefined ? {} : { keepUpTo }),
    };
    this.#log = new TurnLog(host.log, start, (problem) => this.#notice("not_kept", problem));
    this.#conversation = new Conversation({
      model,
      tools: this.#desk.list,
      log: this.#log,
      readCall: (call) => {
        const { name, input } = this.#meant(call);
        return { tool: this.#desk.find(name), input };
      },
      onRetry: (retry) => this.#onRetry(retry),
      onUsage: (used, estimated, content) => this.#count(used, estimated, content),
      onNotice: (message) => this.#notice("compacted", message),
      ...(host.wait === undefined ? {} : { wait: host.wait }),
    });
  }

  async run(): Promise<TurnResult> {
    try {
      const { entries, depth } = await this.#log.begin();
      try {
        this.#host.onBegin?.({ session: this.#request.session, turn: this.#turn }, depth);
        this.#conversation.begin(
          entries.length > 0 ? entries : (this.#request.earlier ?? []).map((message) => ({ message, seq: undefined })),
        );
        return await this.#runBegun();
      } catch (error) {
        return await this.#fail(error);
      } finally {
        await this.#log.end();
      }
    } catch (error) {
      return await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<TurnResult> {
    if (this.#request.signal.aborted) {
      return this.#end("cancelled");
    }
    const result = await this.#end("failed", describeFailure(error));
    return error instanceof ModelError && error.tooLong ? { ...result, tooLong: true } : result;
  }

  async #runBegun(): Promise<TurnResult> {
    const { signal, maxIterations = MAX_ITERATIONS, content } = this.#request;
    // Log the user's message before anything can go wrong.
    await this.#conversation.add({ role: "user", content });
    signal.throwIfAborted();
    this.#conversation.systemPrompt = await settled(this.#host.systemPrompt(this.#request), signal, 0);
    let isSecondTry = false;
    while (this.#iterations < maxIterations) {
      await this.#takeMessages();
      const { text, calls, left } = await this.#ask(false);
      if (calls.length > 0) {
        if (await this.#makeCalls(calls)) {
          return this.#end("terminal");
        }
        await this.#tellLeft(calls.length, left);
        if (this.#repeats.stuckOn !== undefined) {
          return this.#close("repeated");
        }
      } else if (text.trim() !== "") {
        return this.#end("answered");
      } else if (isSecondTry) {
        return this.#end(
          "empty",
          `${this.#request.model.name} gave no answer twice. Send the message again, or choose another model.`,
        );
      } else {
        // Some models occasionally answer nothing, but continue when asked again.
        isSecondTry = true;
      }
    }
    return this.#close("limit");
  }

  /** Makes a last request, for an answer in words. */
  async #close(reason: keyof typeof CLOSING): Promise<TurnResult> {
    await this.#conversation.add({ role: "user", content: [{ type: "text", text: ownWords(CLOSING[reason]) }] });
    await this.#ask(true);
    const what =
      reason === "limit"
        ? `after ${this.#iterations - 1} rounds of tool calls`
        : `since the model made the same call of ${shorten(oneLine(this.#repeats.stuckOn ?? ""), MAX_TITLE)} over and over`;
    return this.#end(reason, `Stopped ${what}. Say “continue” to go on.`);
  }

  /** Requests an answer from the model and logs it. */
  async #ask(withoutCalls: boolean): Promise<ModelAnswer> {
    this.#iterations += 1;
    this.#emit({ type: "request", session: this.#request.session, iteration: this.#iterations });
    await this.#conversation.fit(this.#request.signal);
    try {
      return await this.#askOnce(withoutCalls);
    } catch (error) {
      if (
        !(error instanceof ModelError) ||
        !error.tooLong ||
        !(await this.#conversation.shrink(this.#request.signal))
      ) {
        throw error;
      }
      return this.#askOnce(withoutCalls);
    }
  }

  async #askOnce(withoutCalls: boolean): Promise<ModelAnswer> {
    const { model, signal, session } = this.#request;
    const messages = this.#conversation.messages();
    const estimated = estimateRequest({ messages, tools: this.#desk.list });
    const answer = new ModelAnswer(model.name, !withoutCalls, (id) => this.#freshId(id));
    const settle = async (ending?: string): Promise<void> => {
      const content = answer.kept(ending);
      if (content.length > 0) {
        // A model that no longer knows that it looked looks again.
        const onlyLooks = answer.calls.every(({ name }) => this.#desk.find(name)?.annotations.readOnly === true);
        await this.#conversation.add({ role: "assistant", content }, answer.calls.length > 0 && onlyLooks);
      }
      await this.#count(answer.used, estimated, answer.content);
    };
    try {
      const retry = {
        onRetry: (again: Retry) => this.#onRetry(again),
        restarts: true,
        ...(this.#host.wait === undefined ? {} : { wait: this.#host.wait }),
      };
      for await (const event of requestModel(
        model,
        { messages, tools: this.#desk.list, withoutCalls },
        signal,
        retry,
      )) {
        if (event.type === "restart") {
          answer.restart();
        } else if (event.type === "cut") {
          this.#notice(
            "cut",
            event.reason === "length"
              ? "The answer reached the provider's length limit and ends here."
              : "The model's provider withheld the rest of the answer.",
          );
        } else if (event.type !== "text") {
          answer.take(event);
        } else if (event.text !== "") {
          // Model APIs refuse a message with an empty text.
          answer.take(event);
          this.#emit({ type: "text", session, text: event.text });
        }
      }
      signal.throwIfAborted();
    } catch (error) {
      answer.breakOff();
      await settle(signal.aborted ? "(The user stopped the answer here.)" : "(The answer was cut off here.)");
      throw error;
    }
    await settle();
    this.#text = answer.text.trim() === "" ? this.#text : answer.text;
    return answer;
  }

  /** Tells the model about calls that were skipped because its answer had too many. */
  async #tellLeft(run: number, left: number): Promise<void> {
    if (left > 0) {
      this.#notice("cut", `The model made ${run + left} calls in one answer; the first ${run} were run.`);
      const text = ownWords(
        `Your answer had ${run + left} calls, and only the first ${run} were made, the limit per answer. Make the rest in further answers if still needed.`,
      );
      await this.#conversation.add({ role: "user", content: [{ type: "text", text }] });
    }
  }

  /** @returns whether they end the turn */
  async #makeCalls(calls: readonly ModelCall[]): Promise<boolean> {
    const { session, signal } = this.#request;
    const asked = calls.map((call) => this.#meant(call));
    const { isTerminal } = await runCalls(asked, {
      toolOf: (name) => this.#desk.find(name),
      // The answer matters only next to other calls.
      onlyReads: async ({ name, input }) =>
        calls.length > 1 && (await this.#host.onlyReads?.(this.#asked(name, input))) === true,
      call: (call) => this.#call(call),
      onResult: async (call, result) => {
        this.#emit({
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
    const { session, callTool, model, signal, root, kind, title, content } = this.#request;
    const place = { session, turn: this.#turn };
    const search =
      this.#desk.isSearch(call.name) && call.problem === undefined ? this.#desk.search(call.input) : undefined;
    const summary =
      search?.summary ??
      (call.tool === undefined || call.problem !== undefined
        ? `Call ${shorten(oneLine(call.name), MAX_TITLE)}`
        : summaryOf(call.tool, call.input));
    this.#emit({ type: "call", session, id: call.id, tool: call.name, input: call.input, summary });
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
    const early = touches.some(({ kind }) => kind === "write") ? undefined : this.#guidesAbout(touches);
    early?.catch(() => undefined);
    const result = await callTool({
      ...place,
      ...{ id: call.id, tool: call.name, input: call.input, root: root ?? place, ready: call.ready, model, signal },
      asker: askerOf(kind, title ?? titleOf(content)),
      report: (message) =>
        this.#emit({ type: "progress", session, id: call.id, message: shorten(oneLine(message), 200) }),
    });
    const steps = result.ok && call.name === todo.name ? stepsOf(call.input) : undefined;
    if (steps !== undefined) {
      this.#emit({ type: "todos", session, todos: steps });
    }
    const shown = await fitResult(result.text, call.tool?.paged ?? false, call.name, this.#host.results);
    return this.#noted(
      call,
      result,
      shown + (result.ok ? this.#tell(await (early ?? this.#guidesAbout(touches))) : ""),
    );
  }

  /** Returns the guides of the workspace on the files of a call. */
  async #guidesAbout(touches: readonly Touch[]): Promise<WorkspaceNote[]> {
    const { guides } = this.#host;
    const found: WorkspaceNote[] = [];
    for (const touch of touches) {
      if (guides !== undefined && (touch.kind === "read" || touch.kind === "write")) {
        const isGiven = (path: string): boolean => this.#isGiven(path) || found.some((note) => note.path === path);
        found.push(...(await guides.of(touch.path, isGiven, this.#request.signal)));
      }
    }
    return found;
  }

  /** Returns notes in words, as far as the model does not have them. */
  #tell(notes: readonly WorkspaceNote[]): string {
    let told = "";
    for (const note of notes.filter(({ path }) => !this.#isGiven(path))) {
      this.#given.add(note.path);
      told += `\n${describeNote(note)}`;
    }
    return told;
  }

  #isGiven(path: string): boolean {
    const tag = noteTag(path);
    return (
      this.#given.has(path) ||
      this.#conversation
        .messages()
        .some(({ content }) => content.some((part) => "text" in part && part.text.includes(tag)))
    );
  }

  #asked(tool: string, input: object): AskedCall {
    const { session, root, signal } = this.#request;
    const place = { session, turn: this.#turn };
    return { ...place, tool, input, root: root ?? place, signal };
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
      this.#notice(
        "repeated",
        `The model made the same call of ${shorten(oneLine(name), MAX_TITLE)} again, with the same result.`,
      );
    }
    const parts = [...(repaired === undefined ? [] : [`[${repaired}]`]), shown, ...(note === undefined ? [] : [note])];
    return { ...result, text: parts.join("\n") };
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

  /** Returns a call as it is run: under our name, and not through `find_tool`. */
  #meant(given: ModelCall): ModelCall {
    const call = this.#desk.unwrapped(given);
    const { name, input, problem } = call;
    const isOurs = this.#desk.find(name) !== undefined && !changesByPatch(name, input);
    const isKnown = problem !== undefined || this.#desk.isSearch(name) || isOurs;
    const meant = isKnown ? undefined : meantCall(name, input, this.#request.tools);
    return meant === undefined || !isRecord(meant.input)
      ? call
      : { ...call, name: meant.tool.name, input: meant.input };
  }

  /** Takes messages left for the session since the last request. */
  async #takeMessages(): Promise<void> {
    for (const { content, from } of await this.#log.takeLeft()) {
      this.#notice("message", `Message from ${from}: ${shorten(oneLine(content), 200)}`);
      await this.#conversation.add({ role: "user", content: [{ type: "text", text: leftWords({ content, from }) }] });
    }
  }

  async #count(
    used: { input: number; output: number } | undefined,
    estimated: number,
    content: readonly ModelContent[],
  ): Promise<void> {
    if (used === undefined && content.length === 0) {
      return;
    }
    const { model, session } = this.#request;
    const tokens = {
      ...(used ?? { input: estimated, output: estimateMessage({ role: "assistant", content: [...content] }) }),
      estimated: used === undefined,
    };
    if (used !== undefined) {
      this.#conversation.learn(estimated, used.input);
    }
    this.#tokens.input += tokens.input;
    this.#tokens.output += tokens.output;
    this.#tokens.estimated ||= tokens.estimated;
    const cost = costOf(model, tokens);
    this.#emit({
      type: "usage",
      session,
      tokens: { input: tokens.input, output: tokens.output, estimated: tokens.estimated },
      ...(cost === undefined ? {} : { cost }),
    });
    this.#log.addTokens({ input: tokens.input, output: tokens.output, estimated: tokens.estimated }, cost);
  }

  /** Returns an id that is unique within the turn, so that results match their calls. */
  #freshId(id: string): string {
    const fresh = id === "" || this.#usedIds.has(id) ? `call_${newId()}` : id;
    this.#usedIds.add(fresh);
    return fresh;
  }

  #onRetry({ reason, wait, attempt }: Retry): void {
    this.#notice("retry", `${reason} Retrying in ${Math.max(1, Math.round(wait / 1000))} s (attempt ${attempt + 1}).`);
  }

  #notice(kind: NoticeKind, message: string): void {
    this.#emit({ type: "notice", session: this.#request.session, kind, message });
  }

  #emit(event: AgentEvent): void {
    try {
      this.#request.onEvent(event);
    } catch {
      // The listener may be gone, for example a closed chat; the turn continues.
    }
  }

  async #end(reason: EndReason, message?: string): Promise<TurnResult> {
    const { session } = this.#request;
    await this.#conversation.makeUp();
    this.#emit({ type: "end", session, turn: this.#turn, reason, ...(message === undefined ? {} : { message }) });
    return {
      ...{
        session,
        turn: this.#turn,
        reason,
        message,
        text: this.#text,
        iterations: this.#iterations,
        tokens: { ...this.#tokens },
      },
      ...{ messages: this.#conversation.added(), seq: this.#conversation.lastSeq() },
    };
  }
}

/** Describes why a turn failed, for the user. */
function describeFailure(error: unknown): string {
  if (error instanceof ModelError) {
    return error.message;
  }
  if (error instanceof ToolError) {
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  }
  return `Toolhost failed: ${messageOf(error)}`;
}

function titleOf(content: readonly ModelContent[]): string {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
  return shorten(oneLine(text), MAX_TITLE) || "(no words)";
}

/** Returns the cost of tokens, in the user's currency; undefined if the model has no prices. */
function costOf({ prices }: ChatModel, { input, output }: { input: number; output: number }): number | undefined {
  return prices && (input * prices.input + output * prices.output) / 1_000_000;
}
