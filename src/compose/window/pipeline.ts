import * as vscode from "vscode";
import type { Agents } from "../../agent/agents.js";
import { directCaller, onlyReads } from "../../agent/directCaller.js";
import { activityLine, RecentActivity, type ActivityLog } from "../../core/pipeline/activity.js";
import { Rules } from "../../core/permission/rules/book.js";
import { Pipeline, type PipelineHost } from "../../core/pipeline/pipeline.js";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { Registry } from "../../core/registry.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { CallTokens } from "../../doors/lm/callTokens.js";
import type { WebSearch } from "../../ports/webSearch.js";
import type { Following } from "../../features/knowledge/follow.js";
import type { KnowledgeRefresh } from "../../ports/knowledge.js";
import type { ChannelMessages } from "../../hosts/node/messages/channels.js";
import { QuestionPicker } from "../../views/questions/askPerson.js";
import { ChatQuestions } from "../../views/questions/chatQuestions.js";
import { QuestionDialog } from "../../views/questions/confirm.js";
import { VscodeExternalTools } from "../../hosts/vscode/externalTools.js";
import { SettingsRules } from "../../hosts/vscode/ruleBook.js";
import { readSettings } from "../../hosts/vscode/settings.js";
import { WholeQuestions } from "../../views/questions/wholeQuestions.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Person } from "../../ports/person.js";
import type { ChatModel, Models } from "../../ports/models.js";
import type { RuleBook } from "../../ports/rules.js";
import { switched } from "../../core/switched.js";
import type { Files } from "../../ports/files.js";
import type { Programs } from "../../ports/programs.js";
import type { Place } from "../sandboxPlace.js";
import { composeAgents } from "../agents.js";
import type { SeenFiles, WindowFiles } from "./files.js";
import { readCodeAhead } from "./readCodeAhead.js";
import type { WindowProcesses } from "./processes.js";
import type { WindowState } from "./state.js";
import { WHOLE_QUESTION } from "../../names/contributed.js";
import { lmName, offeredName } from "../../names/tools.js";

/** What the tools of a window need. */
export interface WindowParts {
  registry: Registry;
  files: WindowFiles;
  state: WindowState;
  running: WindowProcesses;
  models: Models;
  messages: ChannelMessages;
  /** Returns the service that searches the web, as the user's settings name it now. */
  search: () => WebSearch | undefined;
  log: vscode.LogOutputChannel;
  /** Returns the sandbox where tools work, if they do not in the window's folders. */
  place: () => Pick<Place, "files" | "pipeline"> | undefined;
}

/** What is different for callers that see only a part of a window. */
interface SeenParts {
  capabilities: Partial<PipelineHost["capabilities"]>;
  changes: ChangeKeeper;
  rules: RuleBook;
  /** Absent: those of this machine. */
  programs?: Programs;
}

/** The pipeline of a window, and what its doors share. */
export interface WindowPipeline extends vscode.Disposable {
  pipeline: Pipeline;
  /** Returns a pipeline of the same window for other tools, or for callers that see only a part of it. */
  pipelineOf: (registry: Registry, seen?: SeenParts) => Pipeline;
  /** Has the window's own pipeline forget the calls that were shown. */
  forgetShown: () => void;
  agents: Agents;
  /** Tells that a turn or a subagent has started or ended, or a subagent does something else. */
  onDidChangeAgents: vscode.Event<void>;
  /** Tells that a rule was granted for a session or revoked, or has decided a call. */
  onDidChangeRules: vscode.Event<void>;
  /** Tells that a call of a tool has ended. */
  onDidCall: vscode.Event<void>;
  /** The latest calls of this window. */
  activity: RecentActivity;
  /** Where calls are recorded. */
  recorder: ActivityLog;
  approvals: ApprovedDocuments;
  confirm: Confirm;
  questions: ChatQuestions;
  person: Person;
  rules: Rules;
  settingsRules: SettingsRules;
  commands: Commands;
  /** Chats of running calls. */
  tokens: CallTokens;
  /** Models of chats without an agent, by session. */
  chatModels: Map<string, ChatModel>;
  isTrusted: () => boolean;
  hasMemory: () => boolean;
}

/** What a window's tools get of the machine that it runs on, apart from its files and their state. */
export interface PipelineMachine {
  capabilities: Partial<PipelineHost["capabilities"]>;
  /** What judges commands. */
  commands: Pick<PipelineHost, "grammar" | "powershell" | "exported" | "programs" | "contains" | "rehearses">;
  /** Brings the index of the workspace's code up to date; absent: code is not searched there. */
  followCode?: (following: Following) => Promise<KnowledgeRefresh>;
  /** The name that Node gives the system; absent if it is not known. */
  platform?: string;
}

export interface PipelineParts extends Pick<WindowParts, "registry" | "state" | "models" | "log" | "place"> {
  files: SeenFiles;
  machine: PipelineMachine;
  /** Returns the service that searches the web, as the user's settings name it now. */
  search?: () => WebSearch | undefined;
}

/** Creates the pipeline. Its questions are dialogs, if VS Code itself does not ask. */
export function openPipeline({
  registry,
  files,
  state,
  machine,
  models,
  search,
  log,
  place,
}: PipelineParts): WindowPipeline {
  const called = new vscode.EventEmitter<void>();
  const activity = new RecentActivity();
  const kept = state.state.activity;
  const recorder: ActivityLog = {
    began: (call) => kept.began(call),
    record: (entry) => {
      activity.record(entry);
      kept.record(entry);
      called.fire();
      log.info(activityLine(entry));
    },
  };
  const settingsRules = new SettingsRules(() => registry.list());
  const rulesChanged = new vscode.EventEmitter<void>();
  const rules = new Rules(settingsRules, Date.now, () => rulesChanged.fire());
  const wholeQuestions = new WholeQuestions(WHOLE_QUESTION.scheme);
  const confirm = new QuestionDialog(wholeQuestions);
  const questions = new ChatQuestions(confirm);
  const person = new QuestionPicker();
  const approvals = state.state.states.approvals(false);
  const tokens = new CallTokens();
  // Of VS Code's tools only those that package.json contributes are ours: tools registered later are not among them.
  const ours = new Set(registry.list().map(lmName));
  // What the window offers through MCP is ours, too: mcp_exec must not lead back here.
  const isOffered = (name: string | undefined): boolean =>
    name !== undefined && (registry.get(name) !== undefined || registry.wasRemoved(name));
  const externalTools = new VscodeExternalTools({
    isOurs: (name) => ours.has(name) || isOffered(offeredName(name)),
    tokenOf: (caller) => tokens.of(caller),
  });
  const chatModels = new Map<string, ChatModel>();
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  const hasMemory = (): boolean => readSettings().isGroupEnabled("memory");
  const agentsChanged = new vscode.EventEmitter<void>();
  const agents: Agents = composeAgents({
    ...{ state: state.state, models, isTrusted, hasMemory },
    ...(machine.platform !== undefined && { platform: machine.platform }),
    files: switched<Files>(files.files, () => place()?.files),
    onChange: () => agentsChanged.fire(),
    tools: () => pipeline.available(),
    absent: () => pipeline.unavailable(),
    callTool: (call) => directCaller({ pipeline, door: "agent", confirm })(call),
    onlyReads: (call) => onlyReads(pipeline, "agent", call),
    hasDocuments: () => readSettings().isGroupEnabled("documents"),
  });
  const index = machine.followCode && state.state.codeIndexOf(files.files, machine.followCode);
  const ahead =
    index &&
    readCodeAhead({
      ...{ index, files: files.files, onDidCall: called.event },
      tools: () => pipeline.available(),
    });
  const parts: Omit<PipelineHost, "registry"> = {
    capabilities: {
      ...machine.capabilities,
      ...{ files: files.files, search: files.search, imports: state.imports },
      ...(index && { codeIndex: index.codeIndex }),
      ...{ knowledge: state.state.knowledge, results: state.state.results },
      ...{ approvals, externalTools, sessions: agents },
      inventory: {
        external: () => externalTools.tools(),
        model: async (session, signal) =>
          agents.modelOf(session) ?? chatModels.get(session) ?? models.find(undefined, signal),
      },
    },
    changes: state.changes,
    secrets: state.state.secrets,
    settings: readSettings,
    rules,
    ...machine.commands,
    activity: recorder,
    now: Date.now,
  };
  if (search !== undefined) {
    // Settings change while the window is open.
    Object.defineProperty(parts.capabilities, "webSearch", { enumerable: true, get: search });
  }
  const pipelineOf = (others: Registry, seen?: SeenParts): Pipeline => {
    // Subagents work with all that the window has.
    const { sessions: _, ...shared } = parts.capabilities;
    const capabilities = seen === undefined ? parts.capabilities : { ...shared, ...seen.capabilities };
    // A view has all folders, and what a command changed there is one change.
    const none = () => Promise.resolve(false);
    const views = seen === undefined ? {} : { contains: none, rehearses: none };
    return new Pipeline({ ...parts, ...views, ...seen, capabilities, registry: others });
  };
  const local = pipelineOf(registry);
  const pipeline: Pipeline = switched(local, () => place()?.pipeline);
  return {
    forgetShown: () => local.forgetShown(),
    ...{
      pipeline,
      pipelineOf,
      agents,
      activity,
      recorder,
      approvals,
      confirm,
      questions,
      person,
      rules,
      settingsRules,
      tokens,
      chatModels,
    },
    ...{ isTrusted, hasMemory, onDidChangeAgents: agentsChanged.event },
    ...{ onDidChangeRules: rulesChanged.event, onDidCall: called.event },
    commands: { [WHOLE_QUESTION.command]: (uri) => wholeQuestions.answer(uri), ...questions.commands },
    dispose: () => {
      for (const each of [
        ...(ahead === undefined ? [] : [ahead]),
        wholeQuestions,
        questions,
        agentsChanged,
        rulesChanged,
        called,
      ]) {
        each.dispose();
      }
    },
  };
}
