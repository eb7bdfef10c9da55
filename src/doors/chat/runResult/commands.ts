import * as vscode from "vscode";
import { isRecord } from "../../../core/jsonSchema.js";
import { ToolError } from "../../../core/errors.js";
import { LINK_COMMAND } from "../../../names/contributed.js";
import type { Results } from "../../../ports/results.js";
import type { Commands } from "../../../views/shared/commandTable.js";

/** A result that is kept for its editor, or the output of a command in the store, which outlives the window. */
export type OpenOutputArgument = { uri: string } | { stored: string; tool: string; title: string };

/** Maximum characters of a stored output in an editor: more makes VS Code's window slow. */
const MAX_SHOWN = 20_000_000;

export interface RunResultCommandsHost {
  /** The stored outputs, with secrets masked: agents see the editor in front. */
  stored: Pick<Results, "chunks">;
  results: {
    open(uri: vscode.Uri): Promise<void>;
    show(tool: string, about: string, text: string, data: unknown): Promise<void>;
  };
  /** Brings the terminal of a process to the front; returns false if it is closed or shows a later command. */
  showTerminal(process: string): boolean;
}

/** The commands behind the buttons below a result in the chat. */
export function runResultCommands(host: RunResultCommandsHost): Commands {
  return {
    [LINK_COMMAND.openOutput]: (argument) => openOutput(host, argument),
    [LINK_COMMAND.showTerminal]: (process) => {
      if (typeof process === "string" && !host.showTerminal(process)) {
        void vscode.window.showInformationMessage("The terminal of this command is closed, or shows a later command.");
      }
    },
  };
}

async function openOutput(host: RunResultCommandsHost, argument: unknown): Promise<void> {
  if (!isRecord(argument)) {
    return;
  }
  const { uri, stored, tool, title } = argument;
  if (typeof uri === "string") {
    await host.results.open(vscode.Uri.parse(uri));
  } else if (typeof stored === "string") {
    const text = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: "Toolhost: opening the output" },
      () => readStored(host, stored),
    );
    await host.results.show(String(tool), String(title), text, undefined);
  }
}

async function readStored({ stored }: RunResultCommandsHost, id: string): Promise<string> {
  const parts: string[] = [];
  let size = 0;
  try {
    for await (const chunk of stored.chunks(id, new AbortController().signal)) {
      parts.push(chunk);
      size += chunk.length;
      if (size > MAX_SHOWN) {
        parts.push("\n[The rest of this output is too long for an editor.]");
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    parts.push("This output is no longer kept. Run the command again.");
  }
  return parts.join("");
}
