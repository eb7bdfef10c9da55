import { readJson } from "../../text/repairJson.js";
import { isRecord, type JsonSchemaProperty } from "../jsonSchema.js";

/**
 * Converts fields of another type to the type the tool expects, where nothing is lost or guessed: `"10"`, `"true"`, a
 * list or object as a JSON string, one entry without its list, a list of one, and null for a field that is not given.
 * Everything else is left for the schema to refuse.
 *
 * @param notes gets what was repaired in JSON strings
 */
export function coerceFields(
  fields: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchemaProperty>>,
  required: readonly string[],
  notes: string[],
): Record<string, unknown> {
  const coerced: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (value === null && property !== undefined && !required.includes(name) && !typesOf(property).includes("null")) {
      continue;
    }
    // Not an assignment, which would give `__proto__` another meaning.
    Object.defineProperty(coerced, name, {
      value: property === undefined ? value : coerceValue(value, property, notes),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return coerced;
}

function coerceValue(value: unknown, property: JsonSchemaProperty, notes: string[]): unknown {
  const [type, ...others] = typesOf(property);
  if (type === undefined || others.length > 0) {
    return value;
  }
  if (type === "array") {
    const read = typeof value === "string" ? coerce(value, property, notes) : value;
    const list: unknown[] = Array.isArray(read) ? (read as unknown[]) : isEntry(read, property) ? [read] : [];
    return Array.isArray(read) || list.length > 0
      ? list.map((entry) => (property.items === undefined ? entry : coerceValue(entry, property.items, notes)))
      : value;
  }
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const read = typeof single === "string" ? coerce(single, property, notes) : single;
  if (type !== "object") {
    return typeof read === (type === "integer" ? "number" : type) ? read : value;
  }
  const inner = property["properties"];
  return isRecord(read) && isRecord(inner)
    ? coerceFields(
        read,
        inner as Record<string, JsonSchemaProperty>,
        Array.isArray(property["required"]) ? (property["required"] as string[]) : [],
        notes,
      )
    : isRecord(read)
      ? read
      : value;
}

function isEntry(value: unknown, { items }: JsonSchemaProperty): boolean {
  const [type, ...others] = items === undefined ? [] : typesOf(items);
  return others.length === 0 && (type === "object" ? isRecord(value) : type !== undefined && typeof value === type);
}

function typesOf({ type }: JsonSchemaProperty): string[] {
  return type === undefined ? [] : [type].flat();
}

/**
 * Converts a typed word to the type its field expects. A word that does not fit stays a string, so that the one
 * validator rejects it with its usual message.
 *
 * @param notes gets what was repaired in JSON; without it, JSON with a mistake stays a string
 */
export function coerce(word: string, property: JsonSchemaProperty, notes?: string[]): unknown {
  switch (property.type) {
    case "integer":
    case "number":
      return word.trim() !== "" && Number.isFinite(Number(word)) ? Number(word) : word;
    case "boolean":
      return word === "true" ? true : word === "false" ? false : word;
    case "array":
    case "object":
      return parseJson(word, notes);
    default:
      return word;
  }
}

function parseJson(word: string, notes: string[] | undefined): unknown {
  try {
    if (notes === undefined) {
      return JSON.parse(word);
    }
    const { value, note } = readJson(word);
    notes.push(...(note === undefined ? [] : [note]));
    return value;
  } catch {
    return word;
  }
}
