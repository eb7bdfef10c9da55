import type { JsonSchemaProperty } from "../jsonSchema.js";

/**
 * A typed word as the value its field wants. A word that does not fit stays a string, so that
 * the one validator refuses it in the one wording.
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
