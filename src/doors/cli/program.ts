import { CommanderError, Option, type Command } from "commander";
import type { Tool } from "../../core/contract.js";
import { Cancelled } from "../../core/errors.js";
import { FORMATS, schemas, toDescribedTool, type Format } from "../../core/formats.js";
import { withNotes, type Outcome } from "../../core/outcome.js";
import { otherSystems } from "../../core/pipeline/unknownTool.js";
import { absentTools } from "./absentTools.js";
import { addAgentCommand } from "./agent.js";
import { collect } from "./collect.js";
import { addConnectCommand } from "./connect.js";
import { EXIT, EXIT_CODES, exitCodeOf } from "./exitCode.js";
import { addExplainCommand } from "./explain.js";
import type { CliHost } from "./host.js";
import { checkInput, parseInputJson, parseJson, readInput, readOption, withTexts } from "./inputText.js";
import { addManifestCommand } from "./manifest.js";
import { addMcpCommand } from "./mcp.js";
import { outcomeJson, outcomeText } from "./render.js";
import { optionTerm, SwitchCommand } from "./switches.js";
import { addToolCommands } from "./toolCommands.js";
import { addToolsCommand } from "./tools.js";
import { addUndoCommand } from "./undoCommand.js";
import { UsageError } from "./usageError.js";
import { addWorkCommand } from "./work.js";
import { messageOf } from "../../text/words.js";

/** Highest value of `--tool-timeout`, in seconds: a day. */
const MAX_TIMEOUT = 86_400;

/** How commander's message about a command that it does not know begins. */
const UNKNOWN_COMMAND = "error: unknown command ";

/**
 * Runs a command line and returns the exit code: 0 done, 1 the tool failed, 2 the command line is wrong, or the exit
 * code of the command that ran.
 *
 * @param words the arguments, without node and the script
 */
export async function runCli(host: CliHost, words: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  const finish = (code: number): void => {
    exitCode = code;
  };
  let program = createProgram(host, finish);
  try {
    if (asksForHelp(words)) {
      const own = await helpedTool(host, program, words);
      program = createProgram(own === undefined ? host : { ...host, tools: [...host.tools, own] }, finish);
    }
    try {
      await program.parseAsync([...words], { from: "user" });
    } catch (error) {
      const own = isUnknownCommand(error) ? await ownTool(host, program, program.args[0]) : undefined;
      if (own === undefined) {
        throw error;
      }
      program = createProgram({ ...host, tools: [...host.tools, own] }, finish);
      await program.parseAsync([...words], { from: "user" });
    }
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (isUnknownCommand(error)) {
        tellUnknown(host, program, error);
        const hint = hintFor(host, program.args[0] ?? "");
        if (hint !== undefined) {
          host.err(hint);
        }
      }
      // Commander has already printed it; help and version are not mistakes.
      return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    }
    if (error instanceof Cancelled) {
      return EXIT.cancelled;
    }
    host.err(`toolhost: ${messageOf(error)}`);
    return EXIT.usage;
  }
}

/** Returns what replaces a tool that has no command, or another system's. */
function hintFor({ tools, agent }: CliHost, name: string): string | undefined {
  return otherSystems(name, tools, { absent: absentTools(agent.tools, tools) });
}

function isUnknownCommand(error: unknown): error is CommanderError {
  return error instanceof CommanderError && error.code === "commander.unknownCommand";
}

function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => word === "--help" || word === "-h" || word === "help");
}

/** Returns the user's own tool whose help a command line asks for. */
async function helpedTool(host: CliHost, program: Command, words: readonly string[]): Promise<Tool | undefined> {
  const { operands } = program.parseOptions([...words]);
  const name = operands[0] === "help" ? operands[1] : operands[0];
  const isKnown = name === undefined || program.commands.some((command) => command.name() === name);
  return isKnown ? undefined : ownTool(host, program, name);
}

/** Returns the user's own tool with a name, as one in no group: its command is its name. */
async function ownTool({ agent }: CliHost, program: Command, name: string | undefined): Promise<Tool | undefined> {
  const own = await agent.ownTools(program.opts()).catch(() => []);
  const tool = own.find((each) => each.name === name);
  return tool && { ...tool, group: "" };
}

/** Says that there is no such command. */
function tellUnknown(host: CliHost, program: Command, { message }: CommanderError): void {
  // What replaces another system's tool is reported below; a name that looks like it would mislead.
  const isOthers = hintFor(host, program.args[0] ?? "") !== undefined;
  host.err(isOthers ? message.replace(/\n\(Did you .*/, "") : message);
}

function createProgram(host: CliHost, finish: (code: number) => void): Command {
  const program = new SwitchCommand("toolhost")
    .description("Toolhost's tools on the command line.")
    .version(host.version)
    .option("--workspace <dir>", "folder to work in (default: the current folder)")
    .option(
      "--sandbox <address>",
      "folder to work in on another machine, in a container or in the local sandbox: ssh://host/folder, docker://container/folder, local:///folder, local for this folder",
    )
    .option("--root <dir>", "another folder that tools may work in (repeatable)", collect)
    .option(
      "--tool-timeout <seconds>",
      "time limit of each call of a tool that has none of its own (default: 30)",
      timeoutSeconds,
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out(text.replace(/\n$/, "")),
      writeErr: (text) => host.err(text.replace(/\n$/, "")),
      // It may be one of the user's own tools; otherwise the error follows once that is known.
      outputError: (text, write) => (text.startsWith(UNKNOWN_COMMAND) ? undefined : write(text)),
    })
    .configureHelp({ optionTerm })
    .showSuggestionAfterError()
    .addHelpText("afterAll", `\n${EXIT_CODES}`)
    // Options after the command belong to the command.
    .enablePositionalOptions();
  const print = (outcome: Outcome, json: boolean): void => {
    if (json) {
      host.out(outcomeJson(outcome));
      return;
    }
    const { out, err } = outcomeText(outcome);
    if (out !== "") {
      host.out(out);
    }
    if (err !== "") {
      host.err(err);
    }
  };

  program
    .command("run <tool>")
    .description("run a tool with its input as JSON")
    .option("--input <json>", "the input; - reads it from standard input, @file from a file", "{}")
    .option("--json", "print {ok, text, data, error} as one line of JSON")
    .action(async (tool: string, options: { input: string; json?: boolean }) => {
      const { value, notes } = parseInputJson(await readInput(host, options.input));
      const outcome = withNotes(await host.invoke(program.opts(), tool, value, options.json === true), notes);
      print(outcome, options.json === true);
      finish(exitCodeOf(outcome));
    });

  program
    .command("describe")
    .description("print the tools and their schemas as JSON, with your own that you have approved")
    .addOption(new Option("--format <format>", "print the tools in the form of one model API").choices([...FORMATS]))
    .action(async ({ format }: { format?: Format }) => {
      const all = [...host.tools, ...(await host.approvedTools(program.opts()))];
      host.out(JSON.stringify(format === undefined ? manifest(host, all) : schemas(all, format), undefined, 2));
    });

  if (host.tools.some(({ name }) => name === "capabilities_refresh")) {
    program
      .command("capabilities")
      .description("rewrite .toolhost/capabilities.md, which lists what an agent can do here, one line per theme")
      .option("--no-mcp", "without the tools of MCP servers and other extensions")
      .option("--json", "print {ok, text, data, error} as one line of JSON")
      .action(async ({ mcp, json }: { mcp: boolean; json?: boolean }) => {
        const outcome = await host.invoke(program.opts(), "capabilities_refresh", { include_mcp: mcp }, json === true);
        print(outcome, json === true);
        finish(exitCodeOf(outcome));
      });
  }

  addUndoCommand(program, async (request, { others, json }) => {
    const outcome = await host.undo({ ...program.opts(), ...(others && { others }) }, request);
    print(outcome, json);
    finish(exitCodeOf(outcome));
  });

  addExplainCommand(program, {
    open: (options) => host.explainer(program.opts(), options),
    readInput: (given) => readInput(host, given),
    readStdin: () => host.readStdin(),
    parseJson: (option, text) => parseJson(option, text),
    parseInput: (text) => {
      const { value, notes } = parseInputJson(text);
      notes.forEach((note) => host.err(`toolhost: ${note}`));
      return value;
    },
    readFile: (option, path) => readOption(option, () => host.readFile(path)),
    out: (text) => host.out(text),
    err: (text) => host.err(text),
    finish: (ok) => finish(ok ? EXIT.ok : EXIT.toolError),
  });

  addAgentCommand(program, {
    tools: host.agent.tools,
    ownTools: () => host.agent.ownTools(program.opts()),
    isPiped: () => host.isPiped(),
    readStdin: () => host.readStdin(),
    readFile: (path) => host.readFile(path),
    run: (request) => host.agent.run(program.opts(), request),
    usage: (message) => new UsageError(message),
    finish,
  });

  addWorkCommand(program, {
    tools: host.agent.tools,
    ownTools: () => host.agent.ownTools(program.opts()),
    run: (request) => host.work(program.opts(), request),
    usage: (message) => new UsageError(message),
    finish,
  });

  addToolsCommand(program, {
    run: async (request) => finish(await host.customTools(program.opts(), request)),
    readInput: async (given) => parseInputJson(await readInput(host, given)).value,
    usage: (message) => new UsageError(message),
    call: async (tool, given, json) => {
      const { value, notes } = parseInputJson(await readInput(host, given));
      const outcome = withNotes(await host.invoke(program.opts(), tool, value, json), notes);
      print(outcome, json);
      finish(exitCodeOf(outcome));
    },
  });

  addMcpCommand(program, {
    tools: host.agent.tools,
    ownTools: () => host.agent.ownTools(program.opts()),
    run: (request) => host.mcp(program.opts(), request),
    servers: (request) => host.mcpServers(program.opts(), request),
    usage: (message) => new UsageError(message),
    finish,
  });

  addManifestCommand(program, {
    tools: host.tools,
    read: (file) => (file === "-" ? host.readText() : host.readFile(file)),
    run: async (request) => host.manifest(program.opts(), request),
    usage: (message) => new UsageError(message),
    print: (outcome, json) => {
      print(outcome, json);
      finish(exitCodeOf(outcome));
    },
    finish,
  });

  addConnectCommand(program, {
    self: host.self,
    run: async (request) => finish(await host.connect.run(program.opts(), request)),
    entryText: host.connect.entryText,
    out: (text) => host.out(text),
  });

  addToolCommands(program, host.tools, async (tool, given, json) => {
    const input = await withTexts(host, tool, given);
    // Here the fields are command line words, so a wrong or missing one is wrong usage.
    const refused = checkInput(tool, input);
    const outcome = refused ?? (await host.invoke(program.opts(), tool.name, input, json));
    print(outcome, json);
    finish(refused ? EXIT.usage : exitCodeOf(outcome));
  });
  return program;
}

function timeoutSeconds(word: string): number {
  const seconds = Number(word);
  if (word.trim() === "" || !(seconds >= 1 && seconds <= MAX_TIMEOUT)) {
    throw new UsageError(`--tool-timeout ${word}: expected seconds, from 1 to ${MAX_TIMEOUT}.`);
  }
  return seconds;
}

function manifest({ version }: CliHost, all: readonly Tool[]): object {
  return { schemaVersion: "v1", name: "toolhost", version, tools: all.map(toDescribedTool) };
}
