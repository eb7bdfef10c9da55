import * as vscode from "vscode";
import { OPEN_SESSION_COMMAND } from "../../doors/chat/naming.js";

/** Goes on with a session in the chat. */
export async function openSession(session: string): Promise<void> {
  await vscode.commands.executeCommand(OPEN_SESSION_COMMAND, session);
}
