import { isRecord } from "../jsonSchema.js";

/** Returns all texts of an input one after another, so that none is split to hide what it is a part of. */
export function textOf(input: unknown): string {
  const values: string[] = [];
  const keys: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(visit);
    } else if (isRecord(value)) {
      keys.push(...Object.keys(value));
      Object.values(value).forEach(visit);
    } else if (typeof value === "string" || typeof value === "number") {
      values.push(String(value));
    }
  };
  visit(input);
  return [...values, "", ...keys].join("\n");
}
