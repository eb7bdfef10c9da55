import * as vscode from "vscode";
import { onceForAll } from "../../core/once.js";
import type { ToolhostApi } from "../../doors/api/types.js";
import { registerStandInModel, type StandIn } from "../../doors/chat/standInModel.js";
import { LINK_COMMAND, OPENED, PARTICIPANT, SERVERS_VENDOR, VIEW } from "../../names/contributed.js";
import type { WindowDoors } from "./doors.js";
import type { WindowModels } from "./models.js";

/**
 * How long after activation to open the window if nothing has opened it earlier, in ms. It undoes changes that a killed
 * window left and runs schedules.
 */
const OPEN_AFTER = 300;

/** Commands of links and buttons that are not in the palette. */
const UNLISTED = [
  ...[LINK_COMMAND.openSession, LINK_COMMAND.bringBack, LINK_COMMAND.undoTurn],
  ...[LINK_COMMAND.ask, LINK_COMMAND.useAgent, LINK_COMMAND.answer, LINK_COMMAND.showQuestion],
  ...[LINK_COMMAND.openOutput, LINK_COMMAND.showTerminal],
];

/** The handlers of VS Code's calls in a window. */
export interface Window extends Pick<WindowDoors, "tools" | "commands" | "views" | "participant"> {
  models: WindowModels["provider"];
  api: ToolhostApi;
  /** Ends everything that tools started. */
  close: () => Promise<void>;
}

/** Opens the window once and returns it. */
type Open = () => Window;

export interface Activated {
  api: ToolhostApi;
  /** Ends everything that tools started. */
  close: () => Promise<void>;
}

/**
 * Activates the extension. Registers everything that package.json contributes, without loading the code behind it: the
 * first call, chat or command opens the window, which otherwise opens by itself soon after the start.
 *
 * @param load returns what opens the window. If it fails, as when an update is replacing the code, it is called again
 */
export function activateWith(context: vscode.ExtensionContext, load: () => (standIn: StandIn) => Window): Activated {
  let window: Window | undefined;
  const standIn = registerStandInModel();
  const models = new vscode.EventEmitter<void>();
  const trees = Object.values(VIEW).map((id) => ({ id, changed: new vscode.EventEmitter<unknown>() }));
  const opening = (openWindow: (standIn: StandIn) => Window): Open =>
    onceForAll(() => {
      const start = performance.now();
      const made = openWindow(standIn);
      performance.measure(OPENED, { start });
      window = made;
      context.subscriptions.push(made.models.onDidChangeLanguageModelChatInformation(() => models.fire()));
      made.models.update();
      for (const { id, changed } of trees) {
        const listening = made.views[id]?.onDidChangeTreeData?.((row) => changed.fire(row));
        context.subscriptions.push(...(listening === undefined ? [] : [listening]));
      }
      return made;
    });
  let loaded: Open | undefined;
  const open: Open = () => (loaded ??= opening(load()))();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, OPEN_AFTER);
  });
  const opened = soon.then(open);
  context.subscriptions.push(
    ...[standIn, models, { dispose: () => clearTimeout(timer) }],
    ...contributed(context, "languageModelTools", "name").map((name) => registerTool(name, open)),
    ...[...contributed(context, "commands", "command"), ...UNLISTED].map((id) => registerCommand(id, open)),
    registerParticipant(context, open),
    ...trees.map(({ id, changed }) => registerTree(id, changed, open)),
    vscode.lm.registerLanguageModelChatProvider(SERVERS_VENDOR, {
      onDidChangeLanguageModelChatInformation: models.event,
      // VS Code asks at startup. The window need not open earlier for that.
      provideLanguageModelChatInformation: async (options, token) =>
        (window ?? (await opened)).models.provideLanguageModelChatInformation(options, token),
      provideLanguageModelChatResponse: (...given) => open().models.provideLanguageModelChatResponse(...given),
      provideTokenCount: (model, text) => open().models.provideTokenCount(model, text),
    }),
  );
  const api: ToolhostApi = {
    version: 1,
    runAgent: (options) => open().api.runAgent(options),
    defineTool: (definition) => open().api.defineTool(definition),
    registerTool: (tool) => open().api.registerTool(tool),
    createOpenApiTools: (...given) => open().api.createOpenApiTools(...given),
    tools: () => open().api.tools(),
    describe: (name) => open().api.describe(name),
    onDidChangeTools: (listener) => open().api.onDidChangeTools(listener),
    useSandbox: (...given: [unknown, unknown?]) => (open().api.useSandbox as UseAny)(...given),
    invoke: async (...given) => open().api.invoke(...given),
    applyWorkspaceManifest: async (...given) => open().api.applyWorkspaceManifest(...given),
  };
  return { api, close: async () => window?.close() };
}

/** `useSandbox` without its forms. */
type UseAny = (client: unknown, options?: unknown) => ReturnType<ToolhostApi["useSandbox"]>;

/** Returns the names of contributions of a kind from package.json, which VS Code has already read. */
function contributed({ extension }: vscode.ExtensionContext, kind: string, key: string): string[] {
  const { contributes } = extension.packageJSON as { contributes: Record<string, Record<string, string>[]> };
  return (contributes[kind] ?? []).flatMap((each) => each[key] ?? []);
}

function registerTool(name: string, open: Open): vscode.Disposable {
  const tool = (): vscode.LanguageModelTool<unknown> => found(open().tools.get(name), name);
  return vscode.lm.registerTool<unknown>(name, {
    prepareInvocation: (...given) => tool().prepareInvocation?.(...given),
    invoke: (...given) => tool().invoke(...given),
  });
}

function registerCommand(id: string, open: Open): vscode.Disposable {
  return vscode.commands.registerCommand(id, (argument?: unknown) => found(open().commands[id], id)(argument));
}

/** Registers the tree of a view. VS Code asks for its rows when the view is first visible. */
function registerTree(id: string, changed: vscode.EventEmitter<unknown>, open: Open): vscode.Disposable {
  const tree = (): Window["views"][string] => found(open().views[id], id);
  const view = vscode.window.createTreeView<unknown>(id, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (row) => tree().getTreeItem(row),
      getChildren: (row) => tree().getChildren(row),
    },
    // A group's mark says whether it is on, not whether its tools are checked.
    manageCheckboxStateManually: true,
  });
  const checks = view.onDidChangeCheckboxState(({ items }) =>
    items.forEach(([row, state]) => tree().check?.(row, state === vscode.TreeItemCheckboxState.Checked)),
  );
  return vscode.Disposable.from(view, checks, changed);
}

/** @throws Error if the window lacks something that package.json contributes */
function found<T>(there: T | undefined, name: string): T {
  if (there === undefined) {
    throw new Error(`Toolhost has no ${name}.`);
  }
  return there;
}

function registerParticipant({ extensionUri }: vscode.ExtensionContext, open: Open): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT.id, (...given) =>
    open().participant.handle(...given),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, "media", "icon.png");
  participant.followupProvider = {
    provideFollowups: (...given) => open().participant.provideFollowups(...given),
  };
  return participant;
}
