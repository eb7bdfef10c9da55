import { Argument, Option, type Command } from "commander";
import { CLIENTS, type AgentClient, type ServerStart } from "../../features/connect/clients.js";

/** A request to change an agent's configuration. */
export interface ConnectRequest {
  client: AgentClient;
  /** What the entry starts; undefined to remove the entry. */
  start: ServerStart | undefined;
  /** Whether the user said yes in advance. */
  yes: boolean;
}

/** What the command needs from the command line. */
export interface ConnectDoor {
  /** This command line, as another program starts it. */
  self: Omit<ServerStart, "flags">;
  /** Shows the change, asks, and makes it. */
  run: (request: ConnectRequest) => Promise<void>;
  /** Returns the text of an entry alone. */
  entryText: (client: AgentClient, start: ServerStart) => Promise<string>;
  out: (text: string) => void;
}

interface Given {
  print?: boolean;
  remove?: boolean;
  yes?: boolean;
}

/** Adds `toolhost connect`: writes the entry with which an agent of another system starts `toolhost mcp`. */
export function addConnectCommand(program: Command, { self, run, entryText, out }: ConnectDoor): void {
  program
    .command("connect")
    .description("show, and after a yes write, the configuration with which another agent starts toolhost mcp")
    .addArgument(new Argument("<client>", "the agent").choices(CLIENTS.map(({ id }) => id)))
    .argument("[flags...]", "flags of toolhost mcp, behind --: -- --allow exec")
    .addOption(new Option("--print", "print the entry; write nothing").conflicts(["remove", "yes"]))
    .option("--remove", "take the entry away")
    .option("--yes", "write without a question")
    .addHelpText(
      "after",
      `\nThe agents and their files:\n${CLIENTS.map(({ id, title, where }) => `  ${id.padEnd(9)} ${title}: ${where}`).join("\n")}`,
    )
    .action(async (id: string, flags: string[], { print, remove, yes }: Given) => {
      const client = CLIENTS.find((each) => each.id === id);
      if (client === undefined) {
        return;
      }
      const start = { ...self, flags };
      if (print === true) {
        out(await entryText(client, start));
        return;
      }
      await run({ client, start: remove === true ? undefined : start, yes: yes === true });
    });
}
