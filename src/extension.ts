import * as vscode from "vscode";
import { openDoors } from "./compose/window/doors.js";
import { openFiles } from "./compose/window/files.js";
import { openMessages } from "./compose/window/messages.js";
import { openModels } from "./compose/window/models.js";
import { openPipeline } from "./compose/window/pipeline.js";
import { runProcesses } from "./compose/window/processes.js";
import { openState } from "./compose/window/state.js";
import { Registry } from "./core/registry.js";
import { createApi } from "./doors/api/api.js";
import type { ToolhostApi } from "./doors/api/types.js";
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
  const files = openFiles(context);
  const state = openState(files, log);
  const { states, results, close } = state.state;
  // Behind the start, which it must not make longer.
  setImmediate(() => void states.recoverLeft());
  const running = runProcesses(files.files, results);
  endProcesses = () => running.processes.closeAll();
  const models = openModels(context, log);
  const messages = openMessages(context.secrets);
  const parts = { registry, files, state, running, log, messages: messages.messages };
  const pipeline = openPipeline({ ...parts, models: models.models });
  const doors = openDoors({ ...parts, context, models, pipeline });
  context.subscriptions.push(log, models, messages, running, state.problems, { dispose: close }, pipeline, doors);
  return createApi({ ...pipeline, models: models.models, asModel: (model) => models.models.asModel(model) });
}
