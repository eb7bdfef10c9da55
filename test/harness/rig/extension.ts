// The rig: a test extension next to the product, in the same extension host.
import * as vscode from "vscode";
import { join } from "node:path";
import { SCRIPTED_MODEL } from "./protocol";
import { ScriptedModel } from "./scripted-model";
import { listen } from "./socket";
import { registerRigTools, runs } from "./tools";

/** What tests reach: as `rig` in `run`, and as the extension's exports inside the host. */
export interface RigApi {
  model: ScriptedModel;
  /** How often each of the rig's tools ran in this extension host. */
  runs: typeof runs;
}

export function activate(context: vscode.ExtensionContext): RigApi {
  const model = new ScriptedModel();
  const api: RigApi = { model, runs };
  context.subscriptions.push(registerRigTools());
  if (process.env.TOOLHOST_RIG_NO_MODEL === undefined) {
    context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider(SCRIPTED_MODEL.vendor, model));
  }
  const folder = process.env.TOOLHOST_RIG_SOCKETS;
  if (folder !== undefined) {
    const server = listen(join(folder, `${process.pid}.sock`), vscode, api);
    context.subscriptions.push(new vscode.Disposable(() => server.close()), showProcess());
  }
  return api;
}

/** Tells the test which extension host serves this window: several windows share a server, and a reload changes it. */
function showProcess(): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("rig", vscode.StatusBarAlignment.Right, -1e9);
  item.name = "Test rig";
  // Narrow, so that screenshots show what users see.
  item.text = "·";
  item.accessibilityInformation = { label: `rig ${process.pid}` };
  item.show();
  return item;
}
