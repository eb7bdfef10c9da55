import { Validator, type Schema } from "@cfworker/json-schema";
import type { ExternalResult } from "../../ports/externalTools.js";
import { isRecord } from "../../core/jsonSchema.js";
import { oneLine, shorten } from "../../text/clip.js";

/** Maximum number of pictures of a result, and of their bytes in all. */
const MAX_PICTURES = 20;
const MAX_PICTURE_BYTES = 10_000_000;
/** Maximum number of parts of a result. */
const MAX_PARTS = 10_000;
/** The kinds of pictures that models take. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Maximum product of the characters of data and of its schema: about the work of checking it. */
const MAX_WORK = 1e9;
/** Maximum characters of a name or an address in a note. */
const MAX_SHOWN = 300;

/**
 * Reads a tool's result, as text and pictures.
 *
 * @param outputSchema the shape that the tool promised for its data
 * @throws Error with the tool's own words if it says that it failed, or if the result is malformed
 */
export function readResult(result: unknown, outputSchema: object | undefined): ExternalResult {
  const { content, structuredContent, isError }: Readonly<Record<string, unknown>> = isRecord(result) ? result : {};
  if (content !== undefined && !Array.isArray(content)) {
    throw new Error("The server's result is malformed: its content is not a list.");
  }
  const parts: readonly unknown[] = content ?? [];
  const texts: string[] = [];
  const media: ExternalResult["media"][number][] = [];
  let pictureBytes = 0;
  for (const part of parts.slice(0, MAX_PARTS)) {
    const picture = pictureOf(part);
    if (picture === undefined) {
      texts.push(textOf(part));
    } else if (media.length < MAX_PICTURES && pictureBytes + picture.bytes.length <= MAX_PICTURE_BYTES) {
      media.push(picture);
      pictureBytes += picture.bytes.length;
    } else {
      texts.push(`[A picture of ${picture.bytes.length} bytes is left out.]`);
    }
  }
  if (parts.length > MAX_PARTS) {
    texts.push(`[${parts.length - MAX_PARTS} more parts are left out.]`);
  }
  if (structuredContent !== undefined) {
    // Servers repeat their data as text; where one does not, the data is the text.
    if (texts.every((text) => text.trim() === "")) {
      texts.push(JSON.stringify(structuredContent, undefined, 2));
    }
    const wrong = outputSchema && mismatch(structuredContent, outputSchema);
    if (wrong !== undefined) {
      texts.push(`[The data has not the shape that the server promises: ${wrong}]`);
    }
  } else if (outputSchema !== undefined && isError !== true) {
    texts.push("[The server promises data for this tool and gave none.]");
  }
  const text = texts.join("\n");
  if (isError === true) {
    throw new Error(text.trim() === "" ? "it failed without a word" : text);
  }
  return { text, media };
}

function pictureOf(part: unknown): ExternalResult["media"][number] | undefined {
  if (!isRecord(part) || part["type"] !== "image") {
    return undefined;
  }
  const { data, mimeType } = part;
  if (typeof data !== "string" || typeof mimeType !== "string" || !PICTURES.includes(mimeType)) {
    return undefined;
  }
  try {
    return { mimeType, bytes: Uint8Array.from(atob(data), (char) => char.charCodeAt(0)) };
  } catch {
    return undefined;
  }
}

function textOf(part: unknown): string {
  const fields: Readonly<Record<string, unknown>> = isRecord(part) ? part : {};
  const { type, text, resource, uri, name, mimeType, data } = fields;
  if (type === "text" && typeof text === "string") {
    return text;
  }
  if (type === "resource" && isRecord(resource)) {
    const where = shown(resource["uri"]);
    return typeof resource["text"] === "string"
      ? `[${where}]\n${resource["text"]}`
      : `[${where}: a resource that is not text, left out]`;
  }
  if (type === "resource_link") {
    return `[${shown(name)}: ${shown(uri)}]`;
  }
  const size = typeof data === "string" ? `, ${Math.floor((data.length * 3) / 4)} bytes` : "";
  return `[A part of type ${shown(type)}${mimeType === undefined ? "" : `, ${shown(mimeType)}`}${size} is left out: it cannot be shown.]`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? shorten(oneLine(value), MAX_SHOWN) : "?";
}

/** Returns how data differs from a schema; undefined if it does not, or if the schema is none. */
function mismatch(data: unknown, schema: object): string | undefined {
  if (JSON.stringify(data).length * JSON.stringify(schema).length > MAX_WORK) {
    return "it was not checked, since it is too large.";
  }
  try {
    const { valid, errors } = new Validator(harmless(schema, 0) as Schema, "2020-12", true).validate(data);
    const error = errors.at(-1);
    return valid || error === undefined
      ? undefined
      : shorten(oneLine(`${error.instanceLocation}: ${error.error}`), MAX_SHOWN);
  } catch {
    return "its schema is not valid, so the data was not checked.";
  }
}

/** What could take a server's schema forever to check: patterns, references, comparisons of all items with all. */
const COSTLY = ["pattern", "patternProperties", "format", "uniqueItems", "$ref", "$dynamicRef", "$recursiveRef", "$id"];
const MAX_DEPTH = 32;
/** Keywords whose values are data, not schemas. */
const DATA = ["const", "enum", "default", "examples"];
/** Keywords whose values are schemas by names, which may be names of keywords, too. */
const NAMED = ["properties", "$defs", "definitions", "dependentSchemas"];

function harmless(node: unknown, depth: number, isNames = false): unknown {
  if (depth > MAX_DEPTH) {
    return true;
  }
  if (Array.isArray(node)) {
    return node.map((each) => harmless(each, depth + 1));
  }
  if (!isRecord(node)) {
    return node;
  }
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => isNames || !COSTLY.includes(key))
      .map(([key, value]) => [
        key,
        !isNames && DATA.includes(key) ? value : harmless(value, depth + 1, !isNames && NAMED.includes(key)),
      ]),
  );
}
