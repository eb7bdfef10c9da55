import { newId } from "./newId.js";
import type { Question } from "../../ports/confirm.js";
import type { Containment, MayChange, ReachableHosts } from "../../ports/processes.js";
import type { InnerOutcome, Tools } from "../../ports/tools.js";
import { askPerson } from "./askPerson.js";
import { CallLog } from "./callLog.js";
import { checkResult, maskOutcome, type FullOutcome } from "./fullOutcome.js";
import { OutflowCheck, type DecidedWithOutflow } from "./outflowCheck.js";
import { contextOf, turnOf, type DecidedCall } from "./callContext.js";
import type { Caller } from "../caller.js";
import { CallJudge, type Decided } from "./callJudge.js";
import type { Preview, Tool, Touch } from "../contract.js";
import { throwIfCancelled, withDeadline } from "./deadline.js";
import { Cancelled, ToolError } from "../errors.js";
import { parseInput, understandInput } from "./input.js";
import { failure, withNotes, type Outcome, type ToolResult } from "../outcome.js";
import { isAllowedByDefault } from "../permission/decide.js";
import { changedByCommands, type GatedTouch } from "../permission/touches.js";
import { explain, type Explanation } from "../permission/explain.js";
import { changesSomething, partsOf } from "../permission/commands/parts.js";
import { leftOutInWords } from "../permission/commands/narrowed.js";
import { isSecret } from "../permission/touches.js";
import type { PipelineHost } from "./pipelineHost.js";
import { containmentOf, showsPackages } from "../permission/commands/containment.js";
import { fetchedFrom } from "../permission/commands/installs.js";
import { isRehearsable } from "../permission/commands/rehearsable.js";
import { resolveHandles, type ResolvedInput } from "../secrets/resolveHandles.js";
import { PreparedCalls } from "./preparedCalls.js";
import { makeQuestion, sameQuestion, summaryLine } from "./question.js";
import { actingTool } from "../toolParts.js";
import { ToolFinder, type WhyNot } from "./toolFinder.js";

export type { Caller } from "../caller.js";
export type { PipelineHost, PipelineSettings } from "./pipelineHost.js";

/** What a door shows before a call. */
export interface Prepared {
  /** One line for people on what the call does. */
  summary: string;
  /** What to ask first; undefined if the call needs no question, or will fail anyway. */
  question: Question | undefined;
}

/**
 * How long to wait for a call that may be in the middle of a change after its time is up, in milliseconds, so that the
 * outcome says what happened. Used if its tool sets no time.
 */
const SETTLE_GRACE = 2_000;

/**
 * The one way to run a tool: every door calls `invoke`, which finds, validates, decides, runs under a deadline, checks
 * and records. The only exception it throws is `Cancelled`.
 */
export class Pipeline {
  readonly #host: PipelineHost;
  readonly #tools: ToolFinder;
  readonly #judge: CallJudge;
  #prepared = new PreparedCalls();
  readonly #outflow: OutflowCheck;
  readonly #log: CallLog;

  constructor(host: PipelineHost) {
    this.#host = host;
    this.#tools = new ToolFinder(host);
    this.#judge = new CallJudge(host);
    this.#log = new CallLog(host, this.#mask);
    this.#outflow = new OutflowCheck(() => host.secrets?.()?.mask());
  }

  /** Returns the tools a caller can use now: enabled, and with all they need in this host. */
  available(): Tool[] {
    return this.#tools.available();
  }

  /** Returns why each of the tools that no caller can use now is so, as a sentence. */
  unavailable(): ReadonlyMap<string, string> {
    return this.#tools.unavailable();
  }

  /** Returns the same for lists that people read. */
  whyUnavailable(): ReadonlyMap<string, WhyNot> {
    return this.#tools.whyUnavailable();
  }

  /** Forgets the calls that were shown: a yes to one of them no longer counts, since calls now run somewhere else. */
  forgetShown(): void {
    this.#prepared = new PreparedCalls();
  }

  /**
   * Returns what to show and ask before a call, for doors whose host asks on its own. Its preview is kept and is what a
   * following `invoke` with the same session, tool and input runs. Never throws: a call that will fail has no question,
   * and `invoke` says why.
   */
  async prepare(name: string, raw: unknown, caller: Caller): Promise<Prepared> {
    let summary = summaryLine(`Run ${name}`);
    try {
      // A call that was shown and not run was not approved.
      await this.#prepared.take(caller.session, name, raw);
      await this.#host.refreshTools?.();
      const { tool, input: own } = this.#tools.find(name, raw, caller);
      const { input, touches } = await this.#resolved(tool, parseInput(tool, own));
      summary = summaryLine(tool.summary(input));
      const { decision, touches: reached, pins, instead } = await this.#decide(tool, input, caller, touches);
      summary = instead === undefined ? summary : summaryLine(tool.summary(instead.input));
      // A question that must be asked every time has to be our own: the door's host may answer its own without a
      // person.
      if (decision.decision !== "ask" || decision.everyTime) {
        return { summary, question: undefined };
      }
      await this.#judge.refuseVain(tool, reached);
      const preview = await this.#preview({ tool, input, caller, callId: newId(), pins, isPreview: true });
      const question = makeQuestion(tool, input, decision, preview, this.#mask);
      await this.#prepared.keep(caller.session, name, raw, {
        ...{ question, tool, plan: preview?.plan },
        reasons: decision.reasons,
      });
      return { summary, question };
    } catch {
      return { summary, question: undefined };
    }
  }

  /** Returns the name of the tool that a call means, also one by another system's name; the given one if there is none. */
  meant(name: string, raw: unknown, caller: Pick<Caller, "tools" | "isServed">): string {
    try {
      return this.#tools.find(name, raw, caller).tool.name;
    } catch {
      return name;
    }
  }

  /**
   * Explains what would be decided about a call, and why. Runs nothing and asks nobody.
   * @throws ToolError as a call would fail before it is decided on: `unknown_tool`, `invalid_input`, a path that is
   * refused
   */
  async explain(name: string, raw: unknown, caller: Caller): Promise<Explanation> {
    // A tool that this host cannot run can still be explained.
    const { tool, input } = this.#tools.known(name, raw, () => this.#host.registry.list(), caller);
    const given = await this.#resolved(tool, parseInput(tool, input));
    const { decision, touches, instead } = await this.#decide(tool, given.input, caller, given.touches);
    return explain(decision, touches, instead);
  }

  /**
   * Returns whether a call runs a command that is proven to only read. Runs nothing, asks nobody and never throws: a call
   * that will fail counts as one that may change something.
   */
  async onlyReads(name: string, raw: unknown, caller: Caller): Promise<boolean> {
    try {
      const { tool } = this.#tools.find(name, undefined, caller);
      const given = await this.#resolved(tool, parseInput(tool, raw));
      const { input } = given;
      const { touches = [] } = await this.#decide(tool, input, caller, given.touches);
      return (
        given.touches.length === 0 &&
        touches.some(({ kind }) => kind === "command") &&
        !partsOf({ tool, input, touches }).some(changesSomething)
      );
    } catch {
      return false;
    }
  }

  /**
   * Runs a tool.
   * @param raw what the caller sent, not yet validated
   * @throws Cancelled if `caller.signal` is aborted and the tool did not finish anyway; nothing else
   */
  async invoke(name: string, raw: unknown, caller: Caller): Promise<Outcome> {
    const outcome = await this.#invoke(name, raw, caller);
    if (!outcome.ok) {
      return outcome;
    }
    const { whole: _, ...shown } = outcome;
    return shown;
  }

  async #invoke(name: string, raw: unknown, caller: Caller): Promise<FullOutcome> {
    const started = this.#host.now();
    const callId = caller.callId ?? newId();
    this.#host.secrets?.()?.look();
    const call = { name, raw, caller, callId, started };
    this.#log.began(call);
    let outcome: FullOutcome;
    try {
      throwIfCancelled(name, caller.signal);
      outcome = await this.#run(name, raw, caller, callId);
    } catch (error) {
      outcome = failure(name, caller.signal.aborted && !(error instanceof ToolError) ? new Cancelled(name) : error);
    }
    const { isUnmasked = false, made } = outcome;
    outcome = await this.#masked(outcome).catch((error: unknown) => failure(name, error));
    if (outcome.ok && made !== undefined && !isUnmasked) {
      await this.#outflow.note(caller, made, outcome.text);
    }
    this.#log.ended(call, outcome, isUnmasked);
    if (!outcome.ok && outcome.error.type === "cancelled" && caller.signal.aborted) {
      throw new Cancelled(name);
    }
    return outcome;
  }

  /** Returns how a command that only reads is contained. Packages of the sandbox's own are seen in views alone. */
  async #readingContainment(reached: readonly GatedTouch[] | undefined): Promise<Containment | undefined> {
    const contained = containmentOf(reached);
    return contained?.hidesSecrets === true && showsPackages(reached) && (await this.#host.contains?.()) === true
      ? { ...contained, writes: { mayChange: () => Promise.resolve("It was to read only.") } }
      : contained;
  }

  async #run(name: string, raw: unknown, caller: Caller, callId: string): Promise<FullOutcome> {
    await this.#host.refreshTools?.();
    const { tool, input: own } = this.#tools.find(name, raw, caller);
    const { input: understood, notes } = understandInput(tool, own);
    // No tool, and no person being asked, may see half of a change.
    await this.#host.changes?.recovered?.();
    const { input: given, touches } = await this.#resolved(tool, understood);
    const { decision, touches: reached, pins, instead, asked = [] } = await this.#decide(tool, given, caller, touches);
    const input = instead?.input ?? given;
    const shown = caller.isInner === true ? undefined : await this.#prepared.take(caller.session, name, raw);
    const prepared = shown?.tool === tool ? shown : undefined;
    decision.matched.forEach((rule) => this.#host.rules?.matched(rule));
    const onlyReads = decision.decision === "allow" && decision.onlyReads;
    const unasked = isAllowedByDefault(decision);
    const isContained = decision.decision === "allow" && decision.isContained === true;
    const keeps = unasked && !onlyReads && !isContained ? changedByCommands(reached) : [];
    const contained = isContained
      ? {
          hidesSecrets: true,
          writes: {
            mayChange: (paths: readonly string[]) => this.#judge.mayChange(tool, input, caller, paths),
            ...this.#hostsFor(caller),
            fetches: fetchedFrom(reached),
          },
        }
      : unasked && onlyReads
        ? await this.#readingContainment(reached)
        : undefined;
    const urls = reached?.flatMap((touch) => (touch.kind === "network" ? [touch.url] : []));
    const call = { tool, input, caller, callId, pins, unasked, onlyReads, contained, keeps, ...(urls && { urls }) };
    let plan = prepared?.plan;
    if (decision.decision === "deny") {
      throw new ToolError(decision.error, `${name}: refused: ${decision.reasons.join("; ")}.`, decision.hint);
    }
    const answered =
      decision.decision === "ask" &&
      !decision.everyTime &&
      caller.asksInAdvance &&
      prepared &&
      sameQuestion(prepared, decision);
    if (decision.decision === "ask" && !answered) {
      await this.#judge.refuseVain(tool, reached);
      const preview = await this.#previewToAsk({ ...call, contained: await this.#rehearsal(call, decision, reached) });
      plan = preview?.plan;
      const mask = preview?.remarks === undefined ? undefined : await this.#host.secrets?.()?.mask();
      // What a command printed or wrote may be from files that nobody has looked at yet.
      const hide = mask === undefined ? this.#mask : (text: string): string => mask.mask(text);
      await askPerson(makeQuestion(tool, input, decision, preview, hide), caller, this.#host.rules);
      this.#outflow.allow(caller, asked);
    }
    throwIfCancelled(name, caller.signal);
    this.#tools.checkThere(tool, caller);
    const result = withNotes(checkResult(tool, await this.#execute(call, plan)), [
      ...notes,
      ...(instead === undefined ? [] : [`${leftOutInWords(instead)}.`]),
    ]);
    // Tools that read files record that themselves; others show parts of them: grep, exec, process.
    const showsParts = tool.paged === true && !tool.needs.includes("reads");
    if (showsParts && caller.reads === "must" && caller.isInner !== true && result.ok) {
      await this.#host.changes?.shown?.(caller.session, result.text, input);
    }
    if (answered) {
      caller.answeredInAdvance?.(prepared.question);
    }
    if (!result.ok || caller.authority === "owner") {
      return { ...result, ...(tool.showsSecrets === true && { isUnmasked: true }) };
    }
    const made = { tool, input, label: this.#mask(summaryLine(tool.summary(input))) };
    return { ...result, made, ...(tool.showsSecrets === true && { isUnmasked: true }) };
  }

  async #decide(
    tool: Tool,
    input: Record<string, unknown>,
    caller: Caller,
    touches: ResolvedInput["touches"],
  ): Promise<DecidedWithOutflow> {
    const inTime = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
      this.#inTime({ tool, input, caller }, 0, work);
    let decided: DecidedWithOutflow = await this.#judge.decide(tool, input, caller, inTime, touches);
    let more: Touch[] | undefined;
    if (tool.reaches !== undefined && decided.decision.decision !== "deny" && this.#tools.isComplete(tool)) {
      const { pins } = decided;
      const call = { tool, input, caller, callId: newId(), pins, isPreview: true };
      more = await inTime(async (signal) =>
        tool.reaches?.(input, contextOf(this.#host, call, this.#toolsFor(call), signal)),
      );
      decided = await this.#judge.decide(tool, input, caller, inTime, touches, more);
    }
    decided = await this.#outflow.decide({ tool, input, caller }, decided, more, (found) =>
      this.#judge.decide(tool, input, caller, inTime, [...touches, ...found], more),
    );
    for (const at of decided.pins.values()) {
      if (at.outside === true || at.root?.scheme === "file") {
        this.#host.secrets?.()?.note(at.absolute, isSecret(at));
      }
    }
    return decided;
  }

  /**
   * Returns the hosts that a contained command of a caller may reach: none after text from outside, which may be why it
   * runs.
   */
  #hostsFor(caller: Caller): { hosts?: ReachableHosts } {
    const { hosts } = this.#host.settings();
    const isOnline = hosts !== undefined && !hosts.isEmpty && !this.#outflow.hasOutside(caller);
    return isOnline ? { hosts } : {};
  }

  /** Hides the secrets of a text that cannot wait for files that have changed. */
  readonly #mask = (text: string): string => this.#host.secrets?.()?.now().mask(text) ?? text;

  /** Puts secrets in place of the handles in a call's input. */
  async #resolved(tool: Tool, input: Record<string, unknown>): Promise<ResolvedInput> {
    const secrets = this.#host.secrets?.();
    return secrets === undefined || tool.withSecrets === undefined
      ? { input, touches: [] }
      : resolveHandles(tool, input, secrets, this.#host.capabilities.files);
  }

  async #masked({ isUnmasked = false, made: _, ...outcome }: FullOutcome): Promise<FullOutcome> {
    const mask = isUnmasked ? undefined : await this.#host.secrets?.()?.mask();
    return mask === undefined ? outcome : maskOutcome(outcome, mask);
  }

  #preview(call: DecidedCall): Promise<Preview<unknown> | undefined> {
    return this.#inTime(call, 0, async (signal) =>
      call.tool.preview?.(call.input, contextOf(this.#host, call, this.#toolsFor(call), signal)),
    );
  }

  /**
   * Returns the preview for a question. A failing preview reveals a file's contents (the nearest lines, what changed
   * since), and whether it exists: for a secret or a file outside the workspace, the caller may learn that only after a
   * yes. The question then comes without a preview, and the call itself fails later.
   */
  async #previewToAsk(call: DecidedCall): Promise<Preview<unknown> | undefined> {
    const { tool, caller, pins } = call;
    if (![...pins.values()].some((at) => isSecret(at) || at.outside === true)) {
      return this.#preview(call);
    }
    try {
      return await this.#preview({ ...call, isPreview: true });
    } catch {
      throwIfCancelled(tool.name, caller.signal);
      return undefined;
    }
  }

  /**
   * Returns how a call that asks may be tried before the question is answered; undefined if it may not. A rule that asks,
   * or may deny it, wants the answer first.
   */
  async #rehearsal(
    { tool, input, caller }: DecidedCall,
    { matched }: Decided["decision"],
    reached: Decided["touches"],
  ): Promise<Containment | undefined> {
    if (
      caller.confirm?.isAttended !== true ||
      matched.length > 0 ||
      !isRehearsable(reached) ||
      (await this.#host.rehearses?.()) !== true
    ) {
      return undefined;
    }
    const mayChange: MayChange = (paths) => this.#judge.mayChange(tool, input, caller, paths, true);
    return { hidesSecrets: true, writes: { mayChange, isRehearsal: true } };
  }

  #execute(call: DecidedCall, plan: unknown): Promise<ToolResult> {
    const { tool, input } = call;
    const grace = tool.grace ?? (actingTool(tool, input).annotations.readOnly ? 0 : SETTLE_GRACE);
    return this.#inTime(call, grace, (signal) =>
      tool.execute(input, contextOf(this.#host, call, this.#toolsFor(call), signal), plan),
    );
  }

  #inTime<T>(
    { tool, input, caller }: Pick<DecidedCall, "tool" | "input" | "caller">,
    grace: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { defaultTimeout, timeoutSetBy } = this.#host.settings();
    const own = tool.timeout(input);
    const limits = own === undefined ? { limit: defaultTimeout, raisedBy: timeoutSetBy } : { limit: own };
    return withDeadline({ tool: tool.name, ...limits, grace, signal: caller.signal }, work);
  }

  /** Calls other tools on behalf of a call: with its caller, but each is decided and asked about separately. */
  #toolsFor({ caller, callId }: DecidedCall): Tools {
    return {
      find: (name, given) => {
        const { tool, input } = this.#tools.find(name, given, caller);
        return { name: tool.name, terminal: tool.terminal, input };
      },
      list: () => this.#tools.available(caller),
      check: (name, given) => {
        const { tool, input } = this.#tools.find(name, given, caller);
        parseInput(tool, input);
      },
      call: (name, input, signal): Promise<InnerOutcome> =>
        this.#invoke(name, input, {
          ...caller,
          callId: newId(),
          parentId: callId,
          turn: turnOf(caller, callId),
          signal: AbortSignal.any([caller.signal, signal]),
          asksInAdvance: false,
          isInner: true,
        }),
    };
  }
}

export { newId };
