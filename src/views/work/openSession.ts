import * as vscode from "vscode";
import { LINK_COMMAND } from "../../names/contributed.js";

/** Goes on with a session in the chat. */
export async function openSession(session: string): Promise<void> {
  await vscode.commands.executeCommand(LINK_COMMAND.openSession, session);
}
