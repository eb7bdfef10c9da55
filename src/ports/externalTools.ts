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
}

/** The tools of other providers that the editor knows. */
export interface ExternalTools {
  list(): readonly ExternalTool[];
  /**
   * Calls one. The editor may ask the user first.
   *
   * @param caller the call on whose behalf it is made
   * @throws ToolError `denied` if the user said no, `cancelled`; every other error is the tool's own
   */
  call(tool: ExternalTool, args: object, caller: ExternalCaller, signal: AbortSignal): Promise<ExternalResult>;
}
