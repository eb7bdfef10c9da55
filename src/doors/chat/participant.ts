import * as vscode from "vscode";
import { toAbortSignal } from "../lm/abortSignal.js";
import { answer, type AnswerHost } from "./answer.js";
import { COMMANDS, registerOpenSession, tellRefusal, type CommandsHost } from "./commands.js";
import { readMetadata } from "./history.js";
import { PARTICIPANT } from "./naming.js";
import { ChatOutput } from "./output.js";
import { chatPlace, type ChatTurn } from "./place.js";

export interface ParticipantHost extends AnswerHost, CommandsHost {
  files: AnswerHost["files"] & CommandsHost["files"];
  changes: AnswerHost["changes"] & CommandsHost["changes"];
  icon: vscode.Uri;
}

/** `@toolhost`: an agent on the model the user picked, whose tool calls VS Code shows and asks about. */
export function registerParticipant(host: ParticipantHost): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT.id, (request, context, stream, token) => handle(host, request, context, stream, token));
  participant.iconPath = host.icon;
  participant.followupProvider = {
    // Without a command of its own a follow-up repeats that of the turn before: the plan would be planned again.
    provideFollowups: ({ metadata }) => (readMetadata(metadata)?.plan === true ? [{ prompt: "Carry out the plan.", label: "Carry out the plan", command: "" }] : []),
  };
  return vscode.Disposable.from(participant, registerOpenSession(PARTICIPANT.name));
}

async function handle(
  host: ParticipantHost,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const { signal, dispose } = toAbortSignal(token);
  const place = await chatPlace(turnsOf(context), host.lost, () => host.log());
  const message = { request, place, output: new ChatOutput(stream), signal };
  try {
    const command = request.command === undefined ? undefined : COMMANDS[request.command];
    return await (command === undefined ? answer(host, message, request.command === "plan") : command(host, message, stream));
  } catch (error) {
    return tellRefusal(error, message);
  } finally {
    dispose();
  }
}

/** The turns that the chat shows, with what each left. */
function turnsOf({ history }: vscode.ChatContext): ChatTurn[] {
  return history.flatMap((turn, index) => {
    if (!(turn instanceof vscode.ChatRequestTurn) || turn.participant !== PARTICIPANT.id) {
      return [];
    }
    const response = history[index + 1];
    const metadata = response instanceof vscode.ChatResponseTurn ? readMetadata(response.result.metadata) : undefined;
    return [{ prompt: turn.prompt, command: turn.command, metadata }];
  });
}
