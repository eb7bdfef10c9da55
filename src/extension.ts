import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { Agents } from "./agent/agents.js";
import { directCaller } from "./agent/directCaller.js";
import { offeredSkills } from "./agent/skillOffers.js";
import { patientConfirm } from "./agent/work/patientConfirm.js";
import { capabilitiesNote } from "./agent/capabilitiesNote.js";
import { RecentActivity } from "./core/pipeline/activity.js";
import { ChangeKeeper } from "./features/changes/changes.js";
import { ImportUpdater } from "./features/changes/importUpdates.js";
import { Pipeline } from "./core/pipeline/pipeline.js";
import { Registry } from "./core/registry.js";
import type { SessionLog } from "./features/sessions/sessionLog.js";
import { Rules } from "./core/permission/rules/book.js";
import { SETTING } from "./names/settings.js";
import { KnowledgeBase } from "./features/knowledge/knowledgeBase.js";
import { describeRecovered } from "./features/changes/journal/recovered.js";
import { activityLine } from "./core/pipeline/activityLine.js";
import { LostTurns } from "./doors/chat/lostTurns.js";
import { ChangedTurns } from "./doors/chat/changedTurns.js";
import { createApi } from "./doors/api/api.js";
import type { ToolhostApi } from "./doors/api/types.js";
import { registerParticipant } from "./doors/chat/participant.js";
import { noteInSession } from "./doors/chat/sessionNotes.js";
import { STAND_IN_ID, STAND_IN_VENDOR } from "./doors/chat/naming.js";
import { realModels, useModel } from "./doors/chat/chooseModel.js";
import { registerStandInModel } from "./doors/chat/standInModel.js";
import { registerServerCommands } from "./views/models/commands.js";
import { KnownModels } from "./views/models/knownModels.js";
import { SERVERS_VENDOR } from "./views/models/naming.js";
import { registerServersProvider } from "./views/models/provider.js";
import { lmName } from "./doors/lm/naming.js";
import { registerMessageCommands } from "./views/messages/commands.js";
import { SET_MESSAGE_SECRET } from "./views/messages/naming.js";
import { CallTokens } from "./doors/lm/callTokens.js";
import { PendingCalls } from "./doors/lm/pendingCalls.js";
import { registerLmTools } from "./doors/lm/register.js";
import { registerPalette } from "./doors/palette/commands.js";
import { ResultView } from "./doors/palette/resultView.js";
import { asMessages } from "./views/undo/chat.js";
import { registerUndo } from "./views/undo/commands.js";
import { registerPermission } from "./views/permission/commands.js";
import { createOffers } from "./views/permission/offerNotice.js";
import { WHOLE_QUESTION } from "./views/permission/naming.js";
import { registerWork } from "./views/work/work.js";
import { StandingChanges } from "./views/undo/standing.js";
import { ReviewView } from "./views/undo/review.js";
import { ChannelMessages } from "./hosts/node/messages/channels.js";
import { NodeDisk } from "./hosts/node/disk/disk.js";
import { statWritable } from "./hosts/node/disk/openRegular.js";
import { createRipgrep, ripgrepOfVscode, ripgrepOnPath } from "./hosts/node/ripgrep/run.js";
import { ruleScope } from "./hosts/node/ruleScope.js";
import { secretRulesFile } from "./hosts/node/ripgrep/secretRulesFile.js";
import { KnowledgeStores } from "./hosts/node/state/knowledgeStore.js";
import { WorkspaceStates } from "./hosts/node/state/workspaceState.js";
import { EmbeddingsServer } from "./hosts/openai/embeddings.js";
import { OpenAiServers } from "./hosts/openai/servers.js";
import { RipgrepSearch } from "./hosts/ripgrep/search.js";
import { WorkspaceScan } from "./hosts/search/workspaceScan.js";
import { WorkspaceSearch } from "./hosts/search/workspaceSearch.js";
import { QuestionDialog } from "./views/questions/confirm.js";
import { WholeQuestions } from "./views/questions/wholeQuestions.js";
import { VscodeExternalTools } from "./hosts/vscode/externalTools.js";
import { VscodeFiles } from "./hosts/vscode/files/files.js";
import { channelsSetting, MessageSecrets } from "./hosts/vscode/messageSecrets.js";
import { VscodeModels } from "./hosts/vscode/models/allModels.js";
import {
  agentModelSetting,
  removeServer,
  saveServer,
  ServerKeys,
  serversSetting,
} from "./hosts/vscode/models/modelServers.js";
import { VscodeProblems } from "./hosts/vscode/problems.js";
import { refuseReadonly } from "./hosts/vscode/files/readonlyFiles.js";
import {
  changeSettings,
  embeddingsSetting,
  memoryLimits,
  readSettings,
  turnOffOffers,
} from "./hosts/vscode/settings.js";
import { takeBackOpen } from "./hosts/vscode/files/takeBackOpen.js";
import { VscodeWriter } from "./hosts/vscode/files/writer.js";
import { ProcessTable } from "./features/processes/processTable.js";
import { commandEnvironment, exportedNames } from "./hosts/node/environment.js";
import { NodePrograms } from "./hosts/node/programs.js";
import { ProcessExpressions } from "./hosts/node/jsonata/expressions.js";
import { NodeSpawner } from "./hosts/node/processes/spawner.js";
import { RESULTS_FOLDER, ResultFiles } from "./hosts/node/state/results.js";
import { WasmShellGrammar } from "./hosts/node/shellGrammar.js";
import { DiskSpool } from "./hosts/node/state/spool.js";
import { SettingsRules } from "./hosts/vscode/ruleBook.js";
import { workspaceStateFolder } from "./hosts/node/state/stateFolder.js";
import { ripgrepPatterns } from "./hosts/ripgrep/patterns.js";
import { ProcessStatus } from "./views/work/processStatus.js";
import { VscodeTasks } from "./hosts/vscode/tasks/tasks.js";
import { VscodeTerminals } from "./hosts/vscode/terminal/terminals.js";
import { UsersShell } from "./hosts/vscode/terminal/usersShell.js";
import { WindowMessages } from "./hosts/vscode/windowMessages.js";
import type { ChatModel } from "./ports/models.js";
import { plain } from "./text/plainText.js";
import { visibleLine } from "./text/showHidden.js";
import { tools } from "./tools/index.js";

/** Ends what runs; set once there can be something. */
let endProcesses = (): Promise<void> => Promise.resolve();

/** Nothing that a tool started goes on without its window. */
export async function deactivate(): Promise<void> {
  await endProcesses();
}

/** The extension: wires VS Code and the local machine to the tools and opens the doors. */
export function activate(context: vscode.ExtensionContext): ToolhostApi {
  const log = vscode.window.createOutputChannel("Toolhost", { log: true });
  const registry = new Registry(tools);
  const disk = new NodeDisk();
  const files = new VscodeFiles(disk);
  // What is read when it is needed lies beside the bundle.
  const dist = context.asAbsolutePath("dist");
  const run = createRipgrep(ripgrepOfVscode(vscode.env.appRoot) ?? ripgrepOnPath());
  const search = new WorkspaceSearch({
    files,
    run,
    local: new RipgrepSearch({
      run,
      roots: () => files.roots(),
      resolve: (path) => files.resolve(path),
      kindOf: async (at) => (await files.stat(at)).kind,
      unsaved: () => files.unsaved(),
      ruleScope,
      files,
      secretRules: secretRulesFile(dist),
    }),
    scan: new WorkspaceScan({ files, run }),
    untitled: () => files.untitled(),
  });
  const folders = (): string[] => files.roots().map(({ uri }) => (uri.scheme === "file" ? uri.fsPath : uri.toString()));
  const states = new WorkspaceStates({
    folders,
    look: (key) => files.look(key),
    foldCase: disk.foldCase,
    onNotice: (message) => log.warn(message),
    takeBackOpen: (texts) => takeBackOpen(files, texts),
    onRecovered: (recovered) => {
      const told = describeRecovered(recovered);
      log.warn(told);
      // Files and editors change by themselves: who looks at them has to know why.
      void vscode.window.showWarningMessage(plain(visibleLine(told)));
    },
  });
  // Behind the start, which it must not make longer.
  setImmediate(() => void states.recoverLeft());
  const sessionLog = async (): Promise<SessionLog> => (await states.current()).sessions;
  const problems = new VscodeProblems(files);
  const changes = new ChangeKeeper({
    writer: new VscodeWriter(files, () => changeSettings().saveUnsaved),
    state: (again) => states.current(again),
    problems,
    tellsProblems: () => changeSettings().newProblems,
  });
  const imports = new ImportUpdater({
    files,
    search,
    isOn: () => changeSettings().updateImports,
    ledger: async () => (await states.current()).ledger,
    checkWritable: async (at) => {
      refuseReadonly(at, files.uriOf(at));
      await (files.diskOf(at) && statWritable(at.absolute));
    },
  });
  const results = new ResultFiles(() => Promise.resolve(join(workspaceStateFolder(folders()), RESULTS_FOLDER)));
  const knowledgeStores = new KnowledgeStores(folders);
  const embeddings = new EmbeddingsServer(embeddingsSetting, process.env);
  const knowledge = new KnowledgeBase({
    files,
    stores: knowledgeStores,
    embeddings: () => embeddings.current(),
    now: Date.now,
  });
  const terminals = new VscodeTerminals();
  const usersShell = new UsersShell();
  const processesChanged = new vscode.EventEmitter<void>();
  const processes = new ProcessTable({
    spawner: new NodeSpawner(),
    results,
    terminals,
    usersShell: (request, timeLimit, signal) => usersShell.run(request, timeLimit, signal),
    onChange: () => processesChanged.fire(),
  });
  endProcesses = () => processes.closeAll();
  const tasks = new VscodeTasks({
    pathOf: (uri) => files.pathOf(uri),
    environment: () => commandEnvironment(process.env, {}, ""),
  });
  const activity = new RecentActivity((entry) => log.info(activityLine(entry)));
  const settingsRules = new SettingsRules(tools);
  const rules = new Rules(settingsRules, Date.now);
  const lazy = { expressions: new ProcessExpressions(dist), spool: new DiskSpool(disk) };
  const serverKeys = new ServerKeys(context.secrets);
  const servers = new OpenAiServers({
    vendor: SERVERS_VENDOR,
    setting: serversSetting,
    keyOf: (server) => serverKeys.get(server),
    userAgent: `Toolhost/${__TOOLHOST_VERSION__}`,
    now: Date.now,
    later: (work, milliseconds) => {
      const timer = setTimeout(work, milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
  });
  const models = new VscodeModels({
    servers,
    serversVendor: SERVERS_VENDOR,
    leaveOut: [STAND_IN_VENDOR],
    chosen: agentModelSetting,
  });
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  const wholeQuestions = new WholeQuestions(WHOLE_QUESTION);
  const confirm = new QuestionDialog(wholeQuestions);
  const hasMemory = (): boolean => readSettings().isGroupEnabled("memory");
  const messageSecrets = new MessageSecrets(context.secrets);
  const windowMessages = new WindowMessages();
  const messages = new ChannelMessages({
    setting: channelsSetting,
    place: SETTING.messageChannels,
    secret: (name) => messageSecrets.get(name),
    secretAdvice: () => `The user can set it with the command “Toolhost: ${SET_MESSAGE_SECRET.title}”.`,
    show: (content) => windowMessages.show(content),
  });
  const lmNames = new Set(tools.map(lmName));
  const tokens = new CallTokens();
  const externalTools = new VscodeExternalTools({
    isOurs: (name) => lmNames.has(name),
    tokenOf: (caller) => tokens.of(caller),
  });
  const chatModels = new Map<string, ChatModel>();
  const agents: Agents = new Agents({
    log: sessionLog,
    files,
    results,
    models,
    tools: () => pipeline.available(),
    callTool: (call) => directCaller({ pipeline, door: "api", confirm })(call),
    isTrusted,
    hasMemory,
    moreInstructions: async (signal) => {
      const skills = readSettings().isGroupEnabled("documents") ? await offeredSkills(files, signal) : "";
      return [...(await capabilitiesNote(files, signal)), skills].filter((text) => text !== "");
    },
    now: Date.now,
  });
  const approvals = states.approvals(false);
  const inventory = {
    external: () => externalTools.list(),
    model: (session: string, signal: AbortSignal) =>
      Promise.resolve(agents.modelOf(session) ?? chatModels.get(session) ?? models.find(undefined, signal)),
  };
  const pipeline = new Pipeline({
    registry,
    capabilities: {
      ...lazy,
      approvals,
      clock: { now: Date.now },
      files,
      search,
      imports,
      knowledge,
      memory: { limits: memoryLimits, now: Date.now },
      patterns: ripgrepPatterns(run, tmpdir()),
      processes,
      results,
      sessions: agents,
      tasks,
      messages,
      externalTools,
      inventory,
    },
    changes,
    settings: readSettings,
    rules,
    grammar: new WasmShellGrammar(dist),
    exported: () => exportedNames(process.env),
    programs: new NodePrograms(() => process.env["PATH"] ?? ""),
    activity,
    now: Date.now,
  });
  const standing = new StandingChanges(changes, context.workspaceState);
  const undo = { changes, files, activity, isTrusted, now: Date.now, onUndone: () => void standing.refresh() };
  const review = new ReviewView(changes);
  const pending = new PendingCalls();
  const standIn = registerStandInModel();
  const known = new KnownModels(context.globalState);
  const offers = createOffers({ rules, isOn: () => changeSettings().offerRules, turnOff: turnOffOffers });
  const resultView = new ResultView((path) => files.addressOf(path));
  context.subscriptions.push(
    log,
    servers,
    resultView,
    wholeQuestions,
    windowMessages,
    registerMessageCommands({
      names: () => messages.secretNames(),
      get: (name) => messageSecrets.get(name),
      set: (name, value) => messageSecrets.set(name, value),
    }),
    terminals,
    usersShell,
    processesChanged,
    new ProcessStatus({
      list: () => processes.list().filter(({ background, end }) => background && end === undefined),
      onDidChange: processesChanged.event,
      stop: (id) => void processes.find(id)?.stop("cancelled"),
      show: (id) => terminals.reveal(id),
      now: Date.now,
    }),
    problems,
    { dispose: () => states.close() },
    { dispose: () => knowledgeStores.close() },
    registerPalette({ pipeline, tools: registry.list(), confirm, results: resultView }),
    review,
    standing,
    registerUndo({
      ...undo,
      review,
      onDone: (session, done, direction) =>
        void noteInSession(sessionLog, session, asMessages(done, "(pressed a button)", direction)),
    }),
    registerPermission({
      pipeline,
      tools: registry.list(),
      rules,
      change: (work) => settingsRules.change(work),
      activity,
      settings: readSettings,
      now: Date.now,
    }),
    standIn,
    registerServersProvider({ servers, known, onNotice: (message) => log.warn(message) }),
    registerServerCommands({
      servers,
      save: saveServer,
      choose: async ({ name }, model) => {
        const others = (await realModels()).filter(
          ({ vendor, id }) => vendor !== SERVERS_VENDOR || !id.startsWith(`${name}/`),
        );
        known.use(name, model);
        return useModel({ vendor: SERVERS_VENDOR, id: `${name}/${model}` }, others.length === 0);
      },
      removed: async ({ name }) => {
        const wasUsed = known.isUsed(name);
        known.forget(name);
        servers.forget();
        if (wasUsed) {
          // No model is chosen in the user's place: the stand-in's answer offers those that there are.
          standIn.keep();
          await useModel({ vendor: STAND_IN_VENDOR, id: STAND_IN_ID }, false);
        }
      },
      remove: removeServer,
      hasKey: async (server) => (await serverKeys.get(server)) !== undefined,
      setKey: (server, key) => serverKeys.set(server, key),
    }),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration(SETTING.modelServers) && servers.forget(),
    ),
    context.secrets.onDidChange(() => servers.forget()),
    registerLmTools({ pipeline, tools: registry.list(), pending, tokens, confirm, offers }),
    registerParticipant({
      ...undo,
      pipeline,
      pending,
      confirm,
      agents,
      log: sessionLog,
      lost: new LostTurns(context.workspaceState),
      changedTurns: new ChangedTurns(context.workspaceState),
      standing,
      undo: { ...undo, addressOf: (path) => files.addressOf(path) },
      addressOf: (path) => files.addressOf(path),
      pathOf: (uri) => files.pathOf(uri),
      icon: vscode.Uri.joinPath(context.extensionUri, "media", "icon.png"),
      hasMemory,
      onModel: ({ vendor, id }) => {
        if (vendor === STAND_IN_VENDOR) {
          standIn.keep();
        } else if (vendor === SERVERS_VENDOR) {
          const [server = "", ...model] = id.split("/");
          known.use(server, model.join("/"));
        }
      },
      asModel: (model) => models.asModel(model),
      modelsByHand: chatModels,
    }),
  );
  const unattended = directCaller({ pipeline, door: "api", confirm: patientConfirm(confirm) });
  context.subscriptions.push(
    registerWork({
      ...{ files, changes, agents, approvals, confirm, models, isTrusted },
      work: () => states.work(),
      log: sessionLog,
      tools: () => pipeline.available(),
      callTool: (call) => unattended(call),
      chosenModel: agentModelSetting,
      hasSchedules: () => files.roots().length > 0 && readSettings().isGroupEnabled("automation"),
      addressOf: (path) => files.addressOf(path),
      note: (message) => log.info(message),
      now: Date.now,
    }),
  );
  return createApi({ pipeline, agents, models, confirm, asModel: (model) => models.asModel(model) });
}
