import * as vscode from "vscode";
import { CLIENTS, type AgentClient } from "../../features/connect/clients.js";
import { ToolError } from "../../core/errors.js";
import { CONNECT_AGENT } from "../../names/contributed.js";
import type { Confirm } from "../../ports/confirm.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";
import type { Commands } from "../shared/commandTable.js";

/** A change of an agent's configuration that can be looked at before it is made. */
interface Change {
  path: string;
  /** Empty if nothing changes. */
  diff: string;
  write: () => Promise<void>;
}

/** A folder, by its name in the window and its real path. */
interface Folder {
  name: string;
  path: string;
}

export interface ConnectHost {
  confirm: Confirm;
  /** Returns the window's folders on this machine's disk. */
  folders(): readonly Folder[];
  /**
   * Works out the change.
   *
   * @param folder where the agent works; undefined if its configuration is elsewhere
   * @param isOn false to take the entry away
   */
  plan(client: AgentClient, folder: string | undefined, isOn: boolean): Promise<Change>;
}

const TITLE = vscode.l10n.t("Toolhost: Connect an Outside Agent");
const REMOVE = vscode.l10n.t("Remove the Entry…");

/** Writes the entry with which an agent of another system starts `toolhost mcp`, once its user has seen it and said yes. */
export function connectCommands(host: ConnectHost): Commands {
  return {
    [CONNECT_AGENT.command]: async () => {
      const picked = await vscode.window.showQuickPick(
        CLIENTS.map((client) => ({ label: client.title, description: client.where, client })),
        { title: TITLE, placeHolder: vscode.l10n.t("Which agent is to have Toolhost's tools?") },
      );
      if (picked === undefined) {
        return;
      }
      try {
        const place = await placeOf(picked.client, host.folders());
        if (place !== undefined) {
          await change(host, { client: picked.client, ...place }, true);
        }
      } catch (error) {
        void vscode.window.showErrorMessage(plain(messageOf(error)));
      }
    },
  };
}

/** Returns where an agent works, as far as its configuration depends on that; undefined if the user does not choose. */
async function placeOf(
  { title, where }: AgentClient,
  folders: readonly Folder[],
): Promise<{ folder?: string } | undefined> {
  const [folder, another] = folders;
  if (where.startsWith("~")) {
    return {};
  }
  if (folder === undefined) {
    throw new ToolError(
      "unavailable",
      `The configuration of ${title} is in the folder that it works in, and this window has none on this machine. Open that folder, or use toolhost connect there.`,
    );
  }
  if (another === undefined) {
    return { folder: folder.path };
  }
  const placeHolder = vscode.l10n.t("In which folder does {0} work?", title);
  const items = folders.map(({ name, path }) => ({ label: name, description: path, path }));
  const chosen = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder });
  return chosen === undefined ? undefined : { folder: chosen.path };
}

async function change(
  host: ConnectHost,
  agent: { client: AgentClient; folder?: string },
  isOn: boolean,
): Promise<void> {
  const { client, folder } = agent;
  const { path, diff, write } = await host.plan(client, folder, isOn);
  if (diff === "") {
    const pressed = await vscode.window.showInformationMessage(plain(`${path} has this entry already.`), REMOVE);
    if (pressed === REMOVE) {
      await change(host, agent, false);
    }
    return;
  }
  const question = {
    tool: "connect",
    title: isOn
      ? vscode.l10n.t("Write this into {0}?", path)
      : vscode.l10n.t("Take Toolhost's entry out of {0}?", path),
    reasons: isOn
      ? [`${client.title} then starts Toolhost's tools. What they must ask about is asked in the window of its folder.`]
      : [],
    detail: { language: "diff", text: diff },
    derived: [],
    accept: isOn ? vscode.l10n.t("Write") : vscode.l10n.t("Remove"),
  };
  if ((await host.confirm.ask(question, new AbortController().signal)) === "no") {
    return;
  }
  await write();
  void vscode.window.showInformationMessage(
    plain(`${path} is ${isOn ? "written" : "changed"}. ${client.title} reads it when it restarts.`),
  );
}
