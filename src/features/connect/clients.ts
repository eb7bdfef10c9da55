import { joinPath } from "../../core/paths/pathShape.js";

/** How another program starts `toolhost mcp`. */
export interface ServerStart {
  command: string;
  /** The script, then flags of `toolhost`, then `mcp` and its flags. */
  script: string;
  flags: readonly string[];
  /** Variables that the command needs. */
  env?: Readonly<Record<string, string>>;
}

/** Where agents look for their configuration. */
interface ConfigPlaces {
  folder: string;
  home: string;
  /** Returns a variable of the user's environment. */
  variable: (name: string) => string | undefined;
}

/** An agent of another system, and how to configure an MCP server for it. */
export interface AgentClient {
  id: string;
  /** For people. */
  title: string;
  /** Where its configuration usually is, for people: in the home folder (`~`), or in the folder that it works in. */
  where: string;
  form: "json" | "toml";
  /** The keys that lead to the entry. */
  keys: readonly [string, string];
  /** Returns the files where its configuration may be: the one to use is the first that exists, or else the first. */
  files: (places: ConfigPlaces) => string[];
  entry: (start: ServerStart) => Record<string, unknown>;
}

/** The name under which agents know the server. */
const NAME = "toolhost";

const args = ({ script, flags }: ServerStart): string[] => [script, "mcp", ...flags];
const environment = (env: ServerStart["env"]): object => (env === undefined ? {} : { env });
const plain = (start: ServerStart): Record<string, unknown> => ({
  command: start.command,
  args: args(start),
  ...environment(start.env),
});
const configHome = ({ home, variable }: ConfigPlaces): string =>
  variable("XDG_CONFIG_HOME") ?? joinPath(home, ".config");

/** All agents that can be connected. */
export const CLIENTS: readonly AgentClient[] = [
  {
    ...{ id: "claude", title: "Claude Code", where: ".mcp.json", form: "json", keys: ["mcpServers", NAME] },
    files: ({ folder }) => [joinPath(folder, ".mcp.json")],
    entry: plain,
  },
  {
    ...{ id: "codex", title: "Codex CLI", where: "~/.codex/config.toml", form: "toml", keys: ["mcp_servers", NAME] },
    files: ({ home, variable }) => [joinPath(variable("CODEX_HOME") ?? joinPath(home, ".codex"), "config.toml")],
    entry: plain,
  },
  {
    ...{ id: "copilot", title: "Copilot CLI", where: "~/.copilot/mcp-config.json", form: "json" },
    keys: ["mcpServers", NAME],
    files: ({ home, variable }) => [
      joinPath(variable("COPILOT_HOME") ?? joinPath(home, ".copilot"), "mcp-config.json"),
    ],
    entry: (start) => ({ type: "local", ...plain(start), tools: ["*"] }),
  },
  {
    ...{ id: "gemini", title: "Gemini CLI", where: "~/.gemini/settings.json", form: "json" },
    keys: ["mcpServers", NAME],
    files: ({ home, variable }) => [joinPath(variable("GEMINI_CLI_HOME") ?? home, ".gemini/settings.json")],
    entry: plain,
  },
  {
    ...{ id: "opencode", title: "opencode", where: "~/.config/opencode/opencode.json", form: "json" },
    keys: ["mcp", NAME],
    files: (places) =>
      ["opencode.json", "opencode.jsonc"].map((name) => joinPath(configHome(places), `opencode/${name}`)),
    entry: (start) => ({
      ...{ type: "local", command: [start.command, ...args(start)], enabled: true },
      ...(start.env === undefined ? {} : { environment: start.env }),
    }),
  },
  {
    ...{ id: "cursor", title: "Cursor", where: ".cursor/mcp.json", form: "json", keys: ["mcpServers", NAME] },
    files: ({ folder }) => [joinPath(folder, ".cursor/mcp.json")],
    // Its documentation does not say in which folder it starts a server; it puts the folder in place of the variable.
    entry: (start) => ({
      ...plain(start),
      args: [start.script, "--workspace", "${workspaceFolder}", "mcp", ...start.flags],
    }),
  },
  {
    ...{ id: "zed", title: "Zed", where: "~/.config/zed/settings.json", form: "json" },
    keys: ["context_servers", NAME],
    files: (places) => [joinPath(configHome(places), "zed/settings.json")],
    entry: (start) => ({ source: "custom", ...plain(start), env: start.env ?? {} }),
  },
];
