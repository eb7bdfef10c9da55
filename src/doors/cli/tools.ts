import type { Command } from "commander";
import { addAddCommand, type AddDoor, type AddRequest } from "./addTool.js";

/** A request to `toolhost tools`, except for a call. */
export type ToolsRequest =
  | { kind: "list"; json: boolean }
  | { kind: "describe"; tool: string | undefined }
  /** @param commands the names of Toolhost's own commands */
  | { kind: "validate"; file: string | undefined; commands: readonly string[] }
  | { kind: "approve"; yes: boolean }
  | AddRequest;

/** What the command needs from the command line. */
export interface ToolsDoor extends Omit<AddDoor, "run"> {
  /** Opens the workspace and does what the request says. */
  run(request: ToolsRequest): Promise<void>;
  /** Calls a tool. @param input as `run` takes it: JSON, `-` or `@file` */
  call(tool: string, input: string, json: boolean): Promise<void>;
}

/** Adds `toolhost tools`: the user's own tools, from .toolhost/tools.json. */
export function addToolsCommand(program: Command, door: ToolsDoor): void {
  const tools = program
    .command("tools")
    .description("your own tools, from .toolhost/tools.json (docs/custom-tools.md)");
  tools
    .command("list")
    .description("list your tools, whether each may run, and what is wrong with their files")
    .option("--json", "print a line of JSON for each file")
    .action(({ json }: { json?: boolean }) => door.run({ kind: "list", json: json === true }));
  tools
    .command("describe [tool]")
    .description("print your tools and their schemas as JSON")
    .action((tool: string | undefined) => door.run({ kind: "describe", tool }));
  tools
    .command("validate [file]")
    .description("check the tools of a file (default: .toolhost/tools.json): a line with PASS, FAIL or WARN for each")
    .addHelpText("after", "\nExit code 0: all are usable; 1: at least one is not.")
    .action((file: string | undefined) =>
      door.run({ kind: "validate", file, commands: [...program.commands.map((command) => command.name()), "help"] }),
    );
  tools
    .command("approve")
    .description("show what is new in the files of tools, and approve exactly that text")
    .option("--yes", "approve without a question")
    .action(({ yes }: { yes?: boolean }) => door.run({ kind: "approve", yes: yes === true }));
  addAddCommand(tools, door);
  tools
    .command("call <tool>")
    .description("call one of your tools, once you have approved its file")
    .option("--input <json>", "the input; - reads it from standard input, @file from a file", "{}")
    .option("--json", "print {ok, text, data, error} as one line of JSON")
    .action((tool: string, { input, json }: { input: string; json?: boolean }) =>
      door.call(tool, input, json === true),
    );
}
