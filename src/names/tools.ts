/** Names of language model tools are global in VS Code, so ours carry this prefix there. */
const PREFIX = "toolhost_";

/** The tool with which a model finds and calls the tools that are not in its list. */
export const FIND_TOOL = "find_tool";

/** The tool with which a model asks the user. */
export const ASK_USER = "ask_user";

/** Returns a tool's name in `vscode.lm.tools`, which is also what a user types after #. */
export function lmName(tool: { name: string }): string {
  return PREFIX + tool.name;
}

/** Returns the tool's own name for a name in `vscode.lm.tools`; undefined if the tool is not ours. */
export function toolName(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

/** VS Code's prefix for tools of the MCP server that a window offers (observed in 1.139). */
const OFFERED_PREFIX = "mcp_toolhost_";

/** Returns the tool's own name for a name in `vscode.lm.tools`, if that is a tool of our MCP server. */
export function offeredName(name: string): string | undefined {
  return name.startsWith(OFFERED_PREFIX) ? name.slice(OFFERED_PREFIX.length) : undefined;
}

/** Strips the prefix: models that know our tools through VS Code use prefixed names. */
export function bareName(name: string): string {
  return toolName(name) ?? name;
}
