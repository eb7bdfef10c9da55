import * as vscode from "vscode";
import { SETTING } from "../../names/settings.js";
import { realModels, useModel } from "../../doors/chat/chooseModel.js";
import type { StandIn } from "../../doors/chat/standInModel.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { serverCommands } from "../../views/models/commands.js";
import { KnownModels } from "../../views/models/knownModels.js";
import { ServersProvider } from "../../views/models/provider.js";
import type { ServerCommandsHost } from "../../views/models/serverKey.js";
import { OpenAiServers } from "../../hosts/openai/servers.js";
import { VscodeModels } from "../../hosts/vscode/models/allModels.js";
import {
  agentModelSetting,
  removeServer,
  saveServer,
  ServerKeys,
  serversSetting,
} from "../../hosts/vscode/models/modelServers.js";
import { SERVERS_VENDOR, STAND_IN_ID, STAND_IN_VENDOR } from "../../names/contributed.js";
import { USER_AGENT } from "../userAgent.js";

/** The models of a window. */
export interface WindowModels extends vscode.Disposable {
  models: VscodeModels;
  /** The models of the user's servers, for VS Code. */
  provider: ServersProvider;
  commands: Commands;
  /** Keeps a model in VS Code's list because a chat uses it. */
  keep: (model: Pick<vscode.LanguageModelChat, "vendor" | "id">) => void;
}

/** Opens VS Code's models and those of the user's servers. @param standIn the model offered if there is no other */
export function openModels(
  context: vscode.ExtensionContext,
  standIn: StandIn,
  log: vscode.LogOutputChannel,
): WindowModels {
  const keys = new ServerKeys(context.secrets);
  const servers = new OpenAiServers({
    vendor: SERVERS_VENDOR,
    setting: serversSetting,
    keyOf: (server) => keys.get(server),
    userAgent: USER_AGENT,
    now: Date.now,
    later: (work, milliseconds) => {
      const timer = setTimeout(work, milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
  });
  const models = new VscodeModels({
    ...{ servers, serversVendor: SERVERS_VENDOR, leaveOut: [STAND_IN_VENDOR], chosen: agentModelSetting },
  });
  const known = new KnownModels(context.globalState);
  const provider = new ServersProvider({ servers, known, onNotice: (message) => log.warn(message) });
  const opened = vscode.Disposable.from(
    servers,
    provider,
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration(SETTING.modelServers) && servers.forget(),
    ),
    context.secrets.onDidChange(() => servers.forget()),
  );
  return {
    ...{ models, provider, commands: serverCommands(commandsHost(servers, keys, known, standIn)) },
    keep: ({ vendor, id }) => {
      if (vendor === STAND_IN_VENDOR) {
        standIn.keep();
      } else if (vendor === SERVERS_VENDOR) {
        const [server = "", ...model] = id.split("/");
        known.use(server, model.join("/"));
      }
    },
    dispose: () => void opened.dispose(),
  };
}

/** Returns the functions with which the server commands change the models. */
function commandsHost(
  servers: OpenAiServers,
  keys: ServerKeys,
  known: KnownModels,
  standIn: StandIn,
): ServerCommandsHost {
  return {
    servers,
    save: saveServer,
    choose: async ({ name }, model) => {
      const isOther = ({ vendor, id }: vscode.LanguageModelChat): boolean =>
        vendor !== SERVERS_VENDOR || !id.startsWith(`${name}/`);
      const others = (await realModels()).filter(isOther);
      known.use(name, model);
      return useModel({ vendor: SERVERS_VENDOR, id: `${name}/${model}` }, others.length === 0);
    },
    removed: async ({ name }) => {
      const wasUsed = known.isUsed(name);
      known.forget(name);
      servers.forget();
      if (wasUsed) {
        // Do not choose a model for the user: the stand-in's answer offers the available ones.
        standIn.keep();
        await useModel({ vendor: STAND_IN_VENDOR, id: STAND_IN_ID }, false);
      }
    },
    remove: removeServer,
    hasKey: async (server) => (await keys.get(server)) !== undefined,
    setKey: (server, key) => keys.set(server, key),
  };
}
