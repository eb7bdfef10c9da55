import * as z from "zod";

/** A JSON Schema with an object at its root, as every model API wants a tool's parameters. */
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
 * The JSON Schema of what a caller may send (input side: a field with a default is optional).
 *
 * `additionalProperties` is left open although the pipeline is strict: Copilot validates with this schema
 * before it calls, and a closed one would refuse the aliases that the pipeline understands.
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
 * Keywords that model APIs refuse at the root of a tool's parameters (OpenAI, "function calling", and most servers
 * after it).
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
 * A tool's schema as every model API takes it, whoever wrote it: an object with `properties` at the root and nothing
 * there that says "one of these". Of `allOf` all fields are kept and what it requires; of `anyOf` and `oneOf` all
 * fields, and what each of them requires. This allows more than the schema did: whoever runs the tool still checks with
 * the real one.
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

/** Deeper than anybody writes; a reference to itself ends there. */
const MAX_DEPTH = 8;

/** The fields of a schema with those of its parts. */
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
    // What stands nearest the root describes a field best.
    properties: Object.assign(
      {},
      ...[...alternatives.flat(), ...always].map(({ properties }) => properties),
      own,
    ) as Record<string, unknown>,
    required: [...new Set([...names, ...always.flatMap(({ required }) => required), ...shared])],
  };
}

/** What `#/$defs/…` points at. */
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
    // Zod writes the bounds of safe integers on every integer: noise for a model.
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
