import * as vscode from "vscode";
import { fitResult } from "../../agent/bigResults.js";
import type { Tool } from "../../core/contract.js";
import { Cancelled } from "../../core/errors.js";
import { askedBy } from "../../core/pipeline/askedBy.js";
import { newId, type Caller, type Pipeline } from "../../core/pipeline/pipeline.js";
import type { Confirm, Question } from "../../ports/confirm.js";
import type { Results } from "../../ports/results.js";
import { escapeMarkdown } from "../../text/fence.js";
import { toAbortSignal } from "../../views/shared/abortSignal.js";
import type { CallTokens } from "./callTokens.js";
import { cardTitle } from "../shared/cardTitle.js";
import { toParts, type TokenBudget } from "./parts.js";
import type { CallOrigin, PendingCalls } from "../shared/pendingCalls.js";
import { cardMarkdown } from "../shared/questionMarkdown.js";
import { WindowTurns } from "./windowTurns.js";
import { lmName } from "../../names/tools.js";

/** Maximum code units of a result that goes to another agent in full, as much as of a command's output. */
const WHOLE_RESULT = 24_000;

export interface LmDoorHost {
  pipeline: Pipeline;
  tools: readonly Tool[];
  pending: PendingCalls;
  /** Remembers which chat each call comes from. */
  tokens: CallTokens;
  /** Asks questions that VS Code did not ask in advance. */
  confirm: Confirm;
  /** Stores results that are too long for an answer. */
  results: Results;
  /** Offers rules after calls that the user allowed in VS Code's confirmation. */
  offers: { offer(session: string, derived: Question["derived"]): void };
}

/**
 * Returns the tools of the language model door, used by Copilot's agent and every other caller of
 * `vscode.lm.invokeTool`.
 */
export function lmTools(host: LmDoorHost): ReadonlyMap<string, LmTool> {
  // Calls from others than our participant belong to the window: VS Code does not say which chat made them.
  const window = new WindowTurns();
  const shown = host.tools.filter(({ expose }) => expose !== "never");
  return new Map(shown.map((tool) => [lmName(tool), new LmTool(tool, host, window)]));
}

/** A tool as a language model tool. */
export class LmTool implements vscode.LanguageModelTool<unknown> {
  readonly #tool: Tool;
  readonly #host: LmDoorHost;
  readonly #window: WindowTurns;

  constructor(tool: Tool, host: LmDoorHost, window: WindowTurns) {
    this.#tool = tool;
    this.#host = host;
    this.#window = window;
  }

  /**
   * Returns the line to show while the tool runs and, if the call needs approval, the confirmation. VS Code may call
   * this without invoking the tool afterwards.
   */
  async prepareInvocation(
    { input }: vscode.LanguageModelToolInvocationPrepareOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation> {
    const origin = await this.#host.pending.peek(this.#tool.name, input);
    const { signal, dispose } = toAbortSignal(token);
    try {
      const { summary, question } = await this.#host.pipeline.prepare(
        this.#tool.name,
        input,
        this.#caller(signal, origin),
      );
      const invocationMessage = new vscode.MarkdownString(escapeMarkdown(summary));
      return question === undefined
        ? { invocationMessage }
        : {
            invocationMessage,
            confirmationMessages: {
              title: cardTitle(question.title),
              message: new vscode.MarkdownString(cardMarkdown(question, origin?.asker)),
            },
          };
    } finally {
      dispose();
    }
  }

  async invoke(
    { input, tokenizationOptions, toolInvocationToken }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const origin = await this.#host.pending.take(this.#tool.name, input, tokenizationOptions?.tokenBudget);
    const { signal, dispose } = toAbortSignal(token);
    try {
      await origin?.ready;
      const caller = { callId: newId(), ...this.#caller(signal, origin) };
      const outcome = await this.#host.tokens.during(caller, toolInvocationToken, () =>
        this.#host.pipeline.invoke(this.#tool.name, input, caller),
      );
      origin?.ended?.(outcome);
      const budget: TokenBudget | undefined = tokenizationOptions && {
        tokens: tokenizationOptions.tokenBudget,
        count: (text) => tokenizationOptions.countTokens(text, token),
      };
      const { paged, name } = this.#tool;
      const fitted = outcome.ok
        ? { ...outcome, text: await fitResult(outcome.text, paged, name, this.#host.results, WHOLE_RESULT) }
        : outcome;
      const { texts, media } = await toParts(fitted, budget);
      return new vscode.LanguageModelToolResult([
        ...texts.map((text) => new vscode.LanguageModelTextPart(text)),
        ...media.map(({ mimeType, bytes }) => new vscode.LanguageModelDataPart(bytes, mimeType)),
      ]);
    } catch (error) {
      throw error instanceof Cancelled ? new vscode.CancellationError() : error;
    } finally {
      dispose();
    }
  }

  #caller(signal: AbortSignal, origin: CallOrigin | undefined): Caller {
    const session = origin?.session ?? this.#window.session;
    return {
      door: origin === undefined ? "lm" : "chat",
      session,
      ...(origin === undefined ? { turn: this.#window.turn() } : fromOrigin(origin)),
      // Copilot's agent also reads with its own tools, so a change of a file not read with ours asks instead of failing.
      reads: origin?.reads ?? "ask",
      signal,
      authority: "model",
      confirm: askedBy(origin?.asker, origin?.confirm ?? this.#host.confirm),
      // VS Code shows the question from prepareInvocation and invokes only after a yes.
      asksInAdvance: true,
      // A grant for a subagent belongs to the root session, where its rules are looked up.
      answeredInAdvance: ({ derived }) => this.#host.offers.offer(origin?.root?.session ?? session, derived),
    };
  }
}

/** Returns what @toolhost announced about this call. */
function fromOrigin({ callId, parentId, root, planOnly, report }: CallOrigin): Partial<Caller> {
  return {
    callId,
    parentId,
    ...(root === undefined ? {} : { root }),
    ...(planOnly === undefined ? {} : { planOnly }),
    ...(report === undefined ? {} : { report: ({ message }) => report(message) }),
  };
}
