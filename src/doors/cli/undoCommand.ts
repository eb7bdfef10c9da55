import { Option, type Command } from "commander";
import { collect } from "./collect.js";
import type { UndoRequest } from "./undo.js";
import { UsageError } from "./usageError.js";

interface UndoOptions {
  id?: number;
  list?: boolean;
  file?: string[];
  json?: boolean;
  with?: string[];
}

/** Adds `toolhost undo`. */
export function addUndoCommand(
  program: Command,
  run: (request: UndoRequest, options: { others: string[] | undefined; json: boolean }) => Promise<void>,
): void {
  program
    .command("undo")
    .description("undo changes that Toolhost's tools made in this folder, on the command line or in VS Code")
    .addOption(
      new Option(
        "--last",
        "the last turn (default): all changes from one request or one command; over MCP, from all calls without a pause of a minute between them",
      ).conflicts(["id", "list"]),
    )
    .addOption(
      new Option("--id <n>", "one call, by its number in the list; an undo is a call, too")
        .conflicts("list")
        .argParser(callId),
    )
    .option("--list", "list the latest turns with their calls, newest first")
    .option(
      "--with <dir>",
      "another folder of a window with several, for the changes made there (repeatable); --list says which there are",
      collect,
    )
    .addOption(
      new Option("--file <path...>", "only the changes to these files, and to all files below these folders").conflicts(
        "list",
      ),
    )
    .option("--json", "print {ok, text, data, error} as one line of JSON")
    .action(async ({ id, list, file, json = false, with: others }: UndoOptions) => {
      const files = file === undefined ? {} : { files: file };
      const request: UndoRequest =
        list === true
          ? { kind: "list" }
          : id === undefined
            ? { kind: "last", ...files }
            : { kind: "call", id, ...files };
      await run(request, { others, json });
    });
}

function callId(word: string): number {
  if (!/^\d{1,15}$/.test(word)) {
    throw new UsageError(`--id ${word} is not a call's number. See: toolhost undo --list`);
  }
  return Number(word);
}
