import * as vscode from "vscode";
import type { CallResult, ToolCall } from "../../agent/loop.js";
import { errorText } from "../../core/outcome.js";
import type { Pipeline } from "../../core/pipeline.js";
import { toAbortSignal } from "../lm/abortSignal.js";
import { lmName, toolName } from "../lm/naming.js";
import type { PendingCalls } from "../lm/pendingCalls.js";

export interface CallHost {
  pipeline: Pipeline;
  pending: PendingCalls;
}

/** Where a call is made: the session, the turn of it, and the model that will read the result. */
export interface CallPlace {
  session: string;
  turn: string;
  model: vscode.LanguageModelChat | undefined;
}

/** The share of a model's room that one result may take: several must fit beside the conversation. */
const RESULT_SHARE = 0.25;

/** Runs a call through VS Code, which shows it in the chat and asks when permission says so. */
export async function callTool(
  host: CallHost,
  call: ToolCall,
  toolInvocationToken: vscode.ChatParticipantToolToken,
  token: vscode.CancellationToken,
  { session, turn, model }: CallPlace,
): Promise<CallResult> {
  const tool = toolName(call.name) ?? call.name;
  if (!host.pipeline.available().some(({ name }) => name === tool)) {
    return { text: await refusal(host, tool, call, session, token) };
  }
  // A person who types a call knows what they do; a model has to have read what it changes.
  const pending = await host.pending.announce(tool, call.input, { session, callId: call.id, parentId: turn, reads: model === undefined ? "free" : "must" });
  try {
    const result = await vscode.lm.invokeTool(lmName({ name: tool }), { input: call.input, toolInvocationToken, ...budgetOf(model) }, token);
    return readResult(result);
  } catch (error) {
    if (token.isCancellationRequested) {
      throw error;
    }
    return { text: `The call did not run: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    pending.dispose();
  }
}

function budgetOf(model: vscode.LanguageModelChat | undefined): Pick<vscode.LanguageModelToolInvocationOptions<object>, "tokenizationOptions"> {
  return model === undefined
    ? {}
    : {
        tokenizationOptions: {
          tokenBudget: Math.floor(model.maxInputTokens * RESULT_SHARE),
          countTokens: (text, token) => model.countTokens(text, token),
        },
      };
}

/** Why a tool that is not there cannot run, in the pipeline's own words. */
async function refusal(host: CallHost, tool: string, call: ToolCall, session: string, token: vscode.CancellationToken): Promise<string> {
  const { signal, dispose } = toAbortSignal(token);
  try {
    const outcome = await host.pipeline.invoke(tool, call.input, { door: "chat", session, callId: call.id, signal, authority: "model" });
    return outcome.ok ? outcome.text : errorText(outcome.error);
  } finally {
    dispose();
  }
}

function readResult({ content }: vscode.LanguageModelToolResult): CallResult {
  const text = content.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : [])).join("");
  const media = content.flatMap((part) => (part instanceof vscode.LanguageModelDataPart ? [{ mimeType: part.mimeType, bytes: part.data }] : []));
  return media.length > 0 ? { text, media } : { text };
}
