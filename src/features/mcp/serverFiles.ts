/** The files of a workspace folder that define servers, for VS Code and for other agents. */
export const SERVER_FILES = [".vscode/mcp.json", ".mcp.json"] as const;
