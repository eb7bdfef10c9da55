import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { keepHeadAndTail } from "../../text/clip.js";
import { findExternal, FROM_OUTSIDE, LIST_TIMEOUT } from "./externalNames.js";

/** Maximum characters shown of a description and of a schema. */
const MAX_DESCRIPTION = 10_000;
const MAX_SCHEMA = 30_000;

export const mcpInfo = defineTool({
  name: "mcp_info",
  group: "tools",
  title: "Describe a tool of an MCP server",
  description:
    "Show the description and JSON input schema of a tool of an MCP server or another extension, before calling it with mcp_exec.",
  input: () =>
    z.object({
      server: z.string().describe("The server's name, from mcp_list_tools."),
      tool: z.string().describe("The tool's name."),
    }),
  aliases: { tool_name: "tool", name: "tool" },
  output: () =>
    z.object({
      server: z.string(),
      tool: z.string(),
      description: z.string(),
      input_schema: z.unknown().describe("JSON Schema of its input; null for none."),
    }),
  needs: ["externalTools", "tools"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["server", "tool"],
  touches: () => [],
  summary: ({ server, tool }) => `Describe ${tool} of ${server}`,
  timeout: LIST_TIMEOUT,
  expose: "optional",
  execute: async ({ server, tool }, context) => {
    const { description, inputSchema } = await findExternal("mcp_info", { server, tool }, context);
    const schema =
      inputSchema === undefined
        ? "It takes no input."
        : `Input:\n${keepHeadAndTail(JSON.stringify(inputSchema, undefined, 2), MAX_SCHEMA)}`;
    const said = description.trim() === "" ? "(No description.)" : keepHeadAndTail(description.trim(), MAX_DESCRIPTION);
    return {
      text: [FROM_OUTSIDE, `${tool} of ${server}`, said, schema].join("\n"),
      data: { server, tool, description, input_schema: inputSchema ?? null },
    };
  },
});
