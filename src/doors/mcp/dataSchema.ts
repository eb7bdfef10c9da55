import * as z from "zod";
import type { Tool } from "../../core/contract.js";
import type { JsonSchema } from "../../core/jsonSchema.js";

/** Returns the schema of a tool's data, if it is one that MCP can state: of an object. */
export function dataSchema({ output }: Tool): JsonSchema | undefined {
  if (output === undefined) {
    return undefined;
  }
  const schema = z.toJSONSchema(output, { unrepresentable: "any" });
  return schema.type === "object" ? (schema as unknown as JsonSchema) : undefined;
}
