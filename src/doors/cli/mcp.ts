import { Option, type Command } from "commander";
import type { Tool } from "../../core/contract.js";
import type { PlacedRule } from "../../ports/rules.js";
import { isUsual } from "../shared/usualTools.js";
import { ALLOW_ALL, ALLOW_FORMS, readAllowedRules } from "./allow.js";
import { readChosenTools } from "./chosenTools.js";
import { addServersCommands, type McpServersRequest } from "./mcpServers.js";
import { collect } from "./collect.js";

/** What `toolhost mcp` serves, and what its client may do. */
export interface McpRequest {
  planOnly: boolean;
  /** Whether the user chose a tool; undefined for the usual ones. */
  isWanted: ((tool: Tool) => boolean) | undefined;
  rules: readonly PlacedRule[];
  /** Whether calls are decided on in mode bypass. */
  allowAll: boolean;
  /** Whether results are sent as data, too. */
  sendsData: boolean;
  /** Whether the client is told not to ask about calls itself. */
  asksAlone: boolean;
  /** Whether the client's user is asked about calls by forms where there is no window. */
  asksByForms: boolean;
  /** The only window whose tools are served. */
  window: string | undefined;
}

/** What the command needs from the command line. */
interface McpDoor {
  /** All tools that ship. */
  tools: readonly Tool[];
  /** The folder's own tools, which a rule may name, too. */
  ownTools(): Promise<readonly Tool[]>;
  /** Serves one client on standard input and output. Returns the exit code. */
  run(request: McpRequest): Promise<number>;
  /** Shows or approves the servers of others. Returns the exit code. */
  servers(request: McpServersRequest): Promise<number>;
  /** Creates an error about wrong usage. */
  usage(message: string): Error;
  finish(exitCode: number): void;
}

/** Tells the client not to ask about calls itself. */
const ASKS_ALONE = "--asks-alone";
/** Serves the tools of this window, and never of another one or without it. */
const WINDOW = "--window <id>";
/** The value of `--tools` for the tools that do not ship with Toolhost. */
const OWN = "own";
/** The value of `--tools` for those that are served without it. */
const USUAL = "usual";

interface Given {
  plan?: boolean;
  allow?: string[];
  allowAll?: boolean;
  tools?: string[];
  data?: boolean;
  asksAlone?: boolean;
  forms: boolean;
  window?: string;
}

/** Adds `toolhost mcp`: the tools for an agent of another system, as an MCP server. */
export function addMcpCommand(program: Command, door: McpDoor): void {
  const mcp = program
    .command("mcp")
    .description("serve the tools in this folder to another agent, as an MCP server on standard input and output")
    .option("--plan", "look around, without changing anything")
    .option("--allow <rule>", `allow instead of refusing: ${ALLOW_FORMS} (repeatable)`, collect)
    .option("--allow-all", ALLOW_ALL)
    .option(
      "--tools <names>",
      "serve these tools instead of the usual ones: names, groups or all (repeatable); usual,code: the usual ones and a group; own: only those of the user and other extensions",
      collect,
    )
    .option("--data", "send results as structuredContent, too: for programs, since many agents then drop the text")
    .option("--no-forms", "refuse what needs permission without a window, instead of asking by a form of the agent")
    // For VS Code's own agents, which a window gives this server: the window asks, so nothing may be allowed in advance.
    .addOption(new Option(ASKS_ALONE).hideHelp().conflicts(["allow", "allowAll"]))
    .addOption(new Option(WINDOW).hideHelp())
    .addHelpText(
      "after",
      "\nAn agent starts it; docs/mcp.md has the configuration of each. It ends when its input is closed, and with SIGINT or SIGTERM." +
        "\nCalls that need permission are asked about in the window that has the folder open, else by a form if the agent shows" +
        "\nforms, else refused, unless --allow covers them or --allow-all is given (docs/permissions.md).",
    )
    .action(async ({ plan, allow, allowAll, tools, data, asksAlone, forms, window }: Given) => {
      const all = { ...door, tools: allow === undefined ? door.tools : [...door.tools, ...(await door.ownTools())] };
      const request = {
        planOnly: plan === true,
        isWanted: tools === undefined ? undefined : wantedTools(tools, door),
        rules: readAllowedRules(allow, all),
        allowAll: allowAll === true,
        sendsData: data === true,
        asksAlone: asksAlone === true,
        asksByForms: forms,
        window,
      };
      door.finish(await door.run(request));
    });
  addServersCommands(mcp, async (request) => door.finish(await door.servers(request)));
}

/** Reads the values of `--tools`. @throws the error of `door.usage` for a name that no tool has */
function wantedTools(values: readonly string[], door: McpDoor): (tool: Tool) => boolean {
  const words = values.flatMap((value) => value.split(",")).map((word) => word.trim());
  if (words.join() === OWN) {
    return () => false;
  }
  const named = words.filter((word) => word !== USUAL);
  const isNamed = readChosenTools(named, door);
  return words.includes(USUAL) ? (tool): boolean => isUsual(tool) || isNamed(tool) : isNamed;
}
