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

/** Makes a schema safe for every model API: an object with `properties` at the root, `items` in every array. */
export function normalise(schema: Record<string, unknown>): JsonSchema {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return tidy({ ...schema, type: "object", properties }) as JsonSchema;
}

/**
 * Keywords that model APIs reject at the root of a tool's parameters (OpenAI, "function calling", and most servers that
 * follow it).
 */
const REFUSED_AT_ROOT = [
  "$schema",
  "$id",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "enum",
  "const",
  "dependentSchemas",
  "$ref",
];

/**
 * Returns any tool's schema in a form that every model API accepts: an object with `properties` at the root and no
 * alternatives there. Keeps all fields and requirements of `allOf`; for `anyOf` and `oneOf` it keeps all fields, and
 * the requirements that all alternatives share. The result allows more than the schema did: whoever runs the tool still
 * validates with the original.
 */
export function parametersSchema(schema: object): JsonSchema {
  const root = schema as Record<string, unknown>;
  const { properties, required } = fieldsOf(root, root, 0);
  const kept = Object.fromEntries(
    Object.entries(root).filter(([key]) => !REFUSED_AT_ROOT.includes(key) && key !== "required"),
  );
  return normalise({ ...kept, properties, ...(required.length > 0 ? { required } : {}) });
}

interface Fields {
  properties: Record<string, unknown>;
  required: string[];
}

/** Deeper than anyone nests schemas; a self-reference ends here. */
const MAX_DEPTH = 8;

/** Returns a schema's fields, including those of its parts. */
function fieldsOf(node: unknown, root: Record<string, unknown>, depth: number): Fields {
  if (!isRecord(node) || depth > MAX_DEPTH) {
    return { properties: {}, required: [] };
  }
  const branches = (keyword: string): Fields[] =>
    (Array.isArray(node[keyword]) ? node[keyword] : []).map((branch) => fieldsOf(branch, root, depth + 1));
  const alternatives = ["anyOf", "oneOf"].map(branches).filter((list) => list.length > 0);
  const always = [
    ...branches("allOf"),
    ...(typeof node["$ref"] === "string" ? [fieldsOf(referenced(node["$ref"], root), root, depth + 1)] : []),
  ];
  const own = isRecord(node["properties"]) ? node["properties"] : {};
  const names = Array.isArray(node["required"])
    ? node["required"].filter((name): name is string => typeof name === "string")
    : [];
  const shared = alternatives.flatMap(([first, ...others]) =>
    (first?.required ?? []).filter((name) => others.every(({ required }) => required.includes(name))),
  );
  return {
    // The definition nearest the root describes a field best.
    properties: Object.assign(
      {},
      ...[...alternatives.flat(), ...always].map(({ properties }) => properties),
      own,
    ) as Record<string, unknown>,
    required: [...new Set([...names, ...always.flatMap(({ required }) => required), ...shared])],
  };
}

/** Returns the part of the schema that `#/$defs/…` points to. */
function referenced(pointer: string, root: Record<string, unknown>): unknown {
  const steps = pointer.startsWith("#/") ? pointer.slice(2).split("/") : [""];
  return steps.reduce<unknown>(
    (node, step) => (isRecord(node) ? node[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
    root,
  );
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
