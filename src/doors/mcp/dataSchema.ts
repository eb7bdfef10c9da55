import type { Tool } from "../../core/contract.js";
import type { JsonSchema } from "../../core/jsonSchema.js";

/**
 * Returns the schema of a tool's data, if it is one that MCP can state: of an object. Schemas that others wrote are not
 * passed on: clients compile every schema of a list, and one that cannot be compiled would cost them the whole list.
 */
export function dataSchema({ outputSchema, external }: Tool): JsonSchema | undefined {
  return outputSchema?.["type"] === "object" && external === undefined ? (outputSchema as JsonSchema) : undefined;
}
