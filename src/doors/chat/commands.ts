import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { newId } from "../../core/pipeline/pipeline.js";
import { nameHint } from "../../core/pipeline/unknownTool.js";
import { withParts } from "../../core/toolParts.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import { oneLine, shorten } from "../../text/clip.js";
import { codeSpan, escapeMarkdown, sentenceMarkdown } from "../../text/fence.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { undoInChat, type ChatUndoHost } from "../../views/undo/chat.js";
import { chatCaller, type CallHost } from "./calls.js";
import { subjectOf } from "../shared/subject.js";
import { changedBy } from "../../views/work/changedBy.js";
import { capabilitiesInChat, type CapabilitiesHost } from "./capabilities.js";
import { changesOf, tellChanges, type SummaryHost } from "./changesSummary.js";
import { fileLink } from "./fileLinks.js";
import { keptMessages } from "./history.js";
import { remember, type RememberHost } from "./remember.js";
import { parseRunCommand } from "./runCommand.js";
import { tellResult, type RunResultHost } from "./runResult/tell.js";
import { chosenSession, lastCalls, lastExchanges, sessionRows } from "./sessionList.js";
import { noteInSession } from "./sessionNotes.js";
import { groupList, OPEN_GROUP, toolHelp, toolList } from "./toolList.js";
import { errorDetails, result, type ChatMessage } from "./turn.js";
import { Unrecorded } from "./unrecorded.js";
import { messageOf } from "../../text/words.js";
import { bareName } from "../../names/tools.js";
import { AGENT, ASK_ABOUT_SELECTION, LINK_COMMAND, PARTICIPANT, VIEW } from "../../names/contributed.js";
import { askedInChat, type AskHost } from "./askInChat.js";

export interface CommandsHost extends AskHost, CallHost, CapabilitiesHost, SummaryHost, RememberHost, RunResultHost {
  files: RememberHost["files"];
  changes: RememberHost["changes"] & SummaryHost["changes"];
  undo: ChatUndoHost;
  log(): Promise<SessionLog>;
}

/** Number of sessions that `/sessions` lists. */
const LISTED = 20;
/** Number of sessions read from the log for the list, since subagents' sessions are not listed. */
const LOOKED_AT = 200;
/** Shown characters of an id: enough to be unique within a workspace. */
const SHOWN_ID = 8;
/** Number of messages read to find the last exchanges, since most are calls and results. */
const LAST_ENTRIES = 60;

/** The commands that need no model. */
export const COMMANDS: Readonly<
  Record<
    string,
    (host: CommandsHost, message: ChatMessage, stream: vscode.ChatResponseStream) => Promise<vscode.ChatResult>
  >
> = {
  tools: listTools,
  run: runTool,
  undo: undoTurn,
  sessions,
  remember: rememberNote,
  capabilities: capabilitiesInChat,
};

/** Handles `/tools`: lists the groups of tools or the tools of one, or explains a tool. */
async function listTools(host: CommandsHost, { request, place, output }: ChatMessage): Promise<vscode.ChatResult> {
  const tools = host.pipeline.available();
  // The tools that end a task are for its agent alone.
  const listed = tools.filter(({ terminal }) => !terminal);
  const name = bareName(request.prompt.trim().replace(/^#/, ""));
  const tool = withParts(tools).find((each) => each.name === name);
  if (name === "") {
    output.own(toolList(listed), [OPEN_GROUP]);
    output.button({ command: `${VIEW.tools}.focus`, title: "Show All Tools" });
    return result(place);
  }
  output.own(
    tool === undefined
      ? (groupList(listed, name) ?? `There is no tool with that name. ${hintFor(host, name, withParts(tools))}`)
      : toolHelp(tool),
  );
  return result(place);
}

/** Returns what to do about a name that no tool has. */
function hintFor({ pipeline }: CommandsHost, name: string, tools: readonly Tool[]): string {
  return escapeMarkdown(nameHint(name, tools, { absent: pipeline.unavailable(), toolList: "/tools lists them." }));
}

/** Handles `/run`: runs one tool with the input as typed. */
async function runTool(
  host: CommandsHost,
  { request, place, output, signal }: ChatMessage,
): Promise<vscode.ChatResult> {
  const tools = withParts(host.pipeline.available());
  const parsed = parseRunCommand(
    request.prompt,
    tools.map(({ name }) => name),
    (name) => hintFor(host, name, tools),
  );
  if (!parsed.ok) {
    output.own(parsed.problem);
    return result(place);
  }
  const turn = newId();
  const call = chatCaller(
    { ...host, confirm: askedInChat(host, output) },
    { toolInvocationToken: request.toolInvocationToken, model: undefined, planOnly: false },
  );
  const where = { session: place.session, turn };
  const id = newId();
  const { tool: name, input, note } = parsed;
  const ended = await call({
    ...where,
    ...{ root: where, id, tool: name, input, ready: Promise.resolve(), signal },
    report: (message) => output.progress(escapeMarkdown(message)),
  });
  if (note !== undefined) {
    output.own(`*${escapeMarkdown(note)}*\n\n`);
  }
  const tool = tools.find((each) => each.name === name);
  await tellResult(
    host,
    { session: place.session, id, tool: name, about: tool === undefined ? "" : subjectOf(tool, input) },
    ended,
    output,
  );
  const changed = await changesOf(host, where);
  if (changed !== undefined) {
    const unrecorded = new Unrecorded();
    unrecorded.note(id, ended.data);
    await tellChanges(host, changed, unrecorded.phrases, output);
  }
  return result(place, { turn });
}

/** Handles `/undo`: undoes the last turn of this chat. */
async function undoTurn(
  host: CommandsHost,
  { request, place, signal }: ChatMessage,
  stream: vscode.ChatResponseStream,
): Promise<vscode.ChatResult> {
  const messages = await undoInChat(host.undo, place.isNew ? undefined : place.session, request.prompt, stream, signal);
  const seq = messages.length > 0 ? await noteInSession(() => host.log(), place.session, messages) : undefined;
  return result(place, { messages: keptMessages(messages), ...(seq === undefined ? {} : { seq }) });
}

/** Handles `/sessions`: lists sessions or opens the chosen one. */
async function sessions(host: CommandsHost, message: ChatMessage): Promise<vscode.ChatResult> {
  const { request, place, output } = message;
  const log = await host.log();
  if (request.prompt.trim() !== "") {
    return reopen(host, log, message);
  }
  const { sessions: found, total } = await log.list(LOOKED_AT);
  const listed = found.filter(({ kind }) => kind !== "subagent").slice(0, LISTED);
  const problem = await log.problem();
  const more = total > found.length || found.filter(({ kind }) => kind !== "subagent").length > listed.length;
  output.own(
    [
      ...(problem === undefined ? [] : [`*${sentenceMarkdown(`Sessions are not written down here: ${problem}`)}*`, ""]),
      listed.length === 0
        ? "There is no session in this workspace yet."
        : sessionRows(listed, place.session, host.now()),
      ...(listed.length === 0
        ? []
        : [
            "",
            `Click one to continue it in a new chat, or write \`/sessions 2\` to continue it here.${more ? ` These are the ${listed.length} newest.` : ""}`,
          ]),
    ].join("\n"),
    [LINK_COMMAND.openSession],
  );
  return result(place, { listed: listed.map(({ id }) => id) });
}

async function reopen(
  host: CommandsHost,
  log: SessionLog,
  { request, place, output }: ChatMessage,
): Promise<vscode.ChatResult> {
  const chosen = chosenSession(request.prompt, place.listed);
  if ("problem" in chosen) {
    output.own(chosen.problem);
    return result(place);
  }
  const found = await log.status(chosen.id).catch((error: unknown) => {
    if (error instanceof ToolError && error.type === "unknown_id") {
      return undefined;
    }
    throw error;
  });
  if (found === undefined) {
    output.own(
      `There is no session ${codeSpan(shorten(oneLine(chosen.id), 80))} in this workspace any more. \`/sessions\` lists all.`,
    );
    return result(place);
  }
  const { id, title, state, kind } = found;
  const { entries } = await log.history(id, LAST_ENTRIES);
  const shown = lastExchanges(entries);
  const busy =
    state === "active"
      ? "\n\nA turn of this session is running in another chat or window: messages are refused until it ends or you stop it there."
      : "";
  const calls = lastCalls(entries, host.pipeline.available());
  output.own(
    `${shown === "" ? "Nothing was said in it." : shown}${calls === "" ? "" : `\n\n${calls}`}\n\n---\n\nThis chat continues **${escapeMarkdown(title)}**${kind === "chat" ? "" : ` (${kind})`}.${busy}`,
  );
  const last = await changedBy(host, id);
  const changed = last && (await changesOf(host, last));
  if (changed !== undefined) {
    await tellChanges(host, changed, [], output);
  }
  const seq = entries.at(-1)?.seq;
  return result({ session: id, chat: place.chat }, seq === undefined ? {} : { seq });
}

/** Handles `/remember`: adds a line to the memory page. */
async function rememberNote(
  host: CommandsHost,
  { request, place, output, signal }: ChatMessage,
): Promise<vscode.ChatResult> {
  if (request.prompt.trim() === "") {
    output.own("Remember what? Write it after the command: `/remember we use pnpm, never npm`.");
    return result(place);
  }
  const turn = newId();
  const { path, line, text } = await remember(host, request.prompt, { session: place.session, turn }, signal);
  output.own(`Noted in ${await fileLink(host, path, line)}, which every session reads:\n\n> ${escapeMarkdown(text)}`);
  output.button({ command: LINK_COMMAND.undoTurn, title: "Undo", arguments: [{ session: place.session, turn }] });
  return result(place, { turn });
}

/** Shows a command's ToolError as its answer, and only other errors as a failure of the chat. */
export function tellRefusal(
  error: unknown,
  { place, output }: Pick<ChatMessage, "place" | "output">,
): vscode.ChatResult {
  if (error instanceof ToolError) {
    output.own(escapeMarkdown([error.message, error.hint].filter((part) => part !== undefined).join(" ")));
    return result(place);
  }
  return {
    ...result(place),
    errorDetails: errorDetails(`Toolhost failed: ${messageOf(error)}`),
  };
}

/** The commands behind links: of `/sessions`, which continues a session in the chat, and of the walkthrough. */
export const chatCommands: Commands = {
  [LINK_COMMAND.ask]: async () => {
    await openChat({ query: `@${PARTICIPANT.name} `, isPartialQuery: true });
  },
  [ASK_ABOUT_SELECTION.command]: async () => {
    const editor = vscode.window.activeTextEditor;
    const query = { query: `@${PARTICIPANT.name} `, isPartialQuery: true };
    if (editor === undefined) {
      await openChat(query);
      return;
    }
    const { start, end } = editor.selection;
    // As VS Code's own commands take ranges: from 1.
    const range = {
      ...{ startLineNumber: start.line + 1, startColumn: start.character + 1 },
      ...{ endLineNumber: end.line + 1, endColumn: end.character + 1 },
    };
    const uri = editor.document.uri;
    await openChat({ ...query, attachFiles: [editor.selection.isEmpty ? uri : { uri, range }] });
  },
  [LINK_COMMAND.useAgent]: async () => {
    // The input may begin with @toolhost, which would get the message. An empty text would leave it there.
    await openChat({ mode: AGENT.name, query: " ", isPartialQuery: true });
  },
  [LINK_COMMAND.openSession]: async (id) => {
    if (typeof id === "string" && /^[\w-]+$/.test(id)) {
      const query = `@${PARTICIPANT.name} /sessions ${id.slice(0, SHOWN_ID)}`;
      // The chat in front is about something else.
      await vscode.commands.executeCommand("workbench.action.chat.newChat");
      await openChat({ query });
    }
  },
};

interface ChatOptions {
  query: string;
  isPartialQuery?: boolean;
  mode?: string;
  attachFiles?: (vscode.Uri | { uri: vscode.Uri; range: object })[];
}

async function openChat(options: ChatOptions): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.chat.open", options);
}
