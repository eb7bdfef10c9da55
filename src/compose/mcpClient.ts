// The client of MCP servers, as a bundle of its own, which is loaded when their tools are needed.
export { approvalKey, readConfiguredServers } from "../features/mcp/configuredServers.js";
export { McpServers } from "../features/mcp/mcpServers.js";
export { resolveServer } from "../features/mcp/resolveServer.js";
export { connectServer, PASSED_ON } from "../hosts/node/mcp/connectServer.js";
