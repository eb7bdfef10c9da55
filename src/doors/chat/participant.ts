import * as vscode from "vscode";
import { closeOpenCalls, runTurn, type ToolCall } from "../../agent/loop.js";
import type { Tool } from "../../core/contract.js";
import { ModelError } from "../../core/modelError.js";
import { newId } from "../../core/pipeline.js";
import type { Files } from "../../ports/files.js";
import type { ChatModel, ModelMessage, ModelTool } from "../../ports/models.js";
import { codeFence, escapeMarkdown } from "../../text/fence.js";
import { firstSentence } from "../../text/sentence.js";
import { toAbortSignal } from "../lm/abortSignal.js";
import { lmName } from "../lm/naming.js";
import { undoInChat, type ChatUndoHost } from "../undo/chat.js";
import { callTool, type CallHost } from "./calls.js";
import { fitHistory, keptMessages, readMetadata, type TurnMetadata } from "./history.js";
import { PARTICIPANT, STAND_IN_VENDOR } from "./naming.js";
import { instructions } from "./prompt.js";
import { describeReferences } from "./references.js";
import { parseRunCommand } from "./runCommand.js";
import { NO_MODEL_ANSWER } from "./standInModel.js";

/** Requests to the model in one turn; a task that needs more goes on when the user says so. */
const MAX_ITERATIONS = 50;

export interface ParticipantHost extends CallHost {
  files: Files;
  undo: ChatUndoHost;
  icon: vscode.Uri;
  isTrusted(): boolean;
  asModel(model: vscode.LanguageModelChat): ChatModel;
}

/** `@toolhost`: an agent on the model the user picked, whose tool calls VS Code shows and asks about. */
export function registerParticipant(host: ParticipantHost): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT.id, (request, context, stream, token) =>
    handle(host, request, context, stream, token),
  );
  participant.iconPath = host.icon;
  return participant;
}

async function handle(
  host: ParticipantHost,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const tools = host.pipeline.available().filter(({ expose }) => expose !== "never");
  const session = sessionOf(context) ?? newId();
  switch (request.command) {
    case "tools":
      stream.markdown(listTools(tools));
      return { metadata: { session, messages: [] } satisfies TurnMetadata };
    case "run":
      return runOneTool(host, request, stream, token, tools, session);
    case "undo":
      return undoTurn(host, request, context, stream, token, session);
    default:
      return answer(host, request, context, stream, token, tools, session);
  }
}

async function answer(
  host: ParticipantHost,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
  tools: readonly Tool[],
  session: string,
): Promise<vscode.ChatResult> {
  if (request.model.vendor === STAND_IN_VENDOR) {
    stream.markdown(NO_MODEL_ANSWER);
    return { metadata: { session, messages: [] } satisfies TurnMetadata };
  }
  const turn = newId();
  const model = host.asModel(request.model);
  const question: ModelMessage = {
    role: "user",
    content: [{ type: "text", text: [request.prompt, ...describeReferences(request.references)].join("\n\n") }],
  };
  const { signal, dispose } = toAbortSignal(token);
  let answered = false;
  const added: ModelMessage[] = [];
  // What was done before the turn broke off was done: the next turn must know of it.
  const brokenOff = (why: string): TurnMetadata => ({ session, messages: keptMessages([question, ...closeOpenCalls(added), said(why)]) });
  try {
    const { messages, exhausted } = await runTurn({
      model,
      tools: tools.map(asModelTool),
      messages: [
        // The stable API has no system role: what is said first counts as such.
        { role: "user", content: [{ type: "text", text: instructions(host.files.roots(), host.isTrusted()) }] },
        ...fitHistory(earlierTurns(context)),
        question,
      ],
      callTool: (call) => callTool(host, call, request.toolInvocationToken, token, { session, turn, model: request.model }),
      isReadOnly: (name) => tools.find((tool) => lmName(tool) === name)?.annotations.readOnly ?? false,
      onText: (text) => {
        answered ||= text.trim() !== "";
        stream.markdown(text);
      },
      added,
      maxIterations: MAX_ITERATIONS,
      signal,
    });
    if (!answered) {
      stream.markdown(`*${escapeMarkdown(model.name)} gave no answer. Send the message again, or choose another model.*`);
    }
    if (exhausted) {
      stream.markdown(`\n\n*Stopped after ${MAX_ITERATIONS} rounds of tool calls. Say “continue” to go on.*`);
    }
    return { metadata: { session, messages: keptMessages([question, ...messages]) } satisfies TurnMetadata };
  } catch (error) {
    if (signal.aborted) {
      return { metadata: brokenOff("(The user stopped this turn.)") };
    }
    const message = error instanceof ModelError ? error.message : `Toolhost failed: ${error instanceof Error ? error.message : String(error)}`;
    return { errorDetails: errorDetails(message), metadata: brokenOff("(This turn failed.)") };
  } finally {
    dispose();
  }
}

/** `/run`: one tool with the input as typed, no model in between. */
async function runOneTool(
  host: ParticipantHost,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
  tools: readonly Tool[],
  session: string,
): Promise<vscode.ChatResult> {
  const parsed = parseRunCommand(request.prompt, tools.map(({ name }) => name));
  const metadata: TurnMetadata = { session, messages: [] };
  if (!parsed.ok) {
    stream.markdown(parsed.problem);
    return { metadata };
  }
  const call: ToolCall = { id: newId(), name: lmName({ name: parsed.tool }), input: parsed.input };
  try {
    const result = await callTool(host, call, request.toolInvocationToken, token, { session, turn: newId(), model: undefined });
    stream.markdown(result.text.includes("\n") ? codeFence(result.text, "text") : escapeMarkdown(result.text));
    return { metadata };
  } catch (error) {
    return token.isCancellationRequested ? { metadata } : { errorDetails: errorDetails(error instanceof Error ? error.message : String(error)), metadata };
  }
}

/** `/undo`: the last turn of this chat, no model in between. */
async function undoTurn(
  host: ParticipantHost,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
  session: string,
): Promise<vscode.ChatResult> {
  const { signal, dispose } = toAbortSignal(token);
  try {
    const messages = await undoInChat(host.undo, sessionOf(context), request.prompt, stream, signal);
    return { metadata: { session, messages: keptMessages(messages) } satisfies TurnMetadata };
  } finally {
    dispose();
  }
}

/** VS Code draws an error's message as Markdown, and a provider's words are in it. */
function errorDetails(message: string): vscode.ChatErrorDetails {
  return { message: escapeMarkdown(message) };
}

function asModelTool(tool: Tool): ModelTool {
  return { name: lmName(tool), description: tool.description, inputSchema: tool.inputSchema };
}

function earlierTurns(context: vscode.ChatContext): ModelMessage[][] {
  return context.history.flatMap((turn) => {
    const metadata = turn instanceof vscode.ChatResponseTurn ? readMetadata(turn.result.metadata) : undefined;
    return metadata === undefined ? [] : [metadata.messages];
  });
}

function sessionOf(context: vscode.ChatContext): string | undefined {
  for (const turn of context.history.toReversed()) {
    const metadata = turn instanceof vscode.ChatResponseTurn ? readMetadata(turn.result.metadata) : undefined;
    if (metadata !== undefined) {
      return metadata.session;
    }
  }
  return undefined;
}

function said(text: string): ModelMessage {
  return { role: "assistant", content: [{ type: "text", text }] };
}

function listTools(tools: readonly Tool[]): string {
  if (tools.length === 0) {
    return "All tool groups are turned off. The settings under `toolhost.groups` turn them on.";
  }
  // A list: a table falls apart in a view as narrow as the chat's.
  const rows = tools.map(({ name, title, description, annotations }) => {
    const effect = annotations.readOnly ? "" : " *Changes files.*";
    return `- \`${name}\`: **${title}.** ${firstSentence(description)}${effect}`;
  });
  return [...rows, "", 'Run one yourself: `/run grep {"pattern": "TODO"}`.'].join("\n");
}
