import type { ModelMedia } from "./models.js";

/** A tool that is not part of Toolhost: one of an MCP server, another extension or the editor. */
export interface ExternalTool {
  /** The tool's provider: an MCP server's name, an extension's id, or `vscode`. */
  server: string;
  /** The provider's name for the tool, unique within `server`. */
  tool: string;
  /** Its provider's description: text from outside. */
  description: string;
  /** JSON Schema of its input, if it has one. */
  inputSchema: object | undefined;
  isMcp: boolean;
}

/** A server whose tools cannot be called now, and why. */
export interface MissingServer {
  server: string;
  /** A sentence that names the server. */
  why: string;
  /** What to do next. */
  hint?: string;
  /** Whether `why` has the words of a server that failed. */
  hasFailed?: boolean;
}

/** What is known of the tools of others. */
export interface ExternalListing {
  tools: readonly ExternalTool[];
  /** The servers whose tools are not among them. */
  missing: readonly MissingServer[];
  /** Names of further servers, which were not needed. */
  others: readonly string[];
  /** Sentences about what was left out of the tools. */
  remarks: readonly string[];
}

/** An external tool's result: data from outside. */
export interface ExternalResult {
  text: string;
  media: readonly ModelMedia[];
}

/** The call on whose behalf an external tool is called. */
export interface ExternalCaller {
  session: string;
  callId: string;
  /** The call or turn that made this call. */
  parentId: string | undefined;
  /** Whether a person makes the call. */
  byPerson: boolean;
  /** Whether a person was asked about exactly this definition of the tool, and said yes. */
  isAsked: boolean;
}

/** How a tool's definition differs from the one that was called before. */
export interface ExternalChange {
  /** A sentence. */
  reason: string;
  /** A unified diff. */
  diff: string;
}

/** The tools of other providers that the host knows. */
export interface ExternalTools {
  /** What is said where no provider has any tool, and what to do then. */
  readonly none: { message: string; hint: string };
  /** @param server the only one whose tools are needed; default: all */
  list(signal: AbortSignal, server?: string): Promise<ExternalListing>;
  /** Returns how a tool's definition differs from the one that was called before; undefined if it does not. */
  changeOf?(server: string, tool: string, signal: AbortSignal): Promise<ExternalChange | undefined>;
  /**
   * Calls one. The editor may ask the user first.
   *
   * @param caller the call on whose behalf it is made
   * @throws ToolError `denied` if the user said no, or was not asked about a definition that has changed; `stale` if it
   *   is no longer the one given; `cancelled`; every other error is the tool's own
   */
  call(tool: ExternalTool, args: object, caller: ExternalCaller, signal: AbortSignal): Promise<ExternalResult>;
}
