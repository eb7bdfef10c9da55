import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import { LINK_COMMAND, VIEW } from "../../names/contributed.js";
import type { Commands } from "../../views/shared/commandTable.js";
import type { Views } from "../../views/shared/tree.js";
import { directCaller } from "../../agent/directCaller.js";
import { patientConfirm } from "../../agent/work/patientConfirm.js";
import { ChangedTurns } from "../../doors/chat/changedTurns.js";
import { RunningTurns, tellInterrupted } from "../../doors/chat/interrupted.js";
import { LostTurns } from "../../doors/chat/lostTurns.js";
import { chatCommands } from "../../doors/chat/commands.js";
import { runResultCommands } from "../../doors/chat/runResult/commands.js";
import { createParticipant, type Participant } from "../../doors/chat/participant.js";
import { noteInSession } from "../../doors/chat/sessionNotes.js";
import { PendingCalls } from "../../doors/shared/pendingCalls.js";
import { lmTools } from "../../doors/lm/register.js";
import { paletteCommands } from "../../doors/palette/commands.js";
import { ResultView } from "../../doors/palette/resultView.js";
import { permissionCommands } from "../../views/permission/commands.js";
import { ExplainView } from "../../views/permission/explainView.js";
import { rulesTree } from "../../views/permission/rulesTree.js";
import { toolsTree } from "../../views/tools/toolsTree.js";
import { createOffers } from "../../views/permission/offerNotice.js";
import { asMessages } from "../../views/undo/chat.js";
import { undoCommands } from "../../views/undo/commands.js";
import { ReviewView } from "../../views/undo/review.js";
import { ChangesStatus } from "../../views/undo/changesStatus.js";
import { changesTree } from "../../views/undo/changesTree.js";
import { documentPath } from "../../views/undo/documentPath.js";
import { PartsNotice } from "../../views/undo/partsNotice.js";
import { EditorChanges } from "../../views/undo/editorChanges.js";
import { KeptChanges } from "../../views/undo/kept.js";
import { Requests } from "../../views/undo/requests.js";
import type { ToldUndo } from "../../views/undo/undo.js";
import { StandingChanges } from "../../views/undo/standing.js";
import { runningTree } from "../../views/work/runningTree.js";
import { sessionsTree } from "../../views/sessions/sessionsTree.js";
import { workTree } from "../../views/work/workTree.js";
import { startWork } from "../../views/work/work.js";
import { agentModelSetting } from "../../hosts/vscode/models/modelServers.js";
import {
  changeSettings,
  hasGroupSetting,
  isGroupWhole,
  readSettings,
  turnGroup,
  turnOffOffers,
} from "../../hosts/vscode/settings.js";
import { openActivity } from "./activity.js";
import type { SeenFiles } from "./files.js";
import type { WindowModels } from "./models.js";
import type { WindowProcesses } from "./processes.js";
import type { WindowParts, WindowPipeline } from "./pipeline.js";

export interface DoorsParts extends Pick<WindowParts, "registry" | "state" | "log"> {
  context: vscode.ExtensionContext;
  /** What this window is called for those who wait for a task that is being done here. */
  where: string;
  files: SeenFiles;
  running: Pick<WindowProcesses, "background" | "processOf" | "showTerminal" | "commands">;
  models: WindowModels;
  pipeline: WindowPipeline;
}

/** The doors of a window: how people and models call its tools and undo their changes. */
export interface WindowDoors extends vscode.Disposable {
  /** Tools by their names in `vscode.lm.tools`. */
  tools: ReadonlyMap<string, vscode.LanguageModelTool<unknown>>;
  commands: Commands;
  views: Views;
  participant: Participant;
}

export function openDoors(parts: DoorsParts): WindowDoors {
  const { context, registry, files, state, running, models, pipeline: shared, log } = parts;
  const {
    pipeline,
    agents,
    confirm,
    questions,
    person,
    activity,
    rules,
    settingsRules,
    approvals,
    isTrusted,
    hasMemory,
  } = shared;
  const { changes, state: kept } = state;
  const tools = registry.list();
  const addressOf = (path: string): Promise<vscode.Uri | undefined> => files.files.addressOf(path);
  const results = new ResultView(addressOf);
  const keptChanges = new KeptChanges(context.workspaceState);
  const review = new ReviewView(changes, keptChanges);
  const pending = new PendingCalls();
  const standing = new StandingChanges(changes, context.workspaceState);
  const toReview = new ChangesStatus(changes, review, keptChanges, context.workspaceState);
  const { onDidChangeConfiguration, onDidChangeWorkspaceFolders } = vscode.workspace;
  const onDidChangeTools: vscode.Event<void> = (listener) => registry.onDidChange(() => void listener());
  const requests = new Requests(kept.sessionLog);
  const changesView = changesTree({
    ...{ changes, review, kept: keptChanges, addressOf, now: Date.now },
    requests,
    onDidChange: [state.onDidChangeFiles, onDidChangeWorkspaceFolders],
  });
  const common = { changes, files: files.files, activity: shared.recorder, isTrusted, now: Date.now };
  const undo = {
    ...common,
    running: () => running.background.list(),
    onUndone: () => {
      review.refresh();
      void standing.refresh();
    },
  };
  const offers = createOffers({ rules, isOn: () => changeSettings().offerRules, turnOff: turnOffOffers });
  const explainHost = {
    pipeline,
    tools: () => registry.list(),
    rules,
    activity,
    settings: readSettings,
    now: Date.now,
  };
  const explain = new ExplainView(explainHost);
  const unattended = directCaller({ pipeline, door: "agent", confirm: patientConfirm(confirm) });
  const isSent = ({ group }: Tool): boolean => isGroupWhole(group);
  const hasSchedules = (): boolean => files.files.roots().length > 0 && readSettings().isGroupEnabled("automation");
  const work = startWork({
    ...{ ...common, agents, approvals, confirm, models: models.models, addressOf },
    work: () => kept.states.work(),
    log: kept.sessionLog,
    tools: () => pipeline.available(),
    place: parts.where,
    isSent,
    callTool: (call) => unattended(call),
    chosenModel: agentModelSetting,
    hasSchedules,
    note: (message) => log.info(message),
  });
  const turns = new RunningTurns(context.workspaceState);
  const closing = new AbortController();
  void tellInterrupted({ changes, running: turns, log: kept.sessionLog }, closing.signal);
  const { onDidChangeAgents } = shared;
  const runningView = runningTree({
    ...{ processes: running.background, agents, onDidChangeAgents, work: work.status, now: Date.now },
  });
  const activityPage = openActivity({
    ...{ calls: () => kept.activity.log(), sessions: kept.sessionLog, now: Date.now },
    requestOf: async (session, turn) => (await requests.of({ session, turn }))?.text,
    onDidLogCalls: state.onDidLogCalls,
    program: vscode.Uri.joinPath(context.extensionUri, "dist", "activity-page.js"),
  });
  const sessionsView = sessionsTree({
    ...{ log: kept.sessionLog, journal: () => changes.journal(), now: Date.now },
    show: (title, changed) => review.show(title, changed),
    showActivity: (session) => activityPage.show(session),
    onDidChange: [onDidChangeAgents, state.onDidChangeFiles, state.onOthersWrite, onDidChangeWorkspaceFolders],
  });
  const workView = workTree({
    ...{ files: files.files, approvals, addressOf, now: Date.now },
    restOfSchedules: () =>
      !isTrusted() ? "does not run in Restricted Mode" : hasSchedules() ? undefined : "turned off in the settings",
    runSchedule: (name) => work.runSchedule(name),
    onDidChange: [
      ...[state.onDidChangeFiles, work.status.onDidChange, work.onDidApprove, onDidChangeWorkspaceFolders],
      ...[onDidChangeConfiguration, vscode.workspace.onDidGrantWorkspaceTrust],
    ],
  });
  const rulesHost = {
    ...explainHost,
    change: (edit: Parameters<typeof settingsRules.change>[0]) => settingsRules.change(edit),
  };
  const permissionsView = rulesTree(rulesHost, [onDidChangeConfiguration, shared.onDidChangeRules, onDidChangeTools]);
  const toolsView = toolsTree({
    pipeline,
    activity,
    hasSwitch: hasGroupSetting,
    turn: turnGroup,
    now: Date.now,
    onDidChange: [onDidChangeConfiguration, shared.onDidCall, onDidChangeTools],
  });
  const participant = createParticipant({
    ...{
      ...undo,
      pipeline,
      pending,
      confirm,
      questions,
      person,
      agents,
      standing,
      hasMemory,
      addressOf,
      isSent,
      results,
    },
    ...{ processOf: running.processOf, running: turns },
    log: kept.sessionLog,
    lost: new LostTurns(context.workspaceState),
    changedTurns: new ChangedTurns(context.workspaceState),
    undo: { ...undo, addressOf },
    pathOf: (uri) => files.files.pathOf(uri),
    onModel: models.keep,
    asModel: (model) => models.models.asModel(model),
    modelsByHand: shared.chatModels,
  });
  const notice = new PartsNotice();
  const undoing = undoCommands({
    ...{ ...undo, review, notice },
    requestOf: async (turn) => (await requests.of(turn))?.text,
    onDone: (session, done, direction) =>
      void noteInSession(kept.sessionLog, session, asMessages(done, "(pressed a button)", direction)),
  });
  const inEditors = new EditorChanges({
    ...{ changes, kept: keptChanges, now: Date.now },
    isShown: () => changeSettings().showInEditor,
    undo: async (argument) => (await undoing[LINK_COMMAND.undoTurn]?.(argument)) as ToldUndo | undefined,
    pathOf: (uri) => documentPath(uri, files.files),
    onDidChange: [
      ...[state.onDidChangeFiles, state.onOthersWrite],
      ...[onDidChangeWorkspaceFolders, onDidChangeConfiguration],
    ],
  });
  const opened = vscode.Disposable.from(
    ...[results, review, standing, toReview, keptChanges, changesView.tree, inEditors, notice, explain, work],
    ...[runningView.tree, sessionsView.tree, workView, permissionsView.tree, toolsView.tree, activityPage],
    state.onDidChangeFiles(() => toReview.update()),
  );
  return {
    tools: lmTools({ pipeline, tools, pending, tokens: shared.tokens, confirm, offers, results: kept.results }),
    commands: {
      ...paletteCommands({ pipeline, tools, confirm, person, results, pathOf: (uri) => files.files.pathOf(uri) }),
      ...permissionCommands(rulesHost, explain),
      ...undoing,
      ...inEditors.commands,
      ...work.commands,
      ...changesView.commands,
      ...runningView.commands,
      ...sessionsView.commands,
      ...activityPage.commands,
      ...workView.commands,
      ...permissionsView.commands,
      ...toolsView.commands,
      ...chatCommands,
      ...running.commands,
      ...runResultCommands({ results, stored: kept.results, showTerminal: running.showTerminal }),
    },
    views: {
      [VIEW.changes]: changesView.tree,
      [VIEW.running]: runningView.tree,
      [VIEW.sessions]: sessionsView.tree,
      [VIEW.work]: workView.tree,
      [VIEW.tools]: toolsView.tree,
      [VIEW.permissions]: permissionsView.tree,
    },
    participant,
    dispose: () => {
      closing.abort();
      opened.dispose();
    },
  };
}
