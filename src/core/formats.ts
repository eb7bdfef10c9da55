import type { ChatCompletionTool } from "openai/resources/chat/completions";
import type { Annotations, Tool } from "./contract.js";
import type { JsonSchema } from "./jsonSchema.js";
import { wireSchema } from "./wireSchema.js";

/** A tool as Anthropic's Messages API expects it. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema;
}

/** A tool as MCP lists it (spec 2025-11-25, "Tool"). */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** Toolhost's own description of a tool. */
export interface DescribedTool {
  name: string;
  group: string;
  description: string;
  inputSchema: JsonSchema;
  /** JSON Schema of its data. */
  outputSchema?: object;
  annotations: Annotations;
}

export const FORMATS = ["anthropic", "openai", "mcp"] as const;
export type Format = (typeof FORMATS)[number];

function toAnthropicTool(tool: Tool): AnthropicTool {
  return { name: tool.name, description: tool.description, input_schema: wireSchema(tool.inputSchema) };
}

function toOpenAITool(tool: Tool): ChatCompletionTool {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: wireSchema(tool.inputSchema) },
  };
}

/** Returns a tool as MCP lists it. */
export function toMcpTool(tool: Tool): McpTool {
  const { readOnly, destructive, idempotent, openWorld } = tool.annotations;
  const outputSchema = mcpDataSchema(tool);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: wireSchema(tool.inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: {
      title: tool.title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

export function toDescribedTool(tool: Tool): DescribedTool {
  const { name, group, description, inputSchema, outputSchema, annotations } = tool;
  return { name, group, description, inputSchema, ...(outputSchema && { outputSchema }), annotations };
}

/**
 * Returns the schema of a tool's data, if it is one that MCP can state: of an object. Schemas that others wrote are not
 * passed on: clients compile every schema of a list, and one that cannot be compiled would cost them the whole list.
 */
function mcpDataSchema({ outputSchema, external }: Tool): JsonSchema | undefined {
  return outputSchema?.["type"] === "object" && external === undefined ? (outputSchema as JsonSchema) : undefined;
}

/** Returns tools in the shape of one model API. */
export function schemas(tools: readonly Tool[], format: Format): (AnthropicTool | ChatCompletionTool | McpTool)[] {
  const convert = { anthropic: toAnthropicTool, openai: toOpenAITool, mcp: toMcpTool }[format];
  return tools.map((tool) => convert(tool));
}
