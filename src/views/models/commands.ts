import * as vscode from "vscode";
import type { ServerSetting } from "../../ports/modelServers.js";
import { plain } from "../../text/plainText.js";
import type { Commands } from "../shared/commandTable.js";
import { askKey, type ServerCommandsHost } from "./serverKey.js";
import { messageOf } from "../../text/words.js";
import { SERVER_COMMAND } from "../../names/contributed.js";

/** Returns the palette commands for model servers. */
export function serverCommands(host: ServerCommandsHost): Commands {
  const shown = (run: () => Promise<void>) => async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      void vscode.window.showErrorMessage(plain(messageOf(error)));
    }
  };
  return {
    [SERVER_COMMAND.add]: shown(async () => new (await import("./addServer.js")).AddServer(host).run()),
    [SERVER_COMMAND.setKey]: shown(() => setKey(host)),
    [SERVER_COMMAND.remove]: shown(() => remove(host)),
  };
}

async function setKey(host: ServerCommandsHost): Promise<void> {
  const server = await pickServer(host, vscode.l10n.t("Set or remove the key of which server?"));
  if (server === undefined) {
    return;
  }
  const hadKey = await host.hasKey(server);
  const key = await askKey(
    server,
    hadKey
      ? vscode.l10n.t("Leave it empty to remove the current key.")
      : vscode.l10n.t("Kept in VS Code's secret storage and sent only to this server."),
  );
  if (key === undefined) {
    return;
  }
  await host.setKey(server, key === "" ? undefined : key);
  void vscode.window.showInformationMessage(
    key === ""
      ? vscode.l10n.t("The key of {0} was removed.", plain(server.name))
      : vscode.l10n.t("The key of {0} is set.", plain(server.name)),
  );
}

async function remove(host: ServerCommandsHost): Promise<void> {
  const server = await pickServer(host, vscode.l10n.t("Remove which server and its key?"));
  if (server === undefined) {
    return;
  }
  await host.setKey(server, undefined);
  await host.remove(server.name);
  await host.removed(server);
  void vscode.window.showInformationMessage(`${plain(server.name)} and its key were removed.`);
}

async function pickServer({ servers }: ServerCommandsHost, placeHolder: string): Promise<ServerSetting | undefined> {
  const { servers: known, problems } = servers.servers();
  if (known.length === 0) {
    void vscode.window.showInformationMessage(
      plain(problems[0] ?? vscode.l10n.t("There is no model server yet. Add one with “Toolhost: Add Model Server…”.")),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    known.map((server) => ({ label: server.name, description: server.baseUrl, server })),
    { placeHolder },
  );
  return picked?.server;
}
