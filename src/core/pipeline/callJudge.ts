import type { Files, GatedPath } from "../../ports/files.js";
import type { Caller } from "../caller.js";
import type { Tool, Touch } from "../contract.js";
import { ToolError } from "../errors.js";
import { LARGEST_CHANGED_FILE } from "../largestFile.js";
import { decide, type Decision } from "../permission/decide.js";
import { gateTouch, type GateHost } from "../permission/gate.js";
import { GitFolders } from "../permission/git/folders.js";
import type { Policy } from "../permission/modes.js";
import { mayAct } from "../permission/commands/containment.js";
import { leftOutInWords, narrowed, type Narrowed } from "../permission/commands/narrowed.js";
import { isFileTouch, type GatedTouch, type SecretTouch } from "../permission/touches.js";
import type { PipelineHost } from "./pipelineHost.js";

/** A decision, and the paths it was based on. */
export interface Decided {
  decision: Decision;
  /** What the call reaches; undefined if its tool cannot say. */
  touches: readonly GatedTouch[] | undefined;
  /** By the path as the caller wrote it. */
  pins: ReadonlyMap<string, GatedPath>;
  /** The call that was decided on, if it differs from the call that was made: it skips files that may hold secrets. */
  instead?: { input: Record<string, unknown> } & Narrowed;
}

/** Runs a tool's work under the deadline of its call. */
export type InTime = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Decides on calls: passes what they reach through the gate, then applies the rules and the mode. */
export class CallJudge {
  readonly #host: PipelineHost;

  constructor(host: PipelineHost) {
    this.#host = host;
  }

  /**
   * Decides on canonical paths: every touch goes through the gate first, even for the owner.
   * @param secrets those that the call takes where they were not before
   * @param more what it reaches beyond its tool's `touches`
   * @throws ToolError for a path that is refused
   */
  async decide(
    tool: Tool,
    input: Record<string, unknown>,
    caller: Caller,
    inTime: InTime,
    secrets: readonly SecretTouch[] = [],
    more: readonly Touch[] = [],
  ): Promise<Decided> {
    const decided = await this.#decideOn(tool, input, caller, inTime, secrets, more);
    return (await this.#narrowed(tool, input, decided, caller, inTime)) ?? decided;
  }

  /**
   * Decides whether files may be changed for a call as `write` would change them, without a question.
   *
   * @param paths as the caller writes them
   * @param isAsked whether a person is asked about the call, and sees these changes: only what needs a question of its
   *   own, every time, may not be changed then
   * @returns why not, as sentences; undefined if they may
   */
  async mayChange(
    tool: Tool,
    input: Record<string, unknown>,
    caller: Caller,
    paths: readonly string[],
    isAsked = false,
  ): Promise<string | undefined> {
    try {
      const gate = this.#gateFor(tool, caller, caller.signal);
      const touches: GatedTouch[] = [];
      for (const path of paths) {
        touches.push(await gateTouch({ kind: "write", path }, gate));
      }
      const decision = await this.#judge(tool, input, touches, caller);
      const isAllowed =
        decision.decision === "allow" || (isAsked && decision.decision === "ask" && !decision.everyTime);
      return isAllowed ? undefined : decision.reasons.join(" ");
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * Nobody is asked about a change that cannot be made.
   *
   * @throws ToolError `unavailable` why no file can be changed here, if that is what the tool would do
   */
  async refuseVain({ needs }: Tool, reached: readonly GatedTouch[] | undefined): Promise<void> {
    const isChange = needs.includes("changes") && reached?.some(({ kind }) => kind === "write") === true;
    const refused = isChange ? await this.#host.changes?.refusal?.() : undefined;
    if (refused !== undefined) {
      throw refused;
    }
  }

  /**
   * Returns the decision on the same search with files that may hold secrets skipped, if they are the only reason to
   * ask. Neither the presence of such a file nor the results of a search without it reveal its contents.
   */
  async #narrowed(
    tool: Tool,
    input: Record<string, unknown>,
    { decision, touches = [] }: Decided,
    caller: Caller,
    inTime: InTime,
  ): Promise<Decided | undefined> {
    const line = touches.find((touch) => touch.kind === "command");
    // Rules that ask are about the line as given, not about one that skips files.
    const instead =
      tool.withCommand === undefined ||
      touches.some(({ kind }) => kind === "secret") ||
      line === undefined ||
      decision.decision !== "ask" ||
      decision.matched.length > 0
        ? undefined
        : narrowed(line);
    if (tool.withCommand === undefined || instead === undefined) {
      return undefined;
    }
    const other = tool.withCommand(input, instead.command);
    const decided = await this.#decideOn(tool, other, caller, inTime, []);
    if (decided.decision.decision !== "allow") {
      return undefined;
    }
    const reasons = [...decided.decision.reasons, `${leftOutInWords(instead)}.`];
    return { ...decided, decision: { ...decided.decision, reasons }, instead: { input: other, ...instead } };
  }

  async #decideOn(
    tool: Tool,
    input: Record<string, unknown>,
    caller: Caller,
    inTime: InTime,
    secrets: readonly SecretTouch[],
    more: readonly Touch[] = [],
  ): Promise<Decided> {
    const named = tool.touches?.(input);
    const touches = named && [...named, ...more];
    const gated =
      touches === undefined
        ? undefined
        : await inTime((signal) => {
            const gate = this.#gateFor(tool, caller, signal);
            return Promise.all(touches.map((touch) => gateTouch(touch, gate).catch(leftOutIfNowhere(touch))));
          });
    const files = gated?.filter((touch) => touch !== undefined);
    const reached = files && [...files, ...secrets];
    return {
      decision: await this.#judge(tool, input, reached, caller),
      touches: reached,
      pins: new Map(
        (touches ?? []).flatMap((touch, index) => {
          const found = gated?.[index];
          return (touch.kind === "read" || touch.kind === "write") && found !== undefined && isFileTouch(found)
            ? [[touch.path, found.at] as const]
            : [];
        }),
      ),
    };
  }

  /** Decides on what a call reaches. Commands that a person types on their own command line are permitted. */
  async #judge(
    tool: Tool,
    input: Record<string, unknown>,
    touches: readonly GatedTouch[] | undefined,
    caller: Caller,
  ): Promise<Decision> {
    if (caller.authority === "owner") {
      return { decision: "allow", reasons: [], rule: "", matched: [], onlyReads: false };
    }
    return decide(
      { tool, input, touches },
      await this.#policy(touches, caller),
      this.#host.rules?.rules(caller.root?.session ?? caller.session),
    );
  }

  /** Returns the policy, including whether the changes in the touches could be undone. */
  async #policy(
    gated: readonly GatedTouch[] | undefined,
    { planOnly = false, typed = false, isInner = false }: Caller,
  ): Promise<Policy> {
    const changes = gated?.some(({ kind }) => kind === "write" || kind === "command") === true;
    // Where only reads are called for, it makes no difference, and finding out takes time.
    const runs = gated?.some((touch) => touch.kind === "command" && touch.as === undefined && mayAct(touch)) === true;
    const settings = this.#host.settings();
    // Calls that a tool makes were not typed by a person.
    return {
      ...settings,
      typed: typed && !isInner,
      ...(planOnly ? { mode: "plan" } : {}),
      undoable: changes && (await this.#host.changes?.undoable()) === true,
      contains: runs && (await this.#host.contains?.()) === true,
    };
  }

  #gateFor(tool: Tool, caller: Caller, signal: AbortSignal): GateHost {
    const { files, externalTools } = this.#host.capabilities;
    return {
      tool: tool.name,
      files,
      gitFolders: files && new GitFolders(files),
      grammar: this.#host.grammar,
      powershell: this.#host.powershell,
      // Only asked for about commands: it goes through the whole environment.
      exported: () => this.#host.exported?.() ?? [],
      programs: this.#host.programs,
      // If no message can be sent, only the address can be shown.
      originOf: (address) => this.#host.capabilities.messages?.originOf(address) ?? address,
      checkPublic: async (url) => this.#host.capabilities.http?.checkPublic(url),
      searchUrl: () => this.#host.capabilities.webSearch?.url ?? "a service that searches the web",
      changeOfExternal: async (server, name) => (await externalTools?.changeOf?.(server, name, signal))?.reason,
      decides: caller.authority === "model",
      isUnread: async (files, at) => caller.reads === "ask" && (await this.#isUnread(files, at, caller.session)),
    };
  }

  /**
   * Whether a path leads to an existing file whose current state the session has not seen. A file that is not text
   * counts as unseen; any other file that cannot be read will fail anyway.
   */
  async #isUnread(files: Files, at: GatedPath, session: string): Promise<boolean> {
    try {
      const now = await files.readSnapshot(at, LARGEST_CHANGED_FILE);
      return (await this.#host.changes?.hasSeen(session, at, now)) !== true;
    } catch (error) {
      return error instanceof ToolError && (error.type === "binary" || error.type === "unsupported");
    }
  }
}

/** Leaves out a place that is only one of several to look in, if its path leads nowhere. */
function leftOutIfNowhere(touch: Touch): (error: unknown) => undefined {
  return (error) => {
    const isNowhere = error instanceof ToolError && error.type === "not_found";
    if (!isNowhere || touch.kind !== "read" || touch.optional !== true) {
      throw error;
    }
  };
}
