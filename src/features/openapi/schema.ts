// Schemas of a description as ones of their own: references put in place, circles cut, and only the words that models
// and our check of inputs know. Patterns are left to the server: one from outside can take for ever.
import { isRecord } from "../../core/jsonSchema.js";
import { oneLine, shorten } from "../../text/clip.js";
import type { Description, Node } from "./description.js";

/** Parts of one schema; above, fewer levels are shown. */
const MAX_PARTS = 1_500;
const MAX_WORDS = 300;
/** Values of an enum that are all given; of more, some are named as examples. */
const MAX_CHOICES = 60;
const MAX_EXAMPLES = 10;
const MAX_ALTERNATIVES = 20;
/** Combinations in combinations. */
const MAX_NESTING = 10;
/** Fields named of an object whose fields are not shown. */
const MAX_FIELDS_NAMED = 12;

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];
const NUMBERS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

/** Thrown by an exact `SchemaWriter` that has written more than a model should read. */
export class TooManyParts extends Error {}

/** Converts schemas, up to a number of parts in all. */
export class SchemaWriter {
  readonly #description: Description;
  readonly #isExact: boolean;
  readonly #inside = new Set<unknown>();
  #parts = 0;

  /** @param isExact whether too many parts are an error; otherwise the last ones are left open */
  constructor(description: Description, isExact: boolean) {
    this.#description = description;
    this.#isExact = isExact;
  }

  /**
   * Returns a schema for a request: fields that only answers have are left out.
   *
   * @param levels objects, lists and maps inside each other that are shown; the fields of others are only named
   * @param pointer where it is
   * @throws TooManyParts
   */
  write(raw: unknown, levels: number, pointer: string, nesting = 0): Node {
    this.#parts += 1;
    const isTooMuch = this.#parts > MAX_PARTS;
    if (isTooMuch && this.#isExact) {
      throw new TooManyParts();
    }
    if (isTooMuch || !isRecord(raw) || nesting > MAX_NESTING) {
      return {};
    }
    const place = this.#description.follow(raw, pointer);
    if (typeof place === "string") {
      return { description: `Anything: ${place}` };
    }
    if (this.#inside.has(place.node)) {
      return { ...typeOf(place.node), description: `As described above (${nameOf(place.pointer)}).` };
    }
    this.#inside.add(place.node);
    try {
      const said = place.node === raw ? undefined : raw["description"];
      return this.#convert(
        said === undefined ? place.node : { ...place.node, description: said },
        levels,
        place.pointer,
        nesting,
      );
    } finally {
      this.#inside.delete(place.node);
    }
  }

  #convert(node: Node, levels: number, pointer: string, nesting: number): Node {
    const all = this.#combined(node["allOf"], levels, `${pointer}/allOf`, nesting);
    const any = this.#combined(node["anyOf"], levels, `${pointer}/anyOf`, nesting);
    const one = this.#combined(node["oneOf"], levels, `${pointer}/oneOf`, nesting);
    const choices = any.length > 0 ? any : one;
    const isNullable = node["nullable"] === true;
    const type = typeOf(node);
    const { choice, examples } = choicesOf(node, isNullable);
    const fields = type.type?.includes("object") === true ? this.#fields(node, levels, pointer) : {};
    const list = type.type?.includes("array") === true ? this.#list(node, levels, pointer) : {};
    const description = words(node["description"] ?? node["title"], [
      examples,
      fields.left === undefined ? "" : `Fields: ${fields.left}.`,
      list.left ?? "",
    ]);
    const isOpen = fields.isOpen === true || list.left !== undefined;
    return {
      // A type without its parts would need them for some models; the description names it.
      ...(list.left === undefined ? type : {}),
      ...(description === "" ? {} : { description }),
      ...choice,
      ...limitsOf(node),
      ...defaultOf(node),
      ...(isOpen ? {} : fields.schema),
      ...list.schema,
      ...(all.length > 0 ? { allOf: all } : {}),
      ...(choices.length > 0
        ? { anyOf: isNullable && type.type === undefined ? [...choices, { type: "null" }] : choices }
        : {}),
    };
  }

  #combined(parts: unknown, levels: number, pointer: string, nesting: number): Node[] {
    return (Array.isArray(parts) ? parts.slice(0, MAX_ALTERNATIVES) : []).map((part, index) =>
      this.write(part, levels, `${pointer}/${index}`, nesting + 1),
    );
  }

  #fields(node: Node, levels: number, pointer: string): { schema?: Node; left?: string; isOpen?: boolean } {
    const wanted = fieldsOf(node).filter(([, field]) => !this.#isForAnswers(field, pointer));
    const more = node["additionalProperties"];
    if (levels <= 1) {
      const names = wanted.slice(0, MAX_FIELDS_NAMED).map(([name]) => name);
      const rest = wanted.length - names.length;
      return names.length === 0
        ? { isOpen: true }
        : { isOpen: true, left: shorten(oneLine(names.join(", ")), MAX_WORDS) + (rest > 0 ? ` and ${rest} more` : "") };
    }
    const properties = wanted.map(([name, field]): [string, Node] => [
      name,
      this.write(field, levels - 1, `${pointer}/properties/${name}`),
    ]);
    const names = new Set(wanted.map(([name]) => name));
    const required: unknown = node["required"];
    const needed = (Array.isArray(required) ? (required as unknown[]) : []).filter(
      (name): name is string => typeof name === "string" && names.has(name),
    );
    return {
      schema: {
        ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
        ...(needed.length > 0 ? { required: [...new Set(needed)] } : {}),
        ...(isRecord(more) && Object.keys(more).length > 0
          ? { additionalProperties: this.write(more, levels - 1, `${pointer}/additionalProperties`) }
          : {}),
      },
    };
  }

  #isForAnswers(field: unknown, pointer: string): boolean {
    if (!isRecord(field)) {
      return false;
    }
    const place = this.#description.follow(field, pointer);
    return field["readOnly"] === true || (typeof place !== "string" && place.node["readOnly"] === true);
  }

  #list(node: Node, levels: number, pointer: string): { schema?: Node; left?: string } {
    if (levels <= 1) {
      return { left: "A list." };
    }
    return { schema: { items: this.write(node["items"] ?? {}, levels - 1, `${pointer}/items`) } };
  }
}

/** Returns the fields of an object. Names that every object of the language has cannot be checked by name. */
function fieldsOf({ properties }: Node): [string, unknown][] {
  return isRecord(properties) ? Object.entries(properties).filter(([name]) => !(name in Object.prototype)) : [];
}

function typeOf(node: Node): { type?: string | string[] } {
  const named = [node["type"]].flat().filter((type): type is string => TYPES.includes(type as string));
  const implied = isRecord(node["properties"]) ? ["object"] : node["items"] === undefined ? [] : ["array"];
  const types = [...new Set(named.length > 0 ? named : implied)];
  const all = node["nullable"] === true && types.length > 0 ? [...new Set([...types, "null"])] : types;
  const [only] = all;
  return only === undefined ? {} : { type: all.length === 1 ? only : all };
}

function choicesOf(node: Node, isNullable: boolean): { choice: Node; examples: string } {
  const values: unknown[] = Object.hasOwn(node, "const") ? [node["const"]] : [node["enum"] ?? []].flat();
  if (values.length === 0) {
    return { choice: {}, examples: "" };
  }
  const plain = values.filter((value) => value === null || ["string", "number", "boolean"].includes(typeof value));
  if (plain.length < values.length || plain.length > MAX_CHOICES) {
    const some = plain.slice(0, MAX_EXAMPLES).map((value) => shorten(String(value), 40));
    return { choice: {}, examples: some.length > 0 ? `One of ${values.length}, for example ${some.join(", ")}.` : "" };
  }
  return { choice: { enum: isNullable && !plain.includes(null) ? [...plain, null] : plain }, examples: "" };
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

/** Returns a description with further sentences; empty if there is nothing to say. */
export function words(said: unknown, more: readonly string[] = []): string {
  const first = typeof said === "string" ? shorten(oneLine(said.slice(0, 10 * MAX_WORDS)), MAX_WORDS) : "";
  const rest = more.filter((sentence) => sentence !== "").join(" ");
  return first === "" || rest === "" ? first + rest : `${first.replace(/[^.!?…]$/, "$&.")} ${rest}`;
}

function nameOf(pointer: string): string {
  return shorten(pointer.slice(pointer.lastIndexOf("/") + 1), 60);
}
