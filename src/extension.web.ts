import * as vscode from "vscode";
import { activateWith, type Activated, type Window } from "./compose/window/activate.js";
import { openDoors } from "./compose/window/doors.js";
import { openModels } from "./compose/window/models.js";
import { openPipeline } from "./compose/window/pipeline.js";
import { openState } from "./compose/window/state.js";
import { absentCommands, nothingRuns } from "./compose/web/absent.js";
import { webMachine } from "./compose/web/machine.js";
import { ToolError } from "./core/errors.js";
import { Registry } from "./core/registry.js";
import { createApi } from "./doors/api/api.js";
import type { ToolhostApi } from "./doors/api/types.js";
import type { StandIn } from "./doors/chat/standInModel.js";
import { IN_BROWSER } from "./names/contributed.js";
import { tools } from "./tools/index.js";
import { messageOf } from "./text/words.js";
import { l10n } from "./views/shared/l10n.js";

let activated: Activated | undefined;

/** Saves what is not saved yet. */
export async function deactivate(): Promise<void> {
  await activated?.close();
}

/** Activates the extension in a browser, where there is no disk and no program: the tools of files, context and memory. */
export function activate(context: vscode.ExtensionContext): ToolhostApi {
  void vscode.commands.executeCommand("setContext", IN_BROWSER, true);
  activated = activateWith(context, () => (standIn) => openWindow(context, standIn));
  return activated.api;
}

function openWindow(context: vscode.ExtensionContext, standIn: StandIn): Window {
  l10n.use(vscode.l10n.t);
  const log = vscode.window.createOutputChannel("Toolhost", { log: true });
  const registry = new Registry(tools);
  const machine = webMachine(context);
  const { files } = machine;
  const state = openState(files, machine.state, log);
  const { states } = state.state;
  void states.recoverLeft();
  // What became of a change is saved as soon as it is recorded: the tab may be closed at any moment.
  const saves = state.onDidChangeFiles(
    () => void machine.saved().catch((error: unknown) => log.warn(messageOf(error))),
  );
  const models = openModels(context, standIn, log);
  const parts = { registry, files, state, log, place: () => undefined };
  const pipeline = openPipeline({ ...parts, models: models.models, machine: machine.pipeline });
  const doors = openDoors({ ...parts, context, models, pipeline, running: nothingRuns, where: "a tab of a browser" });
  context.subscriptions.push(saves, log, models, state.problems, pipeline, doors);
  const commands = { ...doors.commands, ...pipeline.commands, ...models.commands };
  const absent = (what: string) => (): never => {
    throw new ToolError("unavailable", `${what} in a browser.`, "Use VS Code on a computer.");
  };
  return {
    ...doors,
    commands: { ...absentCommands(context.extension), ...commands },
    models: models.provider,
    api: createApi({
      ...pipeline,
      registry,
      openApi: absent("OpenAPI descriptions cannot be used"),
      useSandbox: absent("There are no sandboxes"),
      models: models.models,
      asModel: (model) => models.models.asModel(model),
    }),
    close: () => state.state.close(),
  };
}
