import * as vscode from "vscode";
import { CLIENTS, type AgentClient } from "../../features/connect/clients.js";
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

export interface ConnectHost {
  confirm: Confirm;
  /** Works out the change. @param isOn false to take the entry away */
  plan(client: AgentClient, isOn: boolean): Promise<Change>;
}

const REMOVE = "Remove the Entry…";

/** Writes the entry with which an agent of another system starts `toolhost mcp`, once its user has seen it and said yes. */
export function connectCommands(host: ConnectHost): Commands {
  return {
    [CONNECT_AGENT.command]: async () => {
      const picked = await vscode.window.showQuickPick(
        CLIENTS.map((client) => ({ label: client.title, description: client.where, client })),
        { title: "Toolhost: Connect an Outside Agent", placeHolder: "Which agent is to have Toolhost's tools?" },
      );
      if (picked === undefined) {
        return;
      }
      try {
        await change(host, picked.client, true);
      } catch (error) {
        void vscode.window.showErrorMessage(plain(messageOf(error)));
      }
    },
  };
}

async function change(host: ConnectHost, client: AgentClient, isOn: boolean): Promise<void> {
  const { path, diff, write } = await host.plan(client, isOn);
  if (diff === "") {
    const pressed = await vscode.window.showInformationMessage(plain(`${path} has this entry already.`), REMOVE);
    if (pressed === REMOVE) {
      await change(host, client, false);
    }
    return;
  }
  const question = {
    tool: "connect",
    title: isOn ? `Write this into ${path}?` : `Take Toolhost's entry out of ${path}?`,
    reasons: isOn
      ? [`${client.title} then starts Toolhost's tools. What they must ask about is asked in the window of its folder.`]
      : [],
    detail: { language: "diff", text: diff },
    derived: [],
    accept: isOn ? "Write" : "Remove",
  };
  if ((await host.confirm.ask(question, new AbortController().signal)) === "no") {
    return;
  }
  await write();
  void vscode.window.showInformationMessage(
    plain(`${path} is ${isOn ? "written" : "changed"}. ${client.title} reads it when it restarts.`),
  );
}
