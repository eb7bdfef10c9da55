import { join } from "node:path";
import * as vscode from "vscode";
import type { ToolhostApi } from "./doors/api/types.js";
import { registerStandInModel } from "./doors/chat/standInModel.js";
import { requireCached } from "./hosts/node/cachedScript.js";
import { LINK_COMMAND, PARTICIPANT, SERVERS_VENDOR } from "./names/contributed.js";
import type * as windowModule from "./window.js";

/**
 * Milliseconds after activation until the window is opened where nothing has asked for it: it takes back what a killed
 * one left, and runs schedules.
 */
const OPEN_AFTER = 300;

/** Commands that links and buttons have, and not the palette. */
const UNLISTED = [LINK_COMMAND.openSession, LINK_COMMAND.bringBack, LINK_COMMAND.undoTurn];

/** Opens the window once, and gives it. */
type Open = () => windowModule.Window;

let window: windowModule.Window | undefined;

/** Nothing that a tool started goes on without its window. */
export async function deactivate(): Promise<void> {
  await window?.close();
}

/**
 * The extension. Registers what package.json contributes, and loads nothing of what is behind it: the window
 * (`window.ts`) is opened by the first call, chat or command, and by itself soon after the start.
 */
export function activate(context: vscode.ExtensionContext): ToolhostApi {
  const standIn = registerStandInModel();
  const models = new vscode.EventEmitter<void>();
  const open: Open = () => {
    if (window === undefined) {
      const { openWindow } = loadWindow(context);
      window = openWindow(context, standIn);
      context.subscriptions.push(window.models.onDidChangeLanguageModelChatInformation(() => models.fire()));
      window.models.update();
    }
    return window;
  };
  let timer: NodeJS.Timeout | undefined;
  const soon = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, OPEN_AFTER);
  });
  const opened = soon.then(open);
  context.subscriptions.push(
    ...[standIn, models, { dispose: () => clearTimeout(timer) }],
    ...contributed(context, "languageModelTools", "name").map((name) => registerTool(name, open)),
    ...[...contributed(context, "commands", "command"), ...UNLISTED].map((id) => registerCommand(id, open)),
    registerParticipant(context, open),
    vscode.lm.registerLanguageModelChatProvider(SERVERS_VENDOR, {
      onDidChangeLanguageModelChatInformation: models.event,
      // VS Code asks when it comes up: that is no reason to open the window earlier.
      provideLanguageModelChatInformation: async (options, token) =>
        (window ?? (await opened)).models.provideLanguageModelChatInformation(options, token),
      provideLanguageModelChatResponse: (...given) => open().models.provideLanguageModelChatResponse(...given),
      provideTokenCount: (model, text) => open().models.provideTokenCount(model, text),
    }),
  );
  return { version: 1, runAgent: (options) => open().api.runAgent(options) };
}

function loadWindow(context: vscode.ExtensionContext): typeof windowModule {
  const file = context.asAbsolutePath(join("dist", "window.js"));
  return requireCached(file, require, join(context.globalStorageUri.fsPath, "code")) as typeof windowModule;
}

/** The names of what package.json contributes of a kind: VS Code has read it already. */
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

/** @throws Error when package.json contributes what the window does not have */
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
