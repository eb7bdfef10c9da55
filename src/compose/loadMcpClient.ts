import type * as McpClient from "./mcpClient.js";

/** Loads the client of MCP servers. */
export function loadMcpClient(): Promise<typeof McpClient> {
  return import("./mcpClient.js");
}
