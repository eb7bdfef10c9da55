// The form of a tool's schema that is sent to models. Servers refuse whole requests for a keyword they do not know:
// llama.cpp compiles all schemas of a request to one grammar (`pattern` with `\S` or `\p`, `maxLength` over 2,000),
// Gemini takes a subset of OpenAPI's schema (no `const`, `propertyNames`, `$ref`). The table and its sources:
// docs/rooms/agent.md, "Schemas".
import { isRecord, type JsonSchema } from "./jsonSchema.js";

type Node = Record<string, unknown>;

/** Deeper than anyone nests schemas; a reference to itself ends here. */
const MAX_DEPTH = 8;
/** Parts of one schema that are converted: references to references grow exponentially. */
const MAX_PARTS = 5_000;

const known = new WeakMap<object, JsonSchema>();

/**
 * Returns a tool's schema as sent to a model: an object with `properties`, made of `type`, `description`, `enum`,
 * `properties`, `required`, `items` and, for a map, `additionalProperties`. References and `allOf` are put in place; of
 * alternatives, constants become an enum and objects one object; otherwise the first one that is not null remains.
 * Limits of numbers, constants that are not strings, defaults, and null where a field must be given are said in the
 * description. Everything else is left out: whoever runs the tool validates with the original. Returns the same object
 * for the same schema.
 */
export function wireSchema(schema: object): JsonSchema {
  const made = known.get(schema);
  if (made !== undefined) {
    return made;
  }
  const { required, properties } = new Writer(schema as Node).node({ ...schema, type: "object" }, 0);
  const wire: JsonSchema = {
    type: "object",
    properties: (properties ?? {}) as JsonSchema["properties"],
    ...(required === undefined ? {} : { required: required as string[] }),
  };
  known.set(schema, wire);
  known.set(wire, wire);
  return wire;
}

class Writer {
  readonly #root: Node;
  #parts = 0;

  constructor(root: Node) {
    this.#root = root;
  }

  /** Returns a part of the schema in the form for models. */
  node(raw: unknown, depth: number): Node {
    this.#parts += 1;
    if (!isRecord(raw) || depth > MAX_DEPTH || this.#parts > MAX_PARTS) {
      return {};
    }
    const flat = this.#flat(raw, depth);
    const types = typesOf(flat);
    const type = types.find((each) => each !== "null") ?? types[0];
    const choices = constantsOf(flat)?.filter((value) => value !== null) ?? [];
    // Gemini takes strings alone in an enum, and no empty one.
    const named = choices.filter((value) => value !== "");
    const areStrings = named.length > 0 && named.every((value) => typeof value === "string");
    const description = describe(flat, areStrings ? choices.filter((value) => value === "") : choices, areStrings);
    return {
      ...(type === undefined ? {} : { type }),
      ...(description === "" ? {} : { description }),
      ...(areStrings ? { enum: named } : {}),
      ...(type === "object" ? this.#fields(flat, depth) : {}),
      ...(type === "array" ? { items: this.node(itemsOf(flat), depth + 1) } : {}),
    };
  }

  #fields(flat: Node, depth: number): Node {
    const wanted = isRecord(flat["properties"]) ? flat["properties"] : {};
    const names = namesIn(flat["required"]).filter((name) => Object.hasOwn(wanted, name));
    const properties = Object.fromEntries(
      Object.entries(wanted).map(([name, field]) => {
        const made = this.node(field, depth + 1);
        // A model that must give a field learns that it may have no value for it: Gemini takes no lists of types.
        return [name, names.includes(name) && this.#isNullable(field, depth + 1) ? orNull(made) : made];
      }),
    );
    const more = isRecord(flat["additionalProperties"]) ? flat["additionalProperties"] : {};
    const isMap = Object.keys(wanted).length === 0 && typesOf(this.#flat(more, depth + 1)).length === 1;
    return {
      ...(Object.keys(wanted).length > 0 || depth === 0 ? { properties } : {}),
      ...(names.length > 0 ? { required: names } : {}),
      // A map whose values may be of several types is an object without further words.
      ...(isMap ? { additionalProperties: this.node(more, depth + 1) } : {}),
    };
  }

  #isNullable(raw: unknown, depth: number): boolean {
    const types = isRecord(raw) ? typesOf(this.#flat(raw, depth)) : [];
    return types.includes("null") && types.length > 1;
  }

  /** Returns a part without references and combinations. */
  #flat(raw: Node, depth: number): Node {
    this.#parts += 1;
    const { $ref, allOf, anyOf, oneOf, ...own } = raw;
    if (depth > MAX_DEPTH || this.#parts > MAX_PARTS) {
      return own;
    }
    const flatAll = (parts: unknown): Node[] =>
      (Array.isArray(parts) ? parts : []).filter(isRecord).map((part) => this.#flat(part, depth + 1));
    const referenced = typeof $ref === "string" ? flatAll([target($ref, this.#root)]) : [];
    const all = [own, ...referenced, ...flatAll(allOf)];
    const choices = [anyOf, oneOf].flatMap((parts) => {
      const alternatives = flatAll(parts);
      return alternatives.length === 0 ? [] : [eitherOf(alternatives)];
    });
    return [...all, ...choices].reduce(bothOf);
  }
}

/** Returns a part that says that null is taken, too. */
function orNull(part: Node): Node {
  const { type, description, ...rest } = part;
  const said = typeof description === "string" ? description : "";
  return {
    ...(type === undefined ? {} : { type }),
    description: /\bnull\b/i.test(said) ? said : `${said.replace(/[^.!?]$/, "$&.")} Or null.`.trim(),
    ...rest,
  };
}

/** Joins two parts that both apply; the first, which is nearer to the root, describes a field better. */
function bothOf(first: Node, second: Node): Node {
  const properties = joinFields(first, second, (mine) => mine);
  const required = [...new Set([...namesIn(first["required"]), ...namesIn(second["required"])])];
  return {
    ...second,
    ...first,
    ...(properties === undefined ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Joins alternatives: constants to an enum, objects to one object; otherwise the first that is not null. */
function eitherOf(alternatives: readonly Node[]): Node {
  const isNull = (part: Node): boolean => typesOf(part).every((type) => type === "null") && typesOf(part).length > 0;
  const real = alternatives.filter((part) => !isNull(part));
  const [first, ...others] = real;
  if (first === undefined) {
    return alternatives[0] ?? {};
  }
  const constants = real.map(constantsOf);
  const type = typesOf(first)[0];
  const isAlike = others.every((part) => typesOf(part)[0] === type);
  let joined = first;
  if (isAlike && constants.every((values) => values !== undefined)) {
    const { const: _one, ...rest } = first;
    joined = { ...rest, enum: [...new Set(constants.flat())] };
  } else if (real.every((part) => ["object", undefined].includes(typesOf(part)[0]))) {
    joined = others.reduce(eitherObject, first);
  } else if (isAlike && constants.some((values) => values !== undefined)) {
    // Some values have names, but others are taken, too.
    const { const: _one, enum: _some, ...rest } = first;
    joined = rest;
  }
  return real.length === alternatives.length ? joined : { ...joined, type: [...typesOf(joined), "null"] };
}

/** Joins two alternative objects: all fields, and what both require. */
function eitherObject(first: Node, second: Node): Node {
  const others = namesIn(second["required"]);
  const properties = joinFields(first, second, (mine, theirs) =>
    JSON.stringify(mine) === JSON.stringify(theirs) ? mine : { anyOf: [mine, theirs] },
  );
  return {
    ...first,
    ...(properties === undefined ? {} : { properties }),
    required: namesIn(first["required"]).filter((name) => others.includes(name)),
  };
}

function joinFields(first: Node, second: Node, join: (mine: unknown, theirs: unknown) => unknown): Node | undefined {
  const [mine, theirs] = [first["properties"], second["properties"]];
  if (!isRecord(mine) || !isRecord(theirs)) {
    return isRecord(mine) ? mine : isRecord(theirs) ? theirs : undefined;
  }
  const entries = Object.entries(theirs).map(([name, field]): [string, unknown] => [
    name,
    Object.hasOwn(mine, name) ? join(mine[name], field) : field,
  ]);
  return { ...mine, ...Object.fromEntries(entries) };
}

/** Returns the types a part names, or else implies; empty if it takes anything. */
function typesOf(part: Node): string[] {
  const named = [part["type"]].flat().filter((type): type is string => typeof type === "string");
  if (named.length > 0) {
    return part["nullable"] === true ? [...new Set([...named, "null"])] : named;
  }
  if (isRecord(part["properties"])) {
    return ["object"];
  }
  if (part["items"] !== undefined || part["prefixItems"] !== undefined) {
    return ["array"];
  }
  return [...new Set((constantsOf(part) ?? []).map(typeOf))];
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Returns the only values a part takes; undefined if it does not name them. */
function constantsOf(part: Node): unknown[] | undefined {
  return Object.hasOwn(part, "const") ? [part["const"]] : Array.isArray(part["enum"]) ? part["enum"] : undefined;
}

function itemsOf(part: Node): unknown {
  const items = part["items"] ?? part["prefixItems"];
  return Array.isArray(items) ? (items.length === 1 ? items[0] : { anyOf: items }) : items;
}

function namesIn(required: unknown): string[] {
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [];
}

/** Returns the part of the schema that `#/$defs/…` points to. */
function target(pointer: string, root: Node): unknown {
  const steps = pointer === "#" ? [] : pointer.startsWith("#/") ? pointer.slice(2).split("/") : [""];
  return steps.reduce<unknown>(
    (node, step) => (isRecord(node) ? node[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
    root,
  );
}

/**
 * Returns a part's description, with its default and its largest or smallest number unless it says them.
 *
 * @param choices the values it takes that are not in an enum
 * @param hasEnum whether there are others, in an enum
 */
function describe(part: Node, choices: readonly unknown[], hasEnum: boolean): string {
  const said = typeof part["description"] === "string" ? part["description"].trim() : "";
  const { default: given, minimum, maximum } = part;
  const isNew = (value: unknown): value is number =>
    typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER && !numbersIn(said).includes(value);
  const notes = [
    ...(choices.length > 0
      ? [`${hasEnum ? "Or" : "Only"} ${choices.map((value) => JSON.stringify(value)).join(", ")}.`]
      : []),
    ...(isNew(maximum) ? [`At most ${maximum}.`] : []),
    // Hardly anyone counts below 0 or 1.
    ...(isNew(minimum) && minimum !== 0 && minimum !== 1 ? [`At least ${minimum}.`] : []),
    ...(["string", "number", "boolean"].includes(typeof given) && given !== "" && !/default/i.test(said)
      ? [`Default: ${JSON.stringify(given)}.`]
      : []),
  ];
  return [...(said === "" ? [] : [notes.length > 0 ? said.replace(/[^.!?]$/, "$&.") : said]), ...notes].join(" ");
}

/** Returns the numbers in a text, also those with separators: `50,000`. */
function numbersIn(text: string): number[] {
  return (text.match(/-?\d[\d,_]*(?:\.\d+)?/g) ?? []).map((digits) => Number(digits.replaceAll(/[,_]/g, "")));
}
