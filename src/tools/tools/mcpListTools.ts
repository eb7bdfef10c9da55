import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { externalLine, FROM_OUTSIDE, LIST_TIMEOUT, missingNotes, ofServer } from "./externalNames.js";
import { count } from "../../text/words.js";

/** Maximum number of tools per answer; others can be found by searching. */
const MAX_LISTED = 200;

export const mcpListTools = defineTool({
  name: "mcp_list_tools",
  group: "tools",
  title: "List tools of MCP servers",
  description:
    "List the tools of MCP servers and other VS Code extensions, with their descriptions. Use mcp_search to find a tool for a purpose, mcp_info to see " +
    "a tool's input schema, and mcp_exec to call it.",
  input: () => z.object({ server: z.string().optional().describe("Only this server's tools. Default: all.") }),
  output: () =>
    z.object({
      tools: z.array(z.object({ server: z.string(), tool: z.string(), description: z.string() })),
      total: z.int(),
      omitted: z.int(),
    }),
  needs: ["externalTools"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["server"],
  touches: () => [],
  summary: ({ server }) => `List the tools of ${server ?? "MCP servers"}`,
  expose: "optional",
  timeout: LIST_TIMEOUT,
  execute: async ({ server }, { externalTools, signal }) => {
    const listing = await externalTools.list(signal, server);
    const found = server === undefined ? listing.tools : ofServer("mcp_list_tools", server, listing, externalTools);
    const notes = missingNotes("mcp_list_tools", listing, externalTools);
    const shown = [...found]
      .sort((a, b) => (a.server < b.server ? -1 : a.server > b.server ? 1 : 0))
      .slice(0, MAX_LISTED);
    const omitted = found.length - shown.length;
    return {
      text: [
        FROM_OUTSIDE,
        ...shown.map(externalLine),
        ...notes,
        `[${count(found.length, "tool")}${omitted > 0 ? `, ${omitted} of them not shown: name a server, or use mcp_search` : ""}. mcp_info shows a tool's input.]`,
      ].join("\n"),
      data: {
        tools: shown.map((each) => ({ server: each.server, tool: each.tool, description: each.description })),
        total: found.length,
        omitted,
      },
    };
  },
});
