import type { JsonSchemaProperty } from "../jsonSchema.js";

/**
 * Converts a typed word to the type its field expects. A word that does not fit stays a string, so that the one
 * validator rejects it with its usual message.
 */
export function coerce(word: string, property: JsonSchemaProperty): unknown {
  switch (property.type) {
    case "integer":
    case "number":
      return word.trim() !== "" && Number.isFinite(Number(word)) ? Number(word) : word;
    case "boolean":
      return word === "true" ? true : word === "false" ? false : word;
    case "array":
    case "object":
      return parseJson(word);
    default:
      return word;
  }
}

function parseJson(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}
