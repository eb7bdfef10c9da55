import * as z from "zod";
import { once } from "../../core/once.js";
import { shorten } from "../../text/clip.js";

/** The types of values, as JSON Schema names them. */
const TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;

/** Characters of a name that a problem quotes. */
const MAX_NAME = 80;

/** Names of parameters that no tool may have: objects have such members from the start. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A name of a parameter. */
const parameterName = once(() =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "must be letters, digits and _, and begin with a letter")
    .refine((name) => !INHERITED.has(name), "every object has a member of this name; choose another"),
);

/** A JSON Schema of a value, as far as the format has it. */
export interface ValueSchema {
  type?: (typeof TYPES)[number] | undefined;
  title?: string | undefined;
  description?: string | undefined;
  enum?: (string | number | boolean)[] | undefined;
  default?: unknown;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items?: ValueSchema | undefined;
  properties?: Record<string, ValueSchema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: boolean | undefined;
}

/**
 * The part of JSON Schema that every model takes and whose check takes a time that the schema's author cannot stretch:
 * no patterns, references and alternatives.
 */
const fields = once(() => ({
  type: z.enum(TYPES).optional(),
  title: z.string().optional(),
  description: z.string().max(1_000).optional().describe("What the value means. Models read it."),
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .max(500)
    .optional()
    .describe("The possible values."),
  default: z.unknown().optional().describe("The value if none is given."),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.int().min(0).optional(),
  maxLength: z.int().min(0).optional(),
  minItems: z.int().min(0).optional(),
  maxItems: z.int().min(0).optional(),
  items: z.lazy(valueSchema).optional(),
  properties: z.record(z.string(), z.lazy(valueSchema)).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.boolean().optional(),
}));

/** The types that each keyword says something about. JSON Schema ignores it for other values, which an author overlooks. */
const TYPES_OF: Readonly<Record<string, readonly ValueSchema["type"][]>> = {
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
  minLength: ["string"],
  maxLength: ["string"],
  minItems: ["array"],
  maxItems: ["array"],
  items: ["array"],
  properties: ["object"],
  required: ["object"],
  additionalProperties: ["object"],
};

/** Finds what would check nothing: a keyword without its type, and a required name that is not a property. */
function checkKeywords(schema: ValueSchema, context: z.RefinementCtx): void {
  for (const [keyword, types] of Object.entries(TYPES_OF)) {
    if (Object.hasOwn(schema, keyword) && !types.includes(schema.type)) {
      context.addIssue({
        code: "custom",
        path: [keyword],
        message: `has no effect without ${types.map((type) => `"type": "${type}"`).join(" or ")}`,
      });
    }
  }
  for (const [index, name] of (schema.required ?? []).entries()) {
    if (!Object.hasOwn(schema.properties ?? {}, name)) {
      context.addIssue({
        code: "custom",
        path: ["required", index],
        message: `${shorten(name, MAX_NAME)} is not among the properties`,
      });
    }
  }
}

/** The format of a JSON Schema of a value. */
export const valueSchema = once((): z.ZodType<ValueSchema> => z.strictObject(fields()).superRefine(checkKeywords));

/** The JSON Schema of a tool's input. */
export const parametersSchema = once(() =>
  z.strictObject({
    type: z.literal("object").optional(),
    properties: z
      .record(
        parameterName(),
        z
          .strictObject({
            ...fields(),
            description: z.string().min(1).max(1_000).describe("What the value means. Models read it."),
          })
          .superRefine(checkKeywords),
      )
      .optional()
      .describe("The parameters by name, each with a description."),
    required: z.array(z.string()).optional().describe("The parameters that every call must give."),
    additionalProperties: z.literal(false).optional(),
  }),
);

/**
 * Turns a schema of the format into one that checks values, and gives those that are missing their defaults. Zod can
 * read JSON Schema, too, but all of it: that is 46 kB of each bundle, for keywords that the format does not have.
 */
export function checkerOf(schema: ValueSchema): z.ZodType {
  const { title, description, default: preset } = schema;
  const checker = preset === undefined ? typeChecker(schema) : typeChecker(schema).default(preset);
  const said = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
  return Object.keys(said).length === 0 ? checker : checker.meta(said);
}

function typeChecker(schema: ValueSchema): z.ZodType {
  if (schema.enum !== undefined) {
    return z.literal([...new Set(schema.enum)]);
  }
  switch (schema.type) {
    case undefined:
      return z.unknown();
    case "boolean":
      return z.boolean();
    case "string":
      return bounded(z.string(), schema.minLength, schema.maxLength);
    case "number":
      return bounded(z.number(), schema.minimum, schema.maximum);
    case "integer":
      return bounded(z.int(), schema.minimum, schema.maximum);
    case "array":
      return bounded(z.array(checkerOf(schema.items ?? {})), schema.minItems, schema.maxItems);
    case "object":
      return objectChecker(schema);
  }
}

function objectChecker({ properties = {}, required = [], additionalProperties }: ValueSchema): z.ZodType {
  const mustHave = new Set(required);
  const shape = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const checker = checkerOf(property);
      return [name, mustHave.has(name) ? checker : checker.optional()];
    }),
  );
  return additionalProperties === false ? z.strictObject(shape) : z.looseObject(shape);
}

function bounded<Checker extends { min: (least: number) => Checker; max: (most: number) => Checker }>(
  checker: Checker,
  least: number | undefined,
  most: number | undefined,
): Checker {
  const from = least === undefined ? checker : checker.min(least);
  return most === undefined ? from : from.max(most);
}
