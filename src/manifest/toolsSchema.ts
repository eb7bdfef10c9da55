import * as z from "zod";
import { isRecord } from "../core/jsonSchema.js";
import { toolsFile } from "../features/custom/entry.js";

/** How deep a value's schema is checked in settings, which cannot refer to parts of another schema. */
const MAX_DEPTH = 1;

/** The JSON Schema of a file of tools, by which editors complete and check it. */
export function toolsSchema(): object {
  return {
    ...z.toJSONSchema(toolsFile(), { io: "input", target: "draft-7" }),
    title: "Tools of a workspace (Toolhost)",
    allowTrailingCommas: true,
  };
}

/** Returns the schema of an entry of a list of that file, without references, for a setting. */
export function entrySchema(list: "tools" | "openapi"): object {
  const { properties, definitions } = z.toJSONSchema(toolsFile(), { io: "input", target: "draft-7" });
  const schema = properties?.[list];
  return isRecord(schema) && isRecord(schema["items"])
    ? inlined(schema["items"], (definitions ?? {}) as Record<string, unknown>, 0)
    : {};
}

function inlined(node: Record<string, unknown>, definitions: Record<string, unknown>, depth: number): object {
  const { $ref } = node;
  if (typeof $ref === "string") {
    const target = definitions[$ref.replace("#/definitions/", "")];
    return isRecord(target) && depth < MAX_DEPTH ? inlined(target, definitions, depth + 1) : { type: "object" };
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((each: unknown) => (isRecord(each) ? inlined(each, definitions, depth) : each))
        : isRecord(value)
          ? inlined(value, definitions, depth)
          : value,
    ]),
  );
}
