// Undo, as the window's own command does it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as vscode from "vscode";
import { workspaceFolder } from "../harness/host";
import { cli } from "./mcpClient";

interface ListedTurn {
  calls: { id: number; tool: string; undone: string }[];
}

/** Returns the id of the newest call that changed something, was not an undo and was not undone. */
export async function newestCall(): Promise<number> {
  const list = spawn(process.execPath, [
    "--no-warnings",
    cli,
    "--workspace",
    workspaceFolder(),
    "undo",
    "--list",
    "--json",
  ]);
  let text = "";
  list.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(list, "close");
  const {
    data: { turns },
  } = JSON.parse(text) as { data: { turns: ListedTurn[] } };
  const ids = turns.flatMap(({ calls }) =>
    calls.filter(({ tool, undone }) => tool !== "undo" && undone === "no").map(({ id }) => id),
  );
  return Math.max(...ids);
}

export function undo(call: number): Thenable<unknown> {
  return vscode.commands.executeCommand("toolhost.undoChange", { calls: [call], ask: false });
}
