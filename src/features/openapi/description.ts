// Reads a description and follows its references, without copying: dereferencing all of GitHub's at once takes 400 ms
// and 150 MB (docs/rooms/openapi.md).
import { CORE_SCHEMA, load, mergeTag, YAMLException } from "js-yaml";
import { isRecord } from "../../core/jsonSchema.js";
import { excerpt, oneLine, shorten } from "../../text/clip.js";
import { messageOf } from "../../text/words.js";
import { MAX_DESCRIPTION } from "./entry.js";
import type { OpenApiProblem } from "./problem.js";

/** YAML 1.2 with merge keys, which people use to repeat parts. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);
/** References that lead to references; more are a circle. */
const MAX_HOPS = 32;
/** Longest reference; a person writes none of more than some hundred characters. */
const MAX_REFERENCE = 2_000;

/** Entries of an object that nobody writes many of, such as media types. */
const MAX_ENTRIES = 50;
/** Maximum characters of a pointer that are shown. */
const MAX_SHOWN = 200;

export type Node = Record<string, unknown>;

/** A part of a description and where it is. */
export interface Place {
  node: Node;
  /** JSON pointer, with `#`. */
  pointer: string;
}

/** A description of OpenAPI 3.0, 3.1 or 3.2. */
export class Description {
  readonly root: Node;
  /** Parts of schemas written so far, over all operations. */
  partsWritten = 0;
  /** What references lead to: thousands of places may have the same one. */
  readonly #targets = new Map<string, unknown>();

  constructor(root: Node) {
    this.root = root;
  }

  /**
   * Follows a part's references within the description.
   *
   * @param pointer where the part is
   * @returns the part itself if it is not a reference; otherwise what is wrong with the reference, as a sentence
   */
  follow(raw: unknown, pointer: string): Place | string {
    let node = raw;
    let at = pointer;
    for (let hops = 0; hops <= MAX_HOPS; hops++) {
      if (!isRecord(node)) {
        return `${shorten(at, MAX_SHOWN)} is not an object.`;
      }
      const reference = Object.hasOwn(node, "$ref") ? node["$ref"] : undefined;
      if (typeof reference !== "string") {
        return { node, pointer: at };
      }
      if (!reference.startsWith("#")) {
        return `The reference ${excerpt(reference)} leads to another document, which is not loaded. Bundle them into one.`;
      }
      node = this.#at(reference);
      if (node === undefined) {
        return `The reference ${excerpt(reference)} points to nothing.`;
      }
      at = reference;
    }
    return `${shorten(pointer, MAX_SHOWN)} is a reference to itself.`;
  }

  #at(reference: string): unknown {
    if (reference.length > MAX_REFERENCE) {
      return undefined;
    }
    if (!this.#targets.has(reference)) {
      this.#targets.set(reference, this.#find(reference));
    }
    return this.#targets.get(reference);
  }

  #find(reference: string): unknown {
    const pointer = decoded(reference.slice(1));
    if (pointer === "") {
      return this.root;
    }
    return pointer
      .slice(1)
      .split("/")
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>(
        (node, step) =>
          typeof node === "object" && node !== null && Object.hasOwn(node, step) ? (node as Node)[step] : undefined,
        this.root,
      );
  }
}

const firsts = new WeakMap<Node, [string, unknown][]>();

/** Returns the first entries of an object. It may have a million, and thousands of operations may refer to it. */
export function firstEntries(value: unknown): readonly [string, unknown][] {
  if (!isRecord(value)) {
    return [];
  }
  const entries = firsts.get(value) ?? Object.entries(value).slice(0, MAX_ENTRIES);
  firsts.set(value, entries);
  return entries;
}

/** Returns the pointer to a part of the part at `pointer`. */
export function below(pointer: string, ...steps: readonly string[]): string {
  return [pointer, ...steps.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
}

/** Parses a description, as JSON if it begins with a brace and as YAML otherwise. */
export function readDescription(text: string): Description | OpenApiProblem {
  if (text.length > MAX_DESCRIPTION) {
    return { message: `The description has ${text.length} characters; ${MAX_DESCRIPTION} at most.` };
  }
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const isJson = /^\s*\{/.test(plain);
  let root: unknown;
  try {
    root = isJson ? (JSON.parse(plain) as unknown) : load(plain, { schema: SCHEMA });
  } catch (error) {
    return syntaxError(error, plain, isJson);
  }
  if (!isRecord(root)) {
    return { message: "This is not an OpenAPI description: it is not an object with openapi and paths." };
  }
  const { openapi, swagger } = root;
  if (swagger !== undefined) {
    return { message: "Swagger 2.0 is not supported. Convert it to OpenAPI 3, for example with swagger2openapi." };
  }
  if (typeof openapi !== "string" || !/^3\.[012](?:\.|$)/.test(openapi)) {
    const found = openapi === undefined ? "there is none" : `it is ${excerpt(JSON.stringify(openapi), 40)}`;
    return { message: `openapi must be a version from 3.0 to 3.2; ${found}.`, pointer: "#/openapi" };
  }
  return isRecord(root["paths"] ?? {})
    ? new Description(root)
    : { message: "paths is not an object.", pointer: "#/paths" };
}

function syntaxError(error: unknown, text: string, isJson: boolean): OpenApiProblem {
  const reason = error instanceof YAMLException ? error.reason : messageOf(error);
  const line = lineOf(error, text);
  return {
    message: `Not valid ${isJson ? "JSON" : "YAML"}: ${shorten(oneLine(reason), 200)}.`,
    ...(line === undefined ? {} : { line }),
  };
}

function lineOf(error: unknown, text: string): number | undefined {
  if (error instanceof YAMLException) {
    return error.mark === undefined ? undefined : error.mark.line + 1;
  }
  const position = /at position (\d+)/.exec(messageOf(error))?.[1];
  if (position !== undefined) {
    return text.slice(0, Number(position)).split("\n").length;
  }
  // Of short texts, JSON.parse does not say where; what is not JSON is rarely YAML.
  try {
    load(text.slice(0, 10_000), { schema: SCHEMA });
    return undefined;
  } catch (other) {
    return other instanceof YAMLException ? lineOf(other, text) : undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
