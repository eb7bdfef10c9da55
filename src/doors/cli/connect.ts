import { Argument, type Command } from "commander";
import { quoted } from "./allow.js";

/** How an agent is told of the server. */
interface Client {
  /** For people. */
  title: string;
  /** Where its configuration is. */
  file: string;
  /** Returns what to add there. */
  entry(command: string, args: readonly string[]): string;
  /** Returns a command that does the same, if the agent has one. */
  command?(command: string, args: readonly string[]): string;
}

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const words = (list: readonly string[]): string => list.map(quoted).join(" ");

/** The agents that were seen to call tools with these entries (docs/mcp.md). */
const CLIENTS: Readonly<Record<string, Client>> = {
  claude: {
    title: "Claude Code",
    file: ".mcp.json in the folder",
    entry: (command, args) => json({ mcpServers: { toolhost: { command, args } } }),
    command: (command, args) => `claude mcp add toolhost -- ${words([command, ...args])}`,
  },
  codex: {
    title: "Codex CLI",
    file: "~/.codex/config.toml",
    entry: (command, args) =>
      // Strings of JSON are strings of TOML.
      `[mcp_servers.toolhost]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`,
  },
  copilot: {
    title: "Copilot CLI",
    file: "~/.copilot/mcp-config.json",
    entry: (command, args) => json({ mcpServers: { toolhost: { type: "local", command, args, tools: ["*"] } } }),
  },
  gemini: {
    title: "Gemini CLI",
    file: "~/.gemini/settings.json",
    entry: (command, args) => json({ mcpServers: { toolhost: { command, args } } }),
  },
  opencode: {
    title: "opencode",
    file: "~/.config/opencode/opencode.json",
    entry: (command, args) =>
      json({ mcp: { toolhost: { type: "local", command: [command, ...args], enabled: true } } }),
  },
};

/** What the command needs from the command line. */
interface ConnectDoor {
  /** This command line, as another program starts it. */
  self: { command: string; script: string };
  out: (text: string) => void;
}

/** Adds `toolhost connect`: the configuration with which an agent of another system starts `toolhost mcp`. */
export function addConnectCommand(program: Command, { self, out }: ConnectDoor): void {
  program
    .command("connect")
    .description("print the configuration with which another agent starts toolhost mcp; changes nothing")
    .addArgument(new Argument("<client>", "the agent").choices(Object.keys(CLIENTS)))
    .argument("[flags...]", "flags of toolhost mcp, behind --: -- --allow exec")
    .option("--print", "print only the entry")
    .action((name: string, flags: string[], { print }: { print?: boolean }) => {
      const client = CLIENTS[name];
      if (client === undefined) {
        return;
      }
      const args = [self.script, "mcp", ...flags];
      const entry = client.entry(self.command, args);
      if (print === true) {
        out(entry);
        return;
      }
      const short = client.command?.(self.command, args);
      out(
        [
          `${client.title}: add this to ${client.file}:`,
          "",
          entry,
          ...(short === undefined ? [] : ["", "Or run:", "", short]),
          "",
          "It serves the folder in which the agent starts it (docs/mcp.md).",
        ].join("\n"),
      );
    });
}
