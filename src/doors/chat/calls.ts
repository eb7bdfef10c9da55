import * as vscode from "vscode";
import { directCaller } from "../../agent/directCaller.js";
import { estimateText } from "../../agent/tokens.js";
import type { AgentCall, CallResult } from "../../agent/turn.js";
import { failureWords, SKIPPED } from "../../core/pipeline/callFailure.js";
import type { ReadRule } from "../../core/pipeline/changeOrigin.js";
import type { Outcome } from "../../core/outcome.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Person } from "../../ports/person.js";
import type { CallOrigin, PendingCalls } from "../shared/pendingCalls.js";
import { isShownByVscode } from "./shownByVscode.js";
import { messageOf } from "../../text/words.js";
import { lmName } from "../../names/tools.js";

export interface CallHost {
  pipeline: Pipeline;
  pending: PendingCalls;
  /** Asks our own questions. */
  confirm: Confirm;
  /** Answers questions of the model. */
  person: Person;
}

export interface ChatCalls {
  toolInvocationToken: vscode.ChatParticipantToolToken;
  /** The model that reads the results; undefined if a person does. */
  model: vscode.LanguageModelChat | undefined;
  planOnly: boolean;
}

/** A call from a model or a person (`/run`). */
export type ChatCall = Omit<AgentCall, "model">;

/** Maximum share of a model's input limit for one result: several must fit along with the conversation. */
const RESULT_SHARE = 0.25;
/** Token budget if there is no limit: more than any result has. */
const NO_LIMIT = 1_000_000_000;

/**
 * Makes a chat turn's calls through VS Code, which shows them in the chat and asks if permission requires it. Calls of
 * tools that VS Code does not know go straight to the pipeline.
 */
export function chatCaller(host: CallHost, calls: ChatCalls): (call: ChatCall) => Promise<CallResult> {
  const direct = directCaller({
    pipeline: host.pipeline,
    door: "chat",
    confirm: host.confirm,
    person: host.person,
    planOnly: calls.planOnly,
    reads: readsOf(calls),
  });
  return (call) => (isShownByVscode(host.pipeline, call.tool) ? invoke(host, calls, call) : direct(call));
}

async function invoke(host: CallHost, calls: ChatCalls, call: ChatCall): Promise<CallResult> {
  const { toolInvocationToken, model, planOnly } = calls;
  let ended: Outcome | undefined;
  const origin: CallOrigin = {
    ...{ session: call.session, callId: call.id, parentId: call.turn, root: call.root, planOnly, ready: call.ready },
    confirm: host.confirm,
    ...{ reads: readsOf(calls), asker: call.asker },
    report: (message) => call.report(message),
    // VS Code only returns the text.
    ended: (outcome) => (ended = outcome),
  };
  const pending = await host.pending.announce(call.tool, call.input, origin, budgetFor(model));
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = (): void => cancellation.cancel();
  call.signal.addEventListener("abort", cancel, { once: true });
  try {
    call.signal.throwIfAborted();
    const tokenizationOptions = { tokenBudget: pending.budget, countTokens: counterOf(model) };
    const result = await vscode.lm.invokeTool(
      lmName({ name: call.tool }),
      { input: call.input, toolInvocationToken, tokenizationOptions },
      cancellation.token,
    );
    call.signal.throwIfAborted();
    // VS Code was given what a model takes. A person has all of it.
    const whole = model === undefined && ended?.ok === true ? { text: ended.text } : {};
    return { ...endOf(ended), ...readResult(result), ...whole };
  } catch (error) {
    call.signal.throwIfAborted();
    const reason = messageOf(error);
    return { ok: false, text: `The call did not run: ${reason}`, failed: "not run: VS Code refused it" };
  } finally {
    call.signal.removeEventListener("abort", cancel);
    cancellation.dispose();
    pending.dispose();
  }
}

/** Returns the outcome. If VS Code answered without running the call, the user skipped it in the confirmation. */
function endOf(ended: Outcome | undefined): Pick<CallResult, "ok" | "failed" | "data" | "error"> {
  const failed = ended === undefined ? SKIPPED : failureWords(ended);
  return {
    ok: ended?.ok ?? false,
    ...(failed === undefined ? {} : { failed }),
    ...(ended?.ok === true && ended.data !== undefined ? { data: ended.data } : {}),
    ...(ended?.ok === false ? { error: ended.error } : {}),
  };
}

/**
 * Returns which files must have been read. A person who types a call knows what they are doing; a model must have read
 * the files it changes.
 */
function readsOf({ model }: ChatCalls): ReadRule {
  return model === undefined ? "free" : "must";
}

/** Returns the maximum tokens of a result. */
function budgetFor(model: vscode.LanguageModelChat | undefined): number {
  return model === undefined || model.maxInputTokens <= 0 ? NO_LIMIT : Math.floor(model.maxInputTokens * RESULT_SHARE);
}

function counterOf(
  model: vscode.LanguageModelChat | undefined,
): vscode.LanguageModelToolTokenizationOptions["countTokens"] {
  return (text, token) => (model === undefined ? Promise.resolve(estimateText(text)) : model.countTokens(text, token));
}

function readResult({ content }: vscode.LanguageModelToolResult): Pick<CallResult, "text" | "media"> {
  const text = content.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : [])).join("");
  const media = content.flatMap((part) =>
    part instanceof vscode.LanguageModelDataPart ? [{ mimeType: part.mimeType, bytes: part.data }] : [],
  );
  return media.length > 0 ? { text, media } : { text };
}
