// Writes values into requests (OpenAPI 3.1, "Parameter Object", "Style Examples"; RFC 6570).
import { isRecord } from "../../core/jsonSchema.js";
import { OperationError } from "./problem.js";
import type { Style } from "./parameters.js";

/** Lists and objects inside each other in a query. */
const MAX_DEPTH = 10;

type Written = Style & { name: string };

/** Returns a value as part of a path. @throws OperationError if it cannot be one */
export function pathValue(parameter: Written, value: unknown): string {
  const { name, style, explode } = parameter;
  const key = encode(name);
  switch (style) {
    case "label":
      return `.${flat(parameter, value, explode ? "." : ",")}`;
    case "matrix":
      if (explode && Array.isArray(value)) {
        return value.map((each) => `;${key}=${encode(plain(each))}`).join("");
      }
      return explode && isRecord(value) && !parameter.isJson
        ? `;${flat(parameter, value, ";")}`
        : `;${key}=${flat(parameter, value, ",")}`;
    default:
      return flat(parameter, value, ",");
  }
}

/** Returns a value as parts of a query: `name=value`, percent-encoded. */
export function queryPairs(parameter: Written, value: unknown): string[] {
  const { name, style, explode, allowReserved, isJson } = parameter;
  const write = (text: string): string => encode(text, allowReserved);
  const pair = (key: string, text: string): string => `${write(key)}=${write(text)}`;
  if (value === undefined || value === null) {
    return [];
  }
  if (isJson || typeof value !== "object") {
    return [pair(name, isJson ? json(value) : plain(value))];
  }
  if (style === "deepObject") {
    return deepPairs(name, value, 0).map(([key, text]) => pair(key, text));
  }
  if (explode) {
    return Array.isArray(value)
      ? value.map((each) => pair(name, plain(each)))
      : entriesOf(value).map(([key, each]) => pair(key, plain(each)));
  }
  const parts = Array.isArray(value) ? value.map(plain) : entriesOf(value).flatMap(([key, each]) => [key, plain(each)]);
  const separator = { spaceDelimited: "%20", pipeDelimited: "%7C" }[style] ?? ",";
  return parts.length === 0 ? [] : [`${write(name)}=${parts.map(write).join(separator)}`];
}

/** Returns a value of a header. @throws OperationError for characters that a header cannot have */
export function headerValue(parameter: Written, value: unknown): string {
  const text = parameter.isJson ? json(value) : joined(value, parameter.explode, ",", (each) => each);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
    throw new OperationError(`${parameter.name}: a header takes neither line breaks nor these characters.`);
  }
  return text;
}

/** Returns a value as cookies: `name=value`. */
export function cookiePairs(parameter: Written, value: unknown): string[] {
  return queryPairs({ ...parameter, allowReserved: false }, value);
}

/** Returns a value as text: lists and objects as JSON. */
export function plain(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "object" && value !== null ? json(value) : String(value);
}

function flat(parameter: Written, value: unknown, separator: string): string {
  return parameter.isJson
    ? encode(json(value))
    : joined(value, parameter.explode, separator, (text) => encode(text, parameter.allowReserved));
}

function joined(value: unknown, explode: boolean, separator: string, write: (text: string) => string): string {
  if (Array.isArray(value)) {
    return value.map((each) => write(plain(each))).join(separator);
  }
  if (!isRecord(value)) {
    return write(plain(value));
  }
  return entriesOf(value)
    .map(([key, each]) => `${write(key)}${explode ? "=" : separator}${write(plain(each))}`)
    .join(separator);
}

/** Returns the fields of nested objects as services expect them: `filter[owner][name]`, `lines[0][price]`. */
function deepPairs(name: string, value: unknown, depth: number): [string, string][] {
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) {
    return [[name, plain(value)]];
  }
  return entriesOf(value).flatMap(([key, each]) => deepPairs(`${name}[${key}]`, each, depth + 1));
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

/** Percent-encodes a text. @throws OperationError for half a character */
export function encode(text: string, allowReserved = false): string {
  let encoded: string;
  try {
    encoded = encodeURIComponent(text);
  } catch {
    throw new OperationError(`${JSON.stringify(text.slice(0, 40))} is not valid text.`);
  }
  const strict = encoded.replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  // What ends a value stays encoded: # & +
  return allowReserved
    ? strict.replaceAll(/%(?:2F|3A|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B|3D)/g, decodeURIComponent)
    : strict;
}
