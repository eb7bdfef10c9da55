import * as vscode from "vscode";
import { LINK_COMMAND } from "../../names/contributed.js";

/** Opens a session in the chat to continue it. */
export async function openSession(session: string): Promise<void> {
  await vscode.commands.executeCommand(LINK_COMMAND.openSession, session);
}
