import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { keepHeadAndTail } from "../../text/clip.js";
import { findExternal, FROM_OUTSIDE } from "./externalNames.js";

/** Characters of a description and of a schema in the answer. */
const MAX_DESCRIPTION = 10_000;
const MAX_SCHEMA = 30_000;

export const mcpInfo = defineTool({
  name: "mcp_info",
  group: "tools",
  title: "Describe a tool of an MCP server",
  description:
    "Tell what a tool of an MCP server or another extension says of itself, and the JSON Schema of its input, before mcp_exec calls it.",
  input: z.object({
    server: z.string().describe("The server, as mcp_list_tools names it."),
    tool: z.string().describe("The tool's name there."),
  }),
  aliases: { tool_name: "tool", name: "tool" },
  output: z.object({
    server: z.string(),
    tool: z.string(),
    description: z.string(),
    input_schema: z.unknown().describe("Its JSON Schema; null for none."),
  }),
  needs: ["externalTools", "tools"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["server", "tool"],
  touches: () => [],
  summary: ({ server, tool }) => `Look at ${tool} of ${server}`,
  expose: "optional",
  execute: async ({ server, tool }, { externalTools, tools }) => {
    const { description, inputSchema } = findExternal("mcp_info", server, tool, externalTools.list(), tools);
    const schema =
      inputSchema === undefined
        ? "It takes no input."
        : `Input:\n${keepHeadAndTail(JSON.stringify(inputSchema, undefined, 2), MAX_SCHEMA)}`;
    const said =
      description.trim() === "" ? "(It says nothing of itself.)" : keepHeadAndTail(description.trim(), MAX_DESCRIPTION);
    return {
      text: [FROM_OUTSIDE, `${tool} of ${server}`, said, schema].join("\n"),
      data: { server, tool, description, input_schema: inputSchema ?? null },
    };
  },
});
