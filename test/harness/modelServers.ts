// What model servers take of JSON Schema: the checks of schemas as they are sent.
import { isRecord } from "../../src/core/jsonSchema.js";
import llama from "../unit/core/llamaGrammar.json" with { type: "json" };

/** A schema or a part of one. */
export interface Part {
  at: string;
  schema: Record<string, unknown>;
  /** 1 for a whole schema. */
  level: number;
}

/** Returns a schema and all its parts. */
export function partsOf(schema: unknown, at: string, level = 1): Part[] {
  if (!isRecord(schema)) {
    return [];
  }
  const { properties, items, additionalProperties } = schema;
  return [
    { at, schema, level },
    ...(isRecord(properties) ? Object.entries(properties) : []).flatMap(([name, part]) =>
      partsOf(part, `${at}.${name}`, level + 1),
    ),
    ...partsOf(items, `${at}[]`, level + 1),
    ...partsOf(additionalProperties, `${at}.*`, level + 1),
  ];
}

const wrong = (parts: readonly Part[], isRight: (part: Part) => boolean): string[] =>
  parts.filter((part) => !isRight(part)).map(({ at, schema }) => `${at}: ${JSON.stringify(schema)}`);

/** Returns the parts of which llama.cpp may fail to make a grammar: only other kinds have been seen to compile. */
export function refusedByLlama(parts: readonly Part[]): string[] {
  const kindOf = ({ type = "any", description: _words, ...rest }: Part["schema"]): string =>
    `${String(type)}: ${Object.keys(rest).sort().join(", ")}`.trim();
  return [
    ...wrong(parts, ({ schema }) => llama.kinds.includes(kindOf(schema))),
    ...llama.runs.flatMap(({ refused }: { refused: string[] }) => refused),
  ];
}

const GEMINI = ["type", "description", "enum", "properties", "required", "items"];

/**
 * Returns the parts that Gemini refuses: `Schema` of the Gemini API (ai.google.dev/api/caching, "Schema", and Vertex AI's
 * reference of `FunctionDeclaration`). Fields it does not know are refused (`additionalProperties`, `const`,
 * `propertyNames`, `$ref`, lists of types). Values of an enum are strings, arrays need `items`. It cannot express a map;
 * its other field, `parametersJsonSchema`, takes `additionalProperties`.
 */
export function refusedByGemini(parts: readonly Part[]): string[] {
  return wrong(
    parts,
    ({ schema }) =>
      Object.keys(schema).every((word) => GEMINI.includes(word)) &&
      (schema["type"] === undefined || typeof schema["type"] === "string") &&
      (schema["type"] === "array") === (schema["items"] !== undefined) &&
      (schema["properties"] === undefined || schema["type"] === "object") &&
      (schema["enum"] === undefined ||
        (schema["type"] === "string" &&
          (schema["enum"] as unknown[]).every((value) => typeof value === "string" && value !== ""))),
  );
}

/** Returns parts as `parametersJsonSchema` of the Gemini API takes them: maps, too. */
export function asGeminiJson(parts: readonly Part[]): Part[] {
  return parts.map(({ schema: { additionalProperties: _map, ...schema }, ...part }) => ({ ...part, schema }));
}

/**
 * Returns the parts that are outside of OpenAI's strict subset (OpenAI, "Structured model outputs", "Supported schemas",
 * platform.openai.com/docs/guides/structured-outputs). That every field is required and every object closed applies with
 * `strict: true` alone, which we do not send: optional fields would have to be given as null.
 */
export function refusedByOpenAi(parts: readonly Part[]): string[] {
  const values = parts.flatMap(({ schema }) => (Array.isArray(schema["enum"]) ? (schema["enum"] as unknown[]) : []));
  return [
    ...wrong(
      parts,
      // At most 5 levels of objects.
      ({ schema: { type, properties, required = [] }, level }) =>
        level <= 6 &&
        (level > 1 || (type === "object" && isRecord(properties))) &&
        (required as string[]).every((name) => isRecord(properties) && Object.hasOwn(properties, name)),
    ),
    ...(values.length < 1_000 ? [] : [`${values.length} values of enums`]),
  ];
}
