import * as z from "zod";

/** A JSON Schema with an object at its root, as every model API expects for a tool's parameters. */
export interface JsonSchema {
  type: "object";
  properties: Record<string, JsonSchemaProperty>;
  required?: string[];
  [keyword: string]: unknown;
}

export interface JsonSchemaProperty {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: JsonSchemaProperty;
  [keyword: string]: unknown;
}

/**
 * Returns the JSON Schema of what a caller may send (input side: a field with a default is optional).
 *
 * `additionalProperties` is left open although the pipeline is strict: Copilot validates with this schema before it
 * calls, and a closed one would reject the aliases that the pipeline understands.
 */
export function inputJsonSchema(input: z.ZodObject): JsonSchema {
  const schema = z.toJSONSchema(input, { io: "input", target: "draft-7" });
  const { $schema: _dialect, additionalProperties: _closed, ...rest } = schema as JsonSchema & { $schema?: string };
  return normalise({ ...rest, type: "object", properties: rest.properties ?? {} });
}

/** Returns the JSON Schema (2020-12) of a result's data. */
export function outputJsonSchema(output: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(output, { unrepresentable: "any" });
  return schema;
}

/** Makes a schema safe for every model API: an object with `properties` at the root, `items` in every array. */
export function normalise(schema: Record<string, unknown>): JsonSchema {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return tidy({ ...schema, type: "object", properties }) as JsonSchema;
}

function tidy(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(tidy);
  }
  if (!isRecord(node)) {
    return node;
  }
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    // Zod adds the bounds of safe integers to every integer: noise for a model.
    if ((key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) {
      continue;
    }
    result[key] = tidy(value);
  }
  if ([result["type"]].flat().includes("array") && result["items"] === undefined) {
    result["items"] = {};
  }
  return result;
}

/** Whether a value is an object with fields, neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
