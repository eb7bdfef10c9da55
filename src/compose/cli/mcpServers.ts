import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { ToolError } from "../../core/errors.js";
import type { Approvals, ConfiguredServer, ServerFilesHost } from "../../features/mcp/configuredServers.js";
import type { ChangedTool, McpServers } from "../../features/mcp/mcpServers.js";
import { SERVER_FILES } from "../../features/mcp/serverFiles.js";
import type { Spawner } from "../../features/processes/spawner.js";
import { isSecretSetting, isSecretVariable } from "../../hosts/node/environment.js";
import { SECRET_VARIABLE } from "../../hosts/node/secrets/hostSecrets.js";
import type {
  ExternalCaller,
  ExternalChange,
  ExternalListing,
  ExternalResult,
  ExternalTool,
  ExternalTools,
} from "../../ports/externalTools.js";
import { listed, messageOf } from "../../text/words.js";
import { loadMcpClient } from "../loadMcpClient.js";
import type { CliFolder } from "./workspace.js";

/** The variable with the seconds that a server may take to start: a package manager may have to fetch it first. */
const START_VARIABLE = "TOOLHOST_MCP_START_TIMEOUT";
const DEFAULT_START = 60;
const MAX_START = 90;

/** Returns the user's own file of servers. */
export function usersServersFile(): string {
  const given = process.env["XDG_CONFIG_HOME"];
  const folder = given !== undefined && isAbsolute(given) ? given : join(homedir(), ".config");
  return join(folder, "toolhost", "mcp.json");
}

/** What reading a folder's servers needs. */
export function serverFilesHost({ files, state }: Pick<CliFolder, "files" | "state">): ServerFilesHost {
  return {
    files,
    approvals: (): Promise<Approvals> => state.states.toolFiles(),
    users: () => {
      const path = usersServersFile();
      try {
        return { path, text: readFileSync(path, "utf8") };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") {
          return undefined;
        }
        throw new ToolError("io_error", `${path} cannot be read: ${messageOf(error)}`);
      }
    },
    isSecret: isSecretVariable,
  };
}

/** The MCP servers of a command line's folder. The client is loaded, and a server started, when it is needed. */
export class CliMcpServers implements ExternalTools {
  readonly #folder: Pick<CliFolder, "files" | "state"> & { spawner: Spawner };
  #servers: Promise<McpServers> | undefined;

  constructor(folder: Pick<CliFolder, "files" | "state"> & { spawner: Spawner }) {
    this.#folder = folder;
  }

  get none(): ExternalTools["none"] {
    return {
      message: "no MCP server is configured here.",
      hint: `The user can add some in ${listed([...SERVER_FILES, usersServersFile()])}, and approve them: toolhost mcp approve.`,
    };
  }

  async list(signal: AbortSignal, server?: string): Promise<ExternalListing> {
    return (await this.#open()).list(signal, server);
  }

  async changeOf(server: string, tool: string, signal: AbortSignal): Promise<ExternalChange | undefined> {
    return (await this.#open()).changeOf(server, tool, signal);
  }

  async call(tool: ExternalTool, args: object, caller: ExternalCaller, signal: AbortSignal): Promise<ExternalResult> {
    return (await this.#open()).call(tool, args, caller, signal);
  }

  /** Returns the tools that were called before, and have another definition now. */
  async changes(signal: AbortSignal, server?: string): ReturnType<McpServers["changes"]> {
    return (await this.#open()).changes(signal, server);
  }

  /** Keeps a tool's definition, which the user was shown. */
  async accept(tool: ChangedTool): Promise<void> {
    return (await this.#open()).accept(tool);
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    await (await this.#servers)?.close();
  }

  #open(): Promise<McpServers> {
    return (this.#servers ??= this.#load());
  }

  async #load(): Promise<McpServers> {
    const { McpServers, readConfiguredServers } = await loadMcpClient();
    const host = serverFilesHost(this.#folder);
    return new McpServers({
      configured: () => readConfiguredServers(host),
      approvals: host.approvals,
      connect: (server) => this.#connect(server),
    });
  }

  async #connect(server: ConfiguredServer): ReturnType<ConstructorParameters<typeof McpServers>[0]["connect"]> {
    const { connectServer, resolveServer } = await loadMcpClient();
    const { files, state, spawner } = this.#folder;
    const folder = files.roots()[0]?.path ?? process.cwd();
    const resolved = resolveServer(server, {
      ...{ workspaceFolder: folder, userHome: homedir(), env: (name) => process.env[name] },
      input: (id) => {
        const value = process.env[inputVariable(id)];
        state.addSecret(inputVariable(id), value ?? "");
        return value;
      },
      inputAdvice: (id) => `Set the variable ${inputVariable(id)}.`,
    });
    for (const [name, value] of Object.entries(resolved.kind === "http" ? resolved.headers : resolved.env)) {
      if (resolved.kind === "http" && isCredential(name)) {
        credentialsIn(value).forEach((each) => state.addSecret(name, each));
      } else if (resolved.kind === "http" || isSecretSetting(name, value)) {
        state.addSetting(name, value);
      }
    }
    return connectServer(resolved, { spawner, folder, version: __TOOLHOST_VERSION__, startTimeout: startTimeout() });
  }
}

/** Whether a header holds what a request proves with who sends it. */
function isCredential(header: string): boolean {
  return /authorization$/i.test(header) || isSecretVariable(header.replaceAll("-", "_"));
}

/** Returns what is secret of a header's value: of a name and a password in base64 (RFC 7617), the password, too. */
function credentialsIn(value: string): string[] {
  const [, scheme = "", credential = value] = /^(Bearer|Basic|Token) +(.*)$/i.exec(value) ?? [];
  const pair = scheme.toLowerCase() === "basic" ? Buffer.from(credential, "base64").toString() : "";
  return [credential, pair.slice(pair.indexOf(":") + 1)];
}

function inputVariable(id: string): string {
  return SECRET_VARIABLE + id.replaceAll(/\W/g, "_");
}

/** @throws ToolError `invalid_input` if the variable is not such a number */
function startTimeout(): number {
  const given = process.env[START_VARIABLE]?.trim() ?? "";
  const seconds = given === "" ? DEFAULT_START : Number(given);
  if (!(seconds >= 1 && seconds <= MAX_START)) {
    throw new ToolError("invalid_input", `${START_VARIABLE} must be a number of seconds from 1 to ${MAX_START}.`);
  }
  return 1_000 * seconds;
}
