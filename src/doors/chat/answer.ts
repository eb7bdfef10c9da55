import * as vscode from "vscode";
import type { Agents } from "../../agent/agents.js";
import { agentTools } from "../../agent/toolSets.js";
import type { Tool } from "../../core/contract.js";
import { newId } from "../../core/pipeline/pipeline.js";
import type { TurnResult } from "../../agent/turn.js";
import type { ChatModel, ModelContent } from "../../ports/models.js";
import { oneLine, shorten } from "../../text/clip.js";
import { escapeMarkdown, literalLine } from "../../text/fence.js";
import { attachmentsOf, type AttachmentPlaces } from "./attachments.js";
import { chatCaller, type CallHost } from "./calls.js";
import { isShownByVscode } from "./shownByVscode.js";
import { commandLink } from "./commandLink.js";
import { chooseModel, realModels } from "./chooseModel.js";
import { changesOf, tellChanges, type SummaryHost } from "./changesSummary.js";
import { linksIn } from "./fileLinks.js";
import { keptMessages } from "./history.js";
import type { RunningTurns } from "./interrupted.js";
import type { ChatOutput } from "./output.js";
import type { LostTurns } from "./lostTurns.js";
import { tellFailure } from "./modelFailure.js";
import { PLAN_INSTRUCTIONS, planTools } from "./planMode.js";
import { describeAttachments, type ReferenceHost } from "./references.js";
import type { OpenOutputArgument } from "./runResult/commands.js";
import type { RunResultHost } from "./runResult/tell.js";
import { ShownTurn } from "./shownTurn.js";
import { NO_MODEL_ANSWER } from "./standInModel.js";
import { describeToolWishes } from "./toolWishes.js";
import { askedInChat, type AskHost } from "./askInChat.js";
import { shownInChat } from "./shownQuestion.js";
import { result, type ChatMessage } from "./turn.js";
import { count } from "../../text/words.js";
import {
  LINK_COMMAND,
  SERVERS_VENDOR,
  SERVER_COMMAND,
  STAND_IN_VENDOR,
  UNDO_COMMAND,
} from "../../names/contributed.js";

export interface AnswerHost
  extends AskHost, CallHost, SummaryHost, AttachmentPlaces, Pick<RunResultHost, "processOf" | "results"> {
  pipeline: CallHost["pipeline"];
  files: SummaryHost["files"] & ReferenceHost["files"];
  agents: Pick<Agents, "run">;
  lost: LostTurns;
  running: RunningTurns;
  asModel(model: vscode.LanguageModelChat): ChatModel;
  /** Whether the user wants a tool to be sent with every request. */
  isSent: (tool: Tool) => boolean;
}

/** Maximum characters of a session's title. */
const MAX_TITLE = 80;
/** Maximum number of refused steps that are named at a turn's end. */
const MAX_REFUSED = 5;

/** Runs a turn of the agent. @param isPlan whether changes are forbidden */
export async function answer(host: AnswerHost, message: ChatMessage, isPlan: boolean): Promise<vscode.ChatResult> {
  const { request, place, output, signal } = message;
  if (request.model.vendor === STAND_IN_VENDOR) {
    await tellNoModel(message);
    return result(place);
  }
  const model = host.asModel(request.model);
  const all = host.pipeline.available();
  const { tools, sent } = agentTools(isPlan ? planTools(all) : all, host.isSent);
  const content = await contentOf(host, message, model, { all: tools, sent });
  if (content.length === 0) {
    output.own(
      isPlan
        ? "A plan for what? Write it after the command: `/plan make the greeting louder`."
        : "What should I do? `/tools` lists what I can do.",
    );
    return result(place);
  }
  const id = newId();
  const began = Date.now();
  const shown = new ShownTurn(
    output,
    place.session,
    (tool) => isShownByVscode(host.pipeline, tool),
    (call) => host.processOf(place.session, call, began),
  );
  host.running.begin({ session: place.session, turn: id, prompt: request.prompt });
  const running = host.agents.run({
    ...{
      session: place.session,
      turn: id,
      kind: "chat",
      content,
      title: shorten(oneLine(request.prompt), MAX_TITLE) || "(no words)",
      model,
      tools,
      sent,
      signal,
    },
    callTool: chatCaller(
      {
        ...host,
        person: shownInChat(host.person, output),
        confirm: askedInChat({ ...host, refused: (title) => shown.noteRefused(title) }, output),
      },
      {
        toolInvocationToken: request.toolInvocationToken,
        model: request.model,
        planOnly: isPlan,
      },
    ),
    onEvent: (event) => shown.onEvent(event),
    earlier: place.earlier,
    chat: place.chat,
    ...(place.keepUpTo === undefined ? {} : { keepUpTo: place.keepUpTo }),
    ...(isPlan ? { instructions: PLAN_INSTRUCTIONS } : {}),
  });
  const turn = await running.finally(() => host.running.end(id));
  if (turn.reason === "cancelled") {
    host.lost.keep(request, place.after, { ...turn, chat: place.chat });
  }
  return tellEnd(host, message, turn, shown, isPlan);
}

/** Explains how to get a model or, if there is one by now, offers to send the user's message to it. */
async function tellNoModel({ request: { prompt, command }, output }: ChatMessage): Promise<void> {
  const models = await realModels();
  const model = models.find(({ vendor }) => vendor === SERVERS_VENDOR) ?? models[0];
  if (model === undefined) {
    output.own(NO_MODEL_ANSWER);
    output.button({ command: SERVER_COMMAND.add, title: "Add Model Server…" });
    return;
  }
  output.own(
    "No language model is chosen in this chat, so I cannot answer in words yet. Pick one below the chat input, or send the message again with this one:",
  );
  output.button({
    title: `Use ${model.name}`,
    ...chooseModel(model, command === undefined ? prompt : `/${command} ${prompt}`),
  });
}

/**
 * Returns the user's message: the words, the attachments and the tools they named. The words are a separate text, by
 * which a lost turn is found again.
 */
async function contentOf(
  host: AnswerHost,
  { request, signal, takenBack }: ChatMessage,
  model: ChatModel,
  tools: { all: readonly Tool[]; sent: readonly Tool[] },
): Promise<ModelContent[]> {
  const words: ModelContent[] = request.prompt.trim() === "" ? [] : [{ type: "text", text: request.prompt }];
  const attachments = await attachmentsOf(request.references, host);
  const attached = await describeAttachments(
    attachments,
    { files: host.files, seesImages: model.seesImages !== false },
    signal,
  );
  const wishes = describeToolWishes(
    request.toolReferences.map(({ name }) => name),
    tools.all.map(({ name }) => name),
    tools.sent.map(({ name }) => name),
  );
  const notes = words.length + attached.length === 0 ? [wishes] : [wishes, takenBack];
  return [
    ...words,
    ...attached,
    ...notes.flatMap((text) => (text === undefined ? [] : [{ type: "text" as const, text }])),
  ];
}

async function tellEnd(
  host: AnswerHost,
  { place, output }: ChatMessage,
  turn: TurnResult,
  shown: ShownTurn,
  isPlan: boolean,
): Promise<vscode.ChatResult> {
  const { reason, message, session, seq } = turn;
  const changed = await changesOf(host, { session, turn: turn.turn });
  if (reason === "cancelled") {
    tellStopped(changed && { session, turn: turn.turn, files: changed.files.length });
  } else {
    // VS Code folds the steps, including the failure marks, into "Completed 8 steps".
    const failures = shown.hiddenFailures;
    if (failures > 0) {
      output.own(
        `\n\n$(error) *${failures === 1 ? "A step above did" : `${failures} of the steps above did`} not succeed.*\n\n`,
      );
    }
    tellSubagents(host, shown, output);
    const links = await linksIn(host, shown.answer, changed?.files.map(({ path }) => path) ?? []);
    if (links.length > 0) {
      output.own(`\n\nFiles: ${links.join(" · ")}\n`);
    }
    if (changed !== undefined) {
      await tellChanges(host, changed, shown.unrecorded.phrases, output);
    }
    if (message !== undefined && reason !== "failed") {
      output.own(`\n\n*${escapeMarkdown(message)}*\n`);
    }
  }
  tellRestricted([...shown.restricted], output);
  if (reason === "failed") {
    tellFailure(output, message, turn.iterations > 1 || shown.answer.trim() !== "");
  }
  const left = {
    turn: turn.turn,
    messages: keptMessages(turn.messages),
    ...(seq === undefined ? {} : { seq }),
    ...(isPlan && reason === "answered" ? { plan: true as const } : {}),
  };
  return result(place, left);
}

/** Says once which steps were refused because the workspace is not trusted, and how to allow them. */
function tellRestricted(steps: readonly string[], output: ChatOutput): void {
  if (steps.length > 0) {
    const named = steps.slice(0, MAX_REFUSED).map((step) => literalLine(step));
    const rest = steps.length - named.length;
    const list = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
    output.own(`\n\n$(lock) Toolhost can only read here. Not done: ${list}. Trust this folder to allow it.\n\n`);
    output.button({ command: "workbench.trust.manage", title: "Manage Workspace Trust" });
  }
}

/** Links to what the turn's subagents answered: the model saw it, and VS Code folds their steps away. */
function tellSubagents({ results }: AnswerHost, { subagents }: ShownTurn, output: ChatOutput): void {
  const links = subagents.map(({ task, text }) => {
    const argument: OpenOutputArgument = { uri: results.keep(task, "", text, undefined).toString() };
    return commandLink(literalLine(task), LINK_COMMAND.openOutput, argument, "Open its answer");
  });
  if (links.length > 0) {
    output.own(`\n\nAnswers: ${links.join(" · ")}\n`, [LINK_COMMAND.openOutput]);
  }
}

/** Reports the changes in a notification, since VS Code shows nothing more in a stopped answer. */
function tellStopped(changed: { session: string; turn: string; files: number } | undefined): void {
  if (changed !== undefined) {
    const { files, ...key } = changed;
    void vscode.window
      .showInformationMessage(`Stopped. @toolhost had already changed ${count(files, "file")}.`, "Review", "Undo")
      .then(async (pressed) => {
        if (pressed !== undefined) {
          await vscode.commands.executeCommand(pressed === "Undo" ? LINK_COMMAND.undoTurn : UNDO_COMMAND.review, key);
        }
      });
  }
}
