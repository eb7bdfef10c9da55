import type { Tool } from "../../core/contract.js";
import type { Outcome } from "../../core/outcome.js";
import type { ServerStart } from "../../features/connect/clients.js";
import type { AgentRequest } from "./agent.js";
import type { ConnectDoor, ConnectRequest } from "./connect.js";
import type { Explainer, ExplainOptions } from "./explain.js";
import type { ManifestRequest } from "./manifest.js";
import type { McpRequest } from "./mcp.js";
import type { McpServersRequest } from "./mcpServers.js";
import type { ToolsRequest } from "./tools.js";
import type { UndoRequest } from "./undo.js";
import type { WorkRequest } from "./work.js";

/** Where to work, from the options before the command. */
export interface CliTarget {
  /** The workspace folder. Default: the current folder. */
  workspace?: string;
  /** More folders that tools may work in. */
  root?: string[];
  /** The address of the folder to work in, if it is not on this machine: `ssh://host/folder`. */
  sandbox?: string;
  /** The workspace's other folders, if it is that of a window with several. */
  others?: string[];
  /** Seconds that a tool without a limit of its own may take. */
  toolTimeout?: number;
}

/** What the command line needs from its host. */
export interface CliHost {
  /** This command line, as another program starts it. */
  self: Omit<ServerStart, "flags">;
  version: string;
  tools: readonly Tool[];
  /** Opens the workspace and runs a tool in it. Throws an Error if the folder does not exist. */
  invoke(target: CliTarget, tool: string, input: unknown, readsData: boolean): Promise<Outcome>;
  /** Opens the workspace and undoes changes or lists them. Throws as `invoke` does. */
  undo(target: CliTarget, request: UndoRequest): Promise<Outcome>;
  /** Opens the workspace to explain permission for calls in it. Throws as `invoke` does; creates nothing. */
  explainer(target: CliTarget, options: ExplainOptions): Promise<Explainer>;
  /** Opens the workspace and reads the user's own tools in it that can be called. Throws as `invoke` does. */
  approvedTools(target: CliTarget): Promise<readonly Tool[]>;
  agent: {
    /** The tools an agent can be given. */
    tools: readonly Tool[];
    /** Opens the workspace and reads the user's own tools in it. Throws as `invoke` does. */
    ownTools(target: CliTarget): Promise<readonly Tool[]>;
    /** Opens the workspace, runs and shows an agent's turn, and returns the exit code. Throws as `invoke` does. */
    run(target: CliTarget, request: AgentRequest): Promise<number>;
  };
  /** Opens the workspace, and shows, checks or approves its own tools. Returns the exit code. Throws as `invoke` does. */
  customTools(target: CliTarget, request: ToolsRequest): Promise<number>;
  /** Opens the workspace, does its work until stopped, and returns the exit code. Throws as `invoke` does. */
  work(target: CliTarget, request: WorkRequest): Promise<number>;
  /** Opens the workspace, serves its tools until the client goes, and returns the exit code. Throws as `invoke` does. */
  mcp(target: CliTarget, request: McpRequest): Promise<number>;
  /** Opens the workspace, and compares it with a manifest or applies that. Throws as `invoke` does. */
  manifest(target: CliTarget, request: ManifestRequest): Promise<Outcome>;
  connect: {
    /** Shows a change of another agent's configuration, asks, makes it, and returns the exit code. */
    run(target: CliTarget, request: ConnectRequest): Promise<number>;
    /** Returns the text of an entry alone. */
    entryText: ConnectDoor["entryText"];
  };
  /** Opens the workspace, and shows or approves its MCP servers. Returns the exit code. Throws as `invoke` does. */
  mcpServers(target: CliTarget, request: McpServersRequest): Promise<number>;
  /** Whether standard input is a file or another program. */
  isPiped(): boolean;
  readStdin(): Promise<string>;
  /** Reads standard input as a text of which nothing may be lost. Throws an Error if it is not UTF-8. */
  readText(): Promise<string>;
  readFile(path: string): Promise<string>;
  out(text: string): void;
  err(text: string): void;
}
