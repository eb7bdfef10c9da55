// Schemas of a description as ones of their own: references put in place, circles cut, and only the words that models
// and our check of inputs know. Patterns are left to the server: a hostile one can take forever.
import { isRecord } from "../../core/jsonSchema.js";
import { oneLine, shorten } from "../../text/clip.js";
import type { Description, Node } from "./description.js";
import { factsOf, MAX_WORDS, type SchemaFacts } from "./schemaFacts.js";

/** Parts of one schema; above, fewer levels are shown. */
const MAX_PARTS = 1_500;
/** Characters of a part without any words, and its comma. */
const PART_SIZE = 6;
const MAX_ALTERNATIVES = 20;
/** Combinations in combinations. */
const MAX_NESTING = 10;
/** Fields named of an object whose fields are not shown. */
const MAX_FIELDS_NAMED = 12;

/** Thrown by an exact `SchemaWriter` that has written more than a model should read. */
export class TooManyParts extends Error {}

/** Converts schemas, up to a number of parts in all. */
export class SchemaWriter {
  readonly #description: Description;
  readonly #maxSize: number | undefined;
  readonly #inside = new Set<unknown>();
  #parts = 0;
  /** Characters of names and descriptions so far. */
  #size = 0;

  /** @param maxSize characters that are an error, like too many parts; undefined leaves the last parts open */
  constructor(description: Description, maxSize: number | undefined) {
    this.#description = description;
    this.#maxSize = maxSize;
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
    this.#size += PART_SIZE;
    this.#description.partsWritten += 1;
    const isTooMuch = this.#parts > MAX_PARTS;
    if (this.#maxSize !== undefined && (isTooMuch || this.#size > this.#maxSize)) {
      throw new TooManyParts();
    }
    if (isTooMuch || !isRecord(raw) || nesting > MAX_NESTING) {
      return {};
    }
    const place = this.#description.follow(raw, pointer);
    if (typeof place === "string") {
      return { description: words(`Anything: ${place}`) };
    }
    const facts = factsOf(place.node, place.pointer, this.#description);
    if (this.#inside.has(place.node)) {
      return { ...facts.type, description: `As described above (${nameOf(place.pointer)}).` };
    }
    this.#inside.add(place.node);
    try {
      const said = place.node === raw ? undefined : raw["description"];
      return this.#convert(place.node, facts, said, levels, place.pointer, nesting);
    } finally {
      this.#inside.delete(place.node);
    }
  }

  #convert(node: Node, facts: SchemaFacts, said: unknown, levels: number, pointer: string, nesting: number): Node {
    const all = this.#combined(node["allOf"], levels, `${pointer}/allOf`, nesting);
    const any = this.#combined(node["anyOf"], levels, `${pointer}/anyOf`, nesting);
    const one = this.#combined(node["oneOf"], levels, `${pointer}/oneOf`, nesting);
    const choices = any.length > 0 ? any : one;
    const { type, choice } = facts;
    const fields = type.type?.includes("object") === true ? this.#fields(node, facts, levels, pointer) : {};
    const list = type.type?.includes("array") === true ? this.#list(node, levels, pointer) : {};
    const description = words(said ?? node["description"] ?? node["title"], [
      facts.examples,
      fields.left === undefined ? "" : `Fields: ${fields.left}.`,
      list.left ?? "",
    ]);
    this.#size += description.length + facts.size;
    const isOpen = fields.isOpen === true || list.left !== undefined;
    return {
      // A type without its parts would need them for some models; the description names it.
      ...(list.left === undefined ? type : {}),
      ...(description === "" ? {} : { description }),
      ...choice,
      ...facts.limits,
      ...(isOpen ? {} : fields.schema),
      ...list.schema,
      ...(all.length > 0 ? { allOf: all } : {}),
      ...(choices.length > 0
        ? { anyOf: node["nullable"] === true && type.type === undefined ? [...choices, { type: "null" }] : choices }
        : {}),
    };
  }

  #combined(parts: unknown, levels: number, pointer: string, nesting: number): Node[] {
    return (Array.isArray(parts) ? parts.slice(0, MAX_ALTERNATIVES) : []).map((part, index) =>
      this.write(part, levels, `${pointer}/${index}`, nesting + 1),
    );
  }

  #fields(
    node: Node,
    { fields, fieldCount, required, isMap }: SchemaFacts,
    levels: number,
    pointer: string,
  ): { schema?: Node; left?: string; isOpen?: boolean } {
    if (levels <= 1) {
      const names = fields.slice(0, MAX_FIELDS_NAMED).map(([name]) => name);
      const rest = fieldCount - names.length;
      return names.length === 0
        ? { isOpen: true }
        : { isOpen: true, left: shorten(oneLine(names.join(", ")), MAX_WORDS) + (rest > 0 ? ` and ${rest} more` : "") };
    }
    const properties = fields.map(([name, field]): [string, Node] => {
      this.#size += name.length;
      return [name, this.write(field, levels - 1, `${pointer}/properties/${name}`)];
    });
    return {
      schema: {
        ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
        ...(required.length > 0 ? { required } : {}),
        ...(isMap
          ? {
              additionalProperties: this.write(
                node["additionalProperties"],
                levels - 1,
                `${pointer}/additionalProperties`,
              ),
            }
          : {}),
      },
    };
  }

  #list(node: Node, levels: number, pointer: string): { schema?: Node; left?: string } {
    if (levels <= 1) {
      return { left: "A list." };
    }
    return { schema: { items: this.write(node["items"] ?? {}, levels - 1, `${pointer}/items`) } };
  }
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
