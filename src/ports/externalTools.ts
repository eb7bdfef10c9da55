import type { ModelMedia } from "./models.js";

/** A tool that is not ours: of an MCP server, of another extension, or of the editor itself. */
export interface ExternalTool {
  /** Who has it: an MCP server's name, an extension's id, or `vscode`. */
  server: string;
  /** Its name there. With `server` it is unique. */
  tool: string;
  /** What its maker says of it: text from outside. */
  description: string;
  /** JSON Schema of its input, where it has one. */
  inputSchema: object | undefined;
  isMcp: boolean;
}

/** What an external tool gave: data from outside. */
export interface ExternalResult {
  text: string;
  media: readonly ModelMedia[];
}

/** The call that another tool is called for. */
export interface ExternalCaller {
  session: string;
  callId: string;
  /** The call or turn that made it. */
  parentId: string | undefined;
}

/** The tools of others that the editor knows. */
export interface ExternalTools {
  list(): readonly ExternalTool[];
  /**
   * Calls one. The editor may ask the user first.
   *
   * @param caller the call that it is made for
   * @throws ToolError `denied` when the user said no, `cancelled`; every other error is the tool's own
   */
  call(tool: ExternalTool, args: object, caller: ExternalCaller, signal: AbortSignal): Promise<ExternalResult>;
}
