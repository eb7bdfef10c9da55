// Checks values against JSON Schemas that other extensions and programs wrote, in bounded work.
import { dereference, validate, type OutputUnit, type Schema, type SchemaDraft } from "@cfworker/json-schema";
import { isQuickPattern } from "../text/quickPattern.js";
import { isRecord } from "./jsonSchema.js";

/** Maximum number of references followed in one check: some lead to others many times over. */
const MAX_REFERENCES = 10_000;
/** Maximum number of items of a list that are compared with each other. */
const MAX_COMPARED = 1_000;
/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS = ["const", "enum", "default", "examples"];
/** Keywords whose values are objects of schemas by names, which may be names of keywords, too. */
const NAMED_SCHEMAS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** Whether a keyword's value is data. */
export function isData(keyword: string): boolean {
  return DATA_KEYWORDS.includes(keyword);
}

/** Whether a keyword's value has schemas by names. */
export function hasNames(keyword: string): boolean {
  return NAMED_SCHEMAS.includes(keyword);
}

/**
 * Returns a check of values, which returns all problems at once.
 *
 * @throws the check throws an Error if a value takes too much work, such as with a reference to itself that never ends
 */
export function schemaCheck(
  schema: Readonly<Record<string, unknown>>,
  draft: SchemaDraft,
): (value: unknown) => OutputUnit[] {
  const checked = checkedPart(schema) as Schema;
  const known = dereference(checked);
  return (value) => {
    let followed = 0;
    const counted = new Proxy(known, {
      get(target, key) {
        if (++followed > MAX_REFERENCES) {
          throw new Error(`more than ${MAX_REFERENCES} references`);
        }
        return Reflect.get(target, key) as unknown;
      },
    });
    return validate(value, checked, draft, counted, false).errors;
  };
}

/**
 * Returns a schema without what is not checked: formats, which are annotations by default in JSON Schema 2020-12,
 * patterns that may take long, and whether the items of a long list differ.
 */
function checkedPart(node: unknown, isNames = false): unknown {
  if (Array.isArray(node)) {
    return node.map((each) => checkedPart(each));
  }
  if (!isRecord(node)) {
    return node;
  }
  const part = Object.fromEntries(
    Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
      const isUnchecked =
        key === "format" || key === "uniqueItems" || (key === "pattern" && !isQuickPattern(String(value)));
      return !isNames && isUnchecked
        ? []
        : [[key, !isNames && isData(key) ? value : checkedPart(value, !isNames && hasNames(key))]];
    }),
  );
  if (isNames || node["uniqueItems"] !== true) {
    return part;
  }
  const { allOf } = part;
  const unique = { if: { maxItems: MAX_COMPARED }, then: { uniqueItems: true } };
  return { ...part, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), unique] };
}
