import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { rankTexts } from "../../features/knowledge/rankTexts.js";
import { externalLine, FROM_OUTSIDE, LIST_TIMEOUT, missingNotes } from "./externalNames.js";
import { count } from "../../text/words.js";

/** Maximum number of tools per answer. */
const MAX_FOUND = 20;

export const mcpSearch = defineTool({
  name: "mcp_search",
  group: "tools",
  title: "Search tools of MCP servers",
  description: `Find tools of MCP servers and other extensions by words in their names, descriptions and inputs. Returns the ${MAX_FOUND} best matches, best first. mcp_info shows a tool's input.`,
  input: () => z.object({ query: z.string().min(1).describe("What the tool should do, in a few words.") }),
  aliases: { q: "query", text: "query" },
  output: () =>
    z.object({
      tools: z.array(
        z.object({
          server: z.string(),
          tool: z.string(),
          description: z.string(),
          score: z.number().describe("Higher is better; comparable within one answer."),
        }),
      ),
      searched: z.int(),
    }),
  needs: ["externalTools"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["query"],
  touches: () => [],
  summary: ({ query }) => `Search tools for ${query}`,
  expose: "optional",
  timeout: LIST_TIMEOUT,
  execute: async ({ query }, { externalTools, signal }) => {
    const listing = await externalTools.list(signal);
    const all = listing.tools;
    const notes = missingNotes("mcp_search", listing, externalTools);
    const ranked = rankTexts(
      query,
      // The name says most, so it counts three times.
      all.map(
        ({ server, tool, description, inputSchema }) =>
          `${tool} ${tool} ${tool} ${server} ${description} ${fieldsOf(inputSchema)}`,
      ),
    );
    const more = ranked.length - MAX_FOUND;
    const found = ranked.slice(0, MAX_FOUND).flatMap(({ index, score }) => {
      const tool = all[index];
      return tool === undefined ? [] : [{ tool, score }];
    });
    const data = {
      tools: found.map(({ tool: { server, tool, description }, score }) => ({
        server,
        tool,
        description,
        score: Math.round(score * 1_000) / 1_000,
      })),
      searched: all.length,
    };
    if (found.length === 0) {
      const none = `[None of ${count(all.length, "tool")} has any of these words. mcp_list_tools lists them all.]`;
      return { text: [none, ...notes].join("\n"), data };
    }
    return {
      text: [
        FROM_OUTSIDE,
        ...found.map(({ tool }) => externalLine(tool)),
        ...notes,
        `[${found.length} of ${count(all.length, "tool")}${more > 0 ? `; ${more} more have some of these words: add words to narrow the search` : ""}. mcp_info shows a tool's input.]`,
      ].join("\n"),
      data,
    };
  },
});

/** Returns the names of an input's fields. */
function fieldsOf(schema: object | undefined): string {
  const properties = schema !== undefined && "properties" in schema ? schema.properties : undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties).join(" ") : "";
}
