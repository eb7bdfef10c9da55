import type { Capabilities, CapabilityName } from "../ports/capabilities.js";
import type { Answer, Confirm, Question } from "../ports/confirm.js";
import type { Files, GatedPath } from "../ports/files.js";
import type { Rule, RuleBook } from "../ports/rules.js";
import type { ShellGrammar } from "../ports/shellGrammar.js";
import type { InnerOutcome, Tools } from "../ports/tools.js";
import { oneLine, shorten } from "../text/clip.js";
import { nearestNames } from "../text/nearest.js";
import { utf8Length } from "../text/page.js";
import type { ActivityLog, Door } from "./activity.js";
import { rememberedInput } from "./activity.js";
import type { ChangeKeeper, ChangeOrigin, ReadRule } from "./changes.js";
import type { CallContext, Preview, Progress, Tool, ToolContext } from "./contract.js";
import { settled, throwIfCancelled, withDeadline } from "./deadline.js";
import { Cancelled, ToolError } from "./errors.js";
import { parseInput } from "./input.js";
import { describeValue, tellIssues } from "./issues.js";
import { isRecord } from "./jsonSchema.js";
import { failure, type Outcome, type ToolResult } from "./outcome.js";
import { decide, type Decision } from "./permission/decide.js";
import { explain, type Explanation } from "./permission/explain.js";
import { gateTouch, type GateHost } from "./permission/gate.js";
import type { Policy } from "./permission/modes.js";
import { isFileTouch, isSecret, type GatedTouch } from "./permission/touches.js";
import { pinFiles } from "./pinnedFiles.js";
import { PreparedCalls } from "./preparedCalls.js";
import type { Registry } from "./registry.js";
import { SETTING } from "./settings.js";

/** Who calls, and how they can be asked. */
export interface Caller {
  door: Door;
  session: string;
  /** Made up when absent. */
  callId?: string;
  /** The call or turn that made this call. */
  parentId?: string | undefined;
  signal: AbortSignal;
  report?: (progress: Progress) => void;
  /**
   * `owner`: a person's own command line, where typing the command was the permission. Guards on paths hold
   * there too. `model`: permission decides.
   */
  authority: "owner" | "model";
  /** Asks the person; a call that must ask is denied where this is absent. */
  confirm?: Confirm;
  /**
   * The door shows the question that `prepare` gave and calls `invoke` only after a yes (VS Code's own
   * confirmation). Anything `prepare` did not ask is still asked through `confirm`, and what must be asked every
   * time always is.
   */
  asksInAdvance?: boolean;
  /** A tool makes the call: nobody was shown it, so a preview of the same call that waits for its answer is not its own. */
  isInner?: boolean;
  /** Told of a question that was answered in advance, once its call has run. */
  answeredInAdvance?(question: Question): void;
  /** What is undone in one step belongs to one turn. The call alone when absent. */
  turn?: string | undefined;
  /** What the session has to have read before it changes a file. Nothing when absent. */
  reads?: ReadRule;
  /**
   * The session and turn that the call counts for, when they are others than its own: what a sub-agent changes is undone with the turn that
   * spawned it, and what the user allowed there holds for it.
   */
  root?: { session: string; turn: string } | undefined;
  /** The call may only look, whatever the mode the user set. */
  planOnly?: boolean;
}

/** The settings a call depends on, as they are now. */
export interface PipelineSettings extends Omit<Policy, "undoable"> {
  /** Milliseconds a tool may take that names no time of its own. */
  defaultTimeout: number;
  isGroupEnabled(group: string): boolean;
  /** The setting that turned a group off, where it is not the group's own. */
  turnedOffBy?(group: string): string | undefined;
}

export interface PipelineHost {
  registry: Registry;
  /** What this host has. A tool that needs more is `unavailable`. */
  capabilities: Partial<Omit<Capabilities, OwnCapability>>;
  /** Makes the changes of files; none where nothing can be changed. */
  changes?: Pick<ChangeKeeper, "undoable" | "hasSeen" | "forCall">;
  settings(): PipelineSettings;
  /** The user's rules and those of a session. Only the defaults hold where there is none. */
  rules?: RuleBook;
  /** Reads commands. Where there is none, every command asks. */
  grammar?: ShellGrammar;
  activity: ActivityLog;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Capabilities that the pipeline makes for each call. */
type OwnCapability = "changes" | "reads" | "tools";

/** A decision, and the paths it was made on. */
interface Decided {
  decision: Decision;
  /** What the call reaches; undefined when its tool cannot say. */
  touches: readonly GatedTouch[] | undefined;
  /** By the path as the caller wrote it. */
  pins: ReadonlyMap<string, GatedPath>;
}

/** What a door shows before a call. */
export interface Prepared {
  /** One line for people. */
  summary: string;
  /** What to ask first; undefined when the call needs no question, or will fail anyway. */
  question: Question | undefined;
}

/**
 * How long a call that may be in the middle of a change is waited for after its time is up, so that the
 * outcome says what happened, when its tool names no time of its own.
 */
const SETTLE_GRACE = 2_000;
/** Characters of a line for people: an input's texts are in it, however long. */
const MAX_SUMMARY = 200;
/** Characters of a tool's name that is told or remembered when there is no such tool. */
const MAX_NAME = 80;
/** The largest file whose text is compared with what was read of it. A larger one is not overwritten by a tool. */
const MAX_COMPARED_BYTES = 20_000_000;

/**
 * The one way to run a tool: every door calls `invoke`, which finds, validates, decides, runs under a
 * deadline, checks and records. No exception leaves it but `Cancelled`.
 */
export class Pipeline {
  readonly #host: PipelineHost;
  readonly #prepared = new PreparedCalls();

  constructor(host: PipelineHost) {
    this.#host = host;
  }

  /** The tools a caller can use now: enabled, and with all they need in this host. */
  available(): Tool[] {
    const settings = this.#host.settings();
    return this.#host.registry.list().filter((tool) => settings.isGroupEnabled(tool.group) && this.#missing(tool) === undefined);
  }

  /**
   * What to tell and ask before a call, for doors whose host asks on its own. The preview it makes is kept and
   * is what a following `invoke` with the same session, tool and input runs. Never throws: a call that will
   * fail has no question, and `invoke` says why.
   */
  async prepare(name: string, raw: unknown, caller: Caller): Promise<Prepared> {
    let summary = summaryLine(`Running ${name}`);
    try {
      // What was shown before and not run was not agreed to.
      await this.#prepared.take(caller.session, name, raw);
      const tool = this.#find(name);
      const input = parseInput(tool, raw);
      summary = summaryLine(tool.summary(input));
      const { decision, pins } = await this.#decide(tool, input, caller);
      // A question for every time is ours to ask: the door's host may answer its own without a person.
      if (decision.decision !== "ask" || decision.everyTime) {
        return { summary, question: undefined };
      }
      if (caller.reads === "must" && (await this.#changesUnread(tool, input, caller, pins))) {
        return { summary, question: undefined };
      }
      const preview = await this.#preview(tool, input, caller, newId(), pins);
      const question = makeQuestion(tool, input, decision, preview);
      await this.#prepared.keep(caller.session, name, raw, { question, plan: preview?.plan });
      return { summary, question };
    } catch {
      return { summary, question: undefined };
    }
  }

  /**
   * What would be decided on a call, and why. Runs nothing and asks nobody.
   *
   * @throws ToolError as a call would fail before it is decided on: `unknown_tool`, `invalid_input`, a path that is refused
   */
  async explain(name: string, raw: unknown, caller: Caller): Promise<Explanation> {
    // What this host cannot run can still be explained.
    const tool = this.#known(name, this.#host.registry.list());
    const { decision, touches } = await this.#decide(tool, parseInput(tool, raw), caller);
    return explain(decision, touches);
  }

  /**
   * Runs a tool.
   *
   * @param raw what the caller sent, not yet validated
   * @throws Cancelled when `caller.signal` is aborted and the tool did not end all the same; nothing else
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
    let outcome: FullOutcome;
    try {
      throwIfCancelled(name, caller.signal);
      outcome = await this.#run(name, raw, caller, callId);
    } catch (error) {
      outcome = failure(name, caller.signal.aborted && !(error instanceof ToolError) ? new Cancelled(name) : error);
    }
    this.#record(name, raw, caller, callId, started, outcome);
    if (!outcome.ok && outcome.error.type === "cancelled" && caller.signal.aborted) {
      throw new Cancelled(name);
    }
    return outcome;
  }

  /** What was done was done, whether or not it can be written down: a log that fails changes no outcome. */
  #record(name: string, raw: unknown, caller: Caller, callId: string, started: number, outcome: FullOutcome): void {
    try {
      this.#host.activity.record({
        callId,
        parentId: caller.parentId,
        session: caller.session,
        door: caller.door,
        tool: shorten(name, MAX_NAME),
        input: rememberedInput(raw),
        started,
        duration: this.#host.now() - started,
        outcome: outcome.ok ? "ok" : outcome.error.type,
        bytes: outcome.ok ? utf8Length(outcome.text) : 0,
      });
    } catch {
      // The output channel of a window that closes, say.
    }
  }

  async #run(name: string, raw: unknown, caller: Caller, callId: string): Promise<FullOutcome> {
    const tool = this.#find(name);
    const input = parseInput(tool, raw);
    const { decision, pins } = await this.#decide(tool, input, caller);
    const prepared = caller.isInner === true ? undefined : await this.#prepared.take(caller.session, name, raw);
    decision.matched.forEach((rule) => this.#host.rules?.matched(rule));
    let plan = prepared?.plan;
    if (decision.decision === "deny") {
      throw new ToolError(decision.error, `${name}: refused: ${decision.reasons.join("; ")}.`, decision.hint);
    }
    const answered = decision.decision === "ask" && !decision.everyTime && caller.asksInAdvance && prepared && sameQuestion(prepared.question, decision);
    if (decision.decision === "ask" && !answered) {
      const preview = await this.#previewToAsk(tool, input, caller, callId, pins);
      plan = preview?.plan;
      await this.#ask(tool, makeQuestion(tool, input, decision, preview), caller);
    }
    throwIfCancelled(name, caller.signal);
    const result = checkResult(tool, await this.#execute(tool, input, plan, caller, callId, pins));
    if (answered) {
      caller.answeredInAdvance?.(prepared.question);
    }
    return result;
  }

  /** @param offered the tools that a wrong name may have meant */
  #known(name: string, offered: readonly Tool[]): Tool {
    const tool = this.#host.registry.get(name);
    if (tool === undefined) {
      // What is turned off is not offered.
      const names = offered.map((other) => other.name);
      const near = nearestNames(name, names);
      throw new ToolError(
        "unknown_tool",
        `${shorten(name, MAX_NAME)}: there is no such tool.`,
        near.length > 0 ? `Did you mean ${near.join(" or ")}?` : names.length > 0 ? `Tools: ${names.join(", ")}.` : "No tool can be used here: all are turned off.",
      );
    }
    return tool;
  }

  /** A tool that can be used now. */
  #find(name: string): Tool {
    const tool = this.#known(name, this.available());
    const settings = this.#host.settings();
    if (!settings.isGroupEnabled(tool.group)) {
      throw new ToolError(
        "unavailable",
        `${name}: the user has turned the ${tool.group} tools off.`,
        `The setting ${settings.turnedOffBy?.(tool.group) ?? SETTING.group(tool.group)} turns them on.`,
      );
    }
    const missing = this.#missing(tool);
    if (missing !== undefined) {
      throw new ToolError("unavailable", `${name}: needs ${missing}, which is not available here.`);
    }
    return tool;
  }

  #missing(tool: Tool): CapabilityName | undefined {
    return tool.needs.find((capability) => {
      switch (capability) {
        case "changes":
        case "reads":
          return this.#host.changes === undefined;
        case "tools":
          return false;
        default:
          return this.#host.capabilities[capability] === undefined;
      }
    });
  }

  /** Decides on canonical paths: every touch goes through the gate first, also for the owner. */
  async #decide(tool: Tool, input: Record<string, unknown>, caller: Caller): Promise<Decided> {
    const touches = tool.touches?.(input);
    const gated =
      touches === undefined
        ? undefined
        : await this.#inTime(tool, input, caller, 0, () => Promise.all(touches.map((touch) => gateTouch(touch, this.#gateFor(tool, caller)))));
    return {
      decision: await this.#judge(tool, input, gated, caller),
      touches: gated,
      pins: new Map(
        (touches ?? []).flatMap((touch, index) => {
          const found = gated?.[index];
          return (touch.kind === "read" || touch.kind === "write") && found !== undefined && isFileTouch(found) ? [[touch.path, found.at] as const] : [];
        }),
      ),
    };
  }

  /** The decision on what a call reaches. A person's own command line has permission. */
  async #judge(tool: Tool, input: Record<string, unknown>, touches: readonly GatedTouch[] | undefined, caller: Caller): Promise<Decision> {
    if (caller.authority === "owner") {
      return { decision: "allow", reasons: [], rule: "", matched: [] };
    }
    return decide({ tool, input, touches }, await this.#policy(touches, caller), this.#host.rules?.rules(caller.root?.session ?? caller.session));
  }

  /** The policy, and whether what the touches change could be undone. */
  async #policy(gated: readonly GatedTouch[] | undefined, { planOnly = false }: Caller): Promise<Policy> {
    const changes = gated?.some(({ kind }) => kind === "write") === true;
    const settings = this.#host.settings();
    return { ...settings, ...(planOnly ? { mode: "plan" } : {}), undoable: changes && (await this.#host.changes?.undoable()) === true };
  }

  #gateFor(tool: Tool, caller: Caller): GateHost {
    return {
      tool: tool.name,
      files: this.#host.capabilities.files,
      grammar: this.#host.grammar,
      // Where no message can be sent the address is all there is to tell.
      originOf: (address) => this.#host.capabilities.messages?.originOf(address) ?? address,
      decides: caller.authority === "model",
      isUnread: async (files, at) => caller.reads === "ask" && (await this.#isUnread(files, at, caller.session)),
    };
  }

  /**
   * Whether a call changes a file that its session has not seen as it is, and so will fail. Its preview would tell what changed
   * since, and count it as seen: that is for the call itself, whose outcome the caller gets.
   */
  async #changesUnread(tool: Tool, input: unknown, caller: Caller, pins: Decided["pins"]): Promise<boolean> {
    const { files } = this.#host.capabilities;
    const places = (tool.touches?.(input) ?? []).flatMap((touch) => (touch.kind === "write" ? [pins.get(touch.path)] : []));
    const unread = await Promise.all(places.map(async (at) => files !== undefined && at !== undefined && (await this.#isUnread(files, at, caller.session))));
    return unread.includes(true);
  }

  /**
   * Whether something is there that the session has not seen as it is. What is no text nobody has seen; any other file that
   * cannot be read will fail anyway.
   */
  async #isUnread(files: Files, at: GatedPath, session: string): Promise<boolean> {
    try {
      const now = await files.readSnapshot(at, MAX_COMPARED_BYTES);
      return (await this.#host.changes?.hasSeen(session, at, now)) !== true;
    } catch (error) {
      return error instanceof ToolError && (error.type === "binary" || error.type === "unsupported");
    }
  }

  async #preview(tool: Tool, input: unknown, caller: Caller, callId: string, pins: Decided["pins"]): Promise<Preview<unknown> | undefined> {
    return this.#inTime(tool, input, caller, 0, async (signal) => tool.preview?.(input, this.#context(tool, input, caller, callId, signal, pins)));
  }

  /**
   * The preview to ask with. One that fails tells what stands in a file (the nearest lines, what changed since), and whether it is
   * there: of a secret and of what lies outside the workspace that is for after a yes, so the question comes without it, and the
   * call itself fails then.
   */
  async #previewToAsk(tool: Tool, input: unknown, caller: Caller, callId: string, pins: Decided["pins"]): Promise<Preview<unknown> | undefined> {
    if (![...pins.values()].some((at) => isSecret(at) || at.outside === true)) {
      return this.#preview(tool, input, caller, callId, pins);
    }
    // What a preview finds changed counts as seen, which it is not when the answer is no.
    if (caller.reads === "must" && (await this.#changesUnread(tool, input, caller, pins))) {
      return undefined;
    }
    try {
      return await this.#preview(tool, input, caller, callId, pins);
    } catch {
      throwIfCancelled(tool.name, caller.signal);
      return undefined;
    }
  }

  async #ask(tool: Tool, question: Question, caller: Caller): Promise<void> {
    throwIfCancelled(tool.name, caller.signal);
    if (caller.confirm === undefined) {
      throw new ToolError("denied", `${tool.name}: needs the user's permission, and nobody can be asked here.`, question.reasons.join(" "));
    }
    // A dialog may stay open when the call is cancelled: nobody waits for its answer then.
    const answer = await settled(caller.confirm.ask(question, caller.signal), caller.signal, 0)
      .catch((error: unknown) => {
        throwIfCancelled(tool.name, caller.signal);
        // Whoever cannot be asked has not said yes. That is no failure of the tool.
        if (error instanceof ToolError && error.type === "denied") {
          throw error;
        }
        throw new ToolError("denied", `${tool.name}: needs the user's permission, and asking failed. Nothing was done.`, errorText(error));
      })
      .finally(() => throwIfCancelled(tool.name, caller.signal));
    if (answer === "no") {
      throw new ToolError(
        "denied",
        `${tool.name}: the user said no. Nothing was done.`,
        "Do not try the same again. Ask the user how to go on.",
      );
    }
    await this.#grant(answer, question.derived, caller.root?.session ?? caller.session);
  }

  /** Remembers a yes for more than this call. One that cannot be written down is still a yes to this call: the host tells the user. */
  async #grant(answer: Answer, derived: readonly Rule[], session: string): Promise<void> {
    if (answer === "session") {
      this.#host.rules?.grantForSession(session, derived);
    } else if (answer === "always") {
      await this.#host.rules?.grantAlways(derived).catch(() => undefined);
    }
  }

  #execute(tool: Tool, input: unknown, plan: unknown, caller: Caller, callId: string, pins: Decided["pins"]): Promise<ToolResult> {
    const grace = tool.grace ?? (tool.annotations.readOnly ? 0 : SETTLE_GRACE);
    return this.#inTime(tool, input, caller, grace, (signal) => tool.execute(input, this.#context(tool, input, caller, callId, signal, pins), plan));
  }

  #inTime<T>(tool: Tool, input: unknown, caller: Caller, grace: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = tool.timeout(input) ?? this.#host.settings().defaultTimeout;
    return withDeadline({ tool: tool.name, limit, grace, signal: caller.signal }, work);
  }

  #context(tool: Tool, input: unknown, caller: Caller, callId: string, signal: AbortSignal, pins: Decided["pins"]): ToolContext<CapabilityName> {
    const context: CallContext = {
      signal,
      report: caller.report ?? (() => undefined),
      session: caller.session,
      callId,
      parentId: caller.parentId,
    };
    const origin: ChangeOrigin = {
      session: caller.root?.session ?? caller.session,
      reader: caller.session,
      turn: caller.root?.turn ?? caller.turn ?? caller.parentId ?? callId,
      callId,
      tool: tool.name,
      door: caller.door,
      summary: summaryLine(tool.summary(input)),
      reads: caller.reads ?? "free",
    };
    // Only what the tool named: naming is the whole of its reach (docs/architecture.md, "A tool").
    const { files } = this.#host.capabilities;
    const pinned = files && (pins.size > 0 ? pinFiles(files, pins) : files);
    const tools = this.#toolsFor(caller, callId, origin.turn);
    const capabilities = { ...this.#host.capabilities, files: pinned, tools, ...(pinned && this.#host.changes?.forCall(origin, pinned)) };
    const picked = Object.fromEntries(tool.needs.map((name) => [name, capabilities[name]]));
    return { ...context, ...picked } as ToolContext<CapabilityName>;
  }

  /** Calls of other tools by a call: as its caller, but decided and asked about by themselves. */
  #toolsFor(caller: Caller, callId: string, turn: string): Tools {
    return {
      find: (name) => {
        const tool = this.#find(name);
        return { name: tool.name, terminal: tool.terminal };
      },
      list: () => this.available(),
      check: (name, input) => void parseInput(this.#find(name), input),
      call: (name, input, signal): Promise<InnerOutcome> =>
        this.#invoke(name, input, {
          ...caller,
          callId: newId(),
          parentId: callId,
          turn,
          signal: AbortSignal.any([caller.signal, signal]),
          asksInAdvance: false,
          isInner: true,
        }),
    };
  }
}

/** An outcome with what only another tool is given. */
type FullOutcome = ({ ok: true } & ToolResult) | Extract<Outcome, { ok: false }>;

/** The outcome of a result that has the shape its tool promised, and no more than an outcome has. */
function checkResult(tool: Tool, result: unknown): FullOutcome {
  const { text, data, media, whole } = (isRecord(result) ? result : {}) as Partial<ToolResult>;
  const issues = typeof text === "string" ? tool.checkData(data) : [{ path: "text", message: `expected string, got ${describeValue(text)}` }];
  if (typeof text !== "string" || issues.length > 0) {
    throw new Error(`its result does not have the promised shape (${tellIssues(issues)})`);
  }
  return { ok: true, text, ...(data === undefined ? {} : { data }), ...(media === undefined ? {} : { media }), ...(whole === undefined ? {} : { whole }) };
}

/** Whether what was agreed to is what must be asked now: a link may have come to mean another file since, or a rule have changed. */
function sameQuestion(shown: Question, { reasons, derived }: Extract<Decision, { decision: "ask" }>): boolean {
  return JSON.stringify([shown.reasons, shown.derived]) === JSON.stringify([reasons, derived]);
}

/** What an error of the host says, for a hint. */
function errorText(error: unknown): string {
  return shorten(oneLine(error instanceof Error ? error.message : String(error)), MAX_SUMMARY);
}

function summaryLine(summary: string): string {
  return shorten(oneLine(summary), MAX_SUMMARY);
}

function makeQuestion(tool: Tool, input: unknown, decision: Extract<Decision, { decision: "ask" }>, preview: Preview<unknown> | undefined): Question {
  return {
    tool: tool.name,
    title: summaryLine(tool.summary(input)),
    reasons: decision.reasons,
    detail: preview
      ? { language: preview.language, text: preview.text }
      : { language: "json", text: JSON.stringify(input, undefined, 2) },
    derived: decision.derived,
  };
}

/** A name for a call that no other call has. */
export function newId(): string {
  return crypto.randomUUID();
}
