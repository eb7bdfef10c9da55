// What one schema says without its parts. It is read once for each schema: thousands of places may refer to a huge one.
import { isRecord } from "../../core/jsonSchema.js";
import { shorten } from "../../text/clip.js";
import type { Description, Node } from "./description.js";

/** Characters of a description, and of other texts. */
export const MAX_WORDS = 300;
/** Values of an enum that are all given; of more, some are named as examples. */
const MAX_CHOICES = 60;
/** Characters of such values in all. */
const MAX_CHOICE_SIZE = 4_000;
const MAX_EXAMPLES = 10;
/** Fields of an object that are read; with more than some hundreds, only a few are named. */
const MAX_FIELDS = 1_500;
/** Longest name of a field that is shown; others are left to the server. */
const MAX_NAME = 200;

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
const NUMBERS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

export interface SchemaFacts {
  type: { type?: string | string[] };
  /** Its `enum`, if the values are few and plain. */
  choice: Node;
  /** Otherwise a sentence with some of them. */
  examples: string;
  /** Limits and the default. */
  limits: Node;
  /** Fields that a request has: those that only answers have are left out. */
  fields: readonly [string, unknown][];
  /** How many there are, those that are not read among them. */
  fieldCount: number;
  /** Names of fields that must be given. */
  required: readonly string[];
  /** Whether its other fields have a schema. */
  isMap: boolean;
  /** Characters of its choices. */
  size: number;
}

const known = new WeakMap<Node, SchemaFacts>();

/** Returns what a schema says, which no reference takes the place of. @param pointer where it is */
export function factsOf(node: Node, pointer: string, description: Description): SchemaFacts {
  const made = known.get(node);
  if (made !== undefined) {
    return made;
  }
  const { fields, fieldCount } = fieldsOf(node, pointer, description);
  const names = new Set(fields.map(([name]) => name));
  const required: unknown = node["required"];
  const needed = (Array.isArray(required) ? (required as unknown[]) : []).filter(
    (name): name is string => typeof name === "string" && names.has(name),
  );
  const more = node["additionalProperties"];
  const facts = {
    ...{ type: typeOf(node), ...choicesOf(node), limits: { ...limitsOf(node), ...defaultOf(node) } },
    ...{ fields, fieldCount, required: [...new Set(needed)] },
    isMap: isRecord(more) && Object.keys(more).length > 0,
  };
  known.set(node, facts);
  return facts;
}

/** Returns the fields of an object. Names that every object of the language has cannot be checked by name. */
function fieldsOf(
  { properties }: Node,
  pointer: string,
  description: Description,
): Pick<SchemaFacts, "fields" | "fieldCount"> {
  const all = isRecord(properties) ? Object.entries(properties) : [];
  const fields = all
    .slice(0, MAX_FIELDS)
    .filter(([name, field]) => !(name in Object.prototype) && !isForAnswers(field, pointer, description));
  const unread = Math.max(0, all.length - MAX_FIELDS);
  return { fields: fields.filter(([name]) => name.length <= MAX_NAME), fieldCount: fields.length + unread };
}

function isForAnswers(field: unknown, pointer: string, description: Description): boolean {
  if (!isRecord(field)) {
    return false;
  }
  const place = description.follow(field, pointer);
  return field["readOnly"] === true || (typeof place !== "string" && place.node["readOnly"] === true);
}

function typeOf(node: Node): { type?: string | string[] } {
  const given: unknown = node["type"];
  const listed: unknown[] = Array.isArray(given) ? given.slice(0, 2 * TYPES.length) : [given];
  const named = listed.filter((type): type is string => TYPES.includes(type as string));
  const implied = isRecord(node["properties"]) ? ["object"] : node["items"] === undefined ? [] : ["array"];
  const types = [...new Set(named.length > 0 ? named : implied)];
  const all = node["nullable"] === true && types.length > 0 ? [...new Set([...types, "null"])] : types;
  const [only] = all;
  return only === undefined ? {} : { type: all.length === 1 ? only : all };
}

function choicesOf(node: Node): { choice: Node; examples: string; size: number } {
  const values: unknown[] = Object.hasOwn(node, "const") ? [node["const"]] : [node["enum"] ?? []].flat();
  if (values.length === 0) {
    return { choice: {}, examples: "", size: 0 };
  }
  const plain = values.filter((value) => value === null || ["string", "number", "boolean"].includes(typeof value));
  const size = plain.slice(0, MAX_CHOICES).reduce<number>((sum, value) => sum + String(value).length, 0);
  if (plain.length < values.length || plain.length > MAX_CHOICES || size > MAX_CHOICE_SIZE) {
    const some = plain.slice(0, MAX_EXAMPLES).map((value) => shorten(String(value), 40));
    const examples = some.length > 0 ? `One of ${values.length}, for example ${some.join(", ")}.` : "";
    return { choice: {}, examples, size: 0 };
  }
  const isNullable = node["nullable"] === true && !plain.includes(null);
  return { choice: { enum: isNullable ? [...plain, null] : plain }, examples: "", size };
}

function limitsOf(node: Node): Node {
  return Object.fromEntries(
    NUMBERS.filter((word) => typeof node[word] === "number" && Number.isFinite(node[word])).map((word) => [
      word,
      node[word],
    ]),
  );
}

function defaultOf(node: Node): Node {
  const value = node["default"];
  return ["string", "number", "boolean"].includes(typeof value) && String(value).length <= MAX_WORDS
    ? { default: value }
    : {};
}
