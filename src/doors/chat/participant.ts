import * as vscode from "vscode";
import { toAbortSignal } from "../../views/shared/abortSignal.js";
import { withoutSecondName } from "./addressed.js";
import { answer, type AnswerHost } from "./answer.js";
import { COMMANDS, tellRefusal, type CommandsHost } from "./commands.js";
import { readMetadata } from "./history.js";
import { ChatOutput } from "./output.js";
import { chatPlace, type ChatTurn } from "./place.js";
import { findTakenBack, type TakenBackHost } from "./takenBack.js";
import { PARTICIPANT } from "../../names/contributed.js";

export interface ParticipantHost extends AnswerHost, CommandsHost, TakenBackHost {
  files: AnswerHost["files"] & CommandsHost["files"];
  changes: AnswerHost["changes"] & CommandsHost["changes"];
  /** Called with the chat's selected model, even if the request does not use it. */
  onModel(model: vscode.LanguageModelChat): void;
}

/** The handlers of a chat participant. */
export interface Participant extends vscode.ChatFollowupProvider {
  handle: vscode.ChatRequestHandler;
}

/** Creates `@toolhost`: an agent on the model the user picked, whose tool calls VS Code shows and asks about. */
export function createParticipant(host: ParticipantHost): Participant {
  return {
    handle: (request, context, stream, token) => handle(host, addressed(request), context, stream, token),
    // Without an explicit command, a follow-up repeats the command of the previous turn and would plan again.
    provideFollowups: ({ metadata }) =>
      readMetadata(metadata)?.plan === true
        ? [{ prompt: "Carry out the plan.", label: "Carry out the plan", command: "" }]
        : [],
  };
}

/** Returns a request as it is meant; everything else of it is VS Code's. */
function addressed(request: vscode.ChatRequest): vscode.ChatRequest {
  const { prompt, command } = withoutSecondName(request);
  return Object.create(request, { prompt: { value: prompt }, command: { value: command } }) as vscode.ChatRequest;
}

async function handle(
  host: ParticipantHost,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  host.onModel(request.model);
  const { signal, dispose } = toAbortSignal(token);
  const turns = turnsOf(context);
  const place = await chatPlace(turns, host.lost, () => host.log(), request.toolInvocationToken);
  const output = new ChatOutput(stream);
  try {
    const takenBack = await findTakenBack(host, place, turns);
    const message = {
      request,
      place,
      output,
      signal,
      ...(takenBack === undefined ? {} : { takenBack: takenBack.forModel }),
    };
    const command = request.command === undefined ? undefined : COMMANDS[request.command];
    const result = await (command === undefined
      ? answer(host, message, request.command === "plan")
      : command(host, message, stream));
    takenBack?.show(output);
    keepChanged(host, place.chat, request.prompt, result);
    return result;
  } catch (error) {
    return tellRefusal(error, { place, output });
  } finally {
    dispose();
  }
}

/** Remembers a turn, in case the user removes it from the chat while its changes stay. */
function keepChanged(
  { changedTurns }: TakenBackHost,
  chat: string,
  prompt: string,
  { metadata }: vscode.ChatResult,
): void {
  const left = readMetadata(metadata);
  if (left?.turn !== undefined) {
    changedTurns.keep({ chat, session: left.session, turn: left.turn, prompt });
  }
}

/** Returns the turns that the chat shows, with their metadata. */
function turnsOf({ history }: vscode.ChatContext): ChatTurn[] {
  return history.flatMap((turn, index) => {
    if (!(turn instanceof vscode.ChatRequestTurn) || turn.participant !== PARTICIPANT.id) {
      return [];
    }
    const response = history[index + 1];
    const metadata = response instanceof vscode.ChatResponseTurn ? readMetadata(response.result.metadata) : undefined;
    return [{ ...withoutSecondName({ prompt: turn.prompt, command: turn.command }), metadata }];
  });
}
