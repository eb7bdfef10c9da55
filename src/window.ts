import * as vscode from "vscode";
import { trustsAll } from "./hosts/vscode/userSettings.js";
import { l10n } from "./views/shared/l10n.js";
import { openApiEngine } from "./compose/openApiTools.js";
import { openCustomTools } from "./compose/window/customTools.js";
import type { Window } from "./compose/window/activate.js";
import { openDoors } from "./compose/window/doors.js";
import { openFiles } from "./compose/window/files.js";
import { openMessages } from "./compose/window/messages.js";
import { openWebSearch } from "./compose/window/webSearch.js";
import { openModels } from "./compose/window/models.js";
import { serveOutside } from "./compose/window/outside.js";
import { pipelineMachine, stateMachine } from "./compose/window/machine.js";
import { openPipeline } from "./compose/window/pipeline.js";
import { runProcesses } from "./compose/window/processes.js";
import { openState } from "./compose/window/state.js";
import { openSandboxes } from "./compose/window/sandboxes.js";
import type { SandboxUses } from "./compose/sandboxUses.js";
import type { Place } from "./compose/sandboxPlace.js";
import { switched } from "./core/switched.js";
import { Registry } from "./core/registry.js";
import { createApi } from "./doors/api/api.js";
import type { StandIn } from "./doors/chat/standInModel.js";
import { tools } from "./tools/index.js";

/**
 * Opens a window: connects VS Code and the local machine to the tools. A separate bundle, which `extension.ts` loads when
 * needed.
 */
export function openWindow(context: vscode.ExtensionContext, standIn: StandIn): Window {
  l10n.use(vscode.l10n.t);
  const log = vscode.window.createOutputChannel("Toolhost", { log: true });
  const registry = new Registry(tools);
  const files = openFiles(context);
  const state = openState(files, stateMachine(files), log);
  const { states, activity, close } = state.state;
  void states.recoverLeft();
  const running = runProcesses(files, state, log);
  const models = openModels(context, standIn, log);
  const messages = openMessages(context.secrets);
  const search = openWebSearch(context.secrets);
  const chosen: { uses?: SandboxUses } = {};
  const place = (): Place | undefined => chosen.uses?.current;
  const parts = { registry, files, state, running, log, place, messages: messages.messages, search: search.chosen };
  const pipeline = openPipeline({ ...parts, machine: pipelineMachine(parts), models: models.models });
  const sandboxes = openSandboxes({ ...parts, pipeline });
  chosen.uses = sandboxes.uses;
  const doors = openDoors({
    ...{ ...parts, context, models, pipeline },
    where: `a window of VS Code (process ${process.pid})`,
    state: { ...state, changes: switched(state.changes, () => place()?.changes) },
  });
  const custom = openCustomTools(parts, pipeline, context);
  const outside = serveOutside({ ...parts, pipeline, custom, shipped: tools });
  context.subscriptions.push(
    log,
    models,
    messages,
    running,
    state.problems,
    { dispose: () => void close() },
    pipeline,
    doors,
    custom,
    outside,
    sandboxes,
  );
  return {
    ...doors,
    commands: {
      ...doors.commands,
      ...pipeline.commands,
      ...models.commands,
      ...messages.commands,
      ...search.commands,
      ...custom.commands,
      ...outside.commands,
    },
    models: models.provider,
    api: createApi({
      ...pipeline,
      registry,
      openApi: () => openApiEngine({ trustsAll }),
      useSandbox: (client, options) => sandboxes.uses.use(client, options),
      models: models.models,
      asModel: (model) => models.models.asModel(model),
    }),
    close: async () => {
      await sandboxes.uses.close();
      await running.closeAll();
      await activity.close();
    },
  };
}
