// The body of a request: which media type, its schema, and how a value becomes one.
import { isRecord } from "../../core/jsonSchema.js";
import type { HttpBody, HttpPart } from "../../ports/http.js";
import { shorten } from "../../text/clip.js";
import { below, firstEntries, type Description, type Node, type Place } from "./description.js";
import type { Operation } from "./operations.js";
import { OperationError } from "./problem.js";
import { factsOf } from "./schemaFacts.js";
import { plain, queryPairs } from "./serialize.js";

const MEDIA_TYPE = /^[\w.+*-]{1,100}\/[\w.+*-]{1,100}$/;

/** Schemas that make up one form, in which its files are looked for. */
const MAX_COMBINED = 100;

/** A file of the workspace that is sent. */
export interface FilePart {
  name: string;
  path: string;
  /** Its media type, if the description says it. */
  type: string | undefined;
}

export type PlainPart = HttpPart | FilePart;

/** A body whose files are not read yet. */
export type PlainBody =
  | Extract<HttpBody, { kind: "text" }>
  | { kind: "multipart"; parts: readonly PlainPart[] }
  | { kind: "file"; path: string; type: string | undefined };

/** The body that an operation takes. */
export interface RequestBody {
  kind: "json" | "form" | "multipart" | "text" | "file";
  /** Its media type, without parameters. */
  type: string;
  required: boolean;
  schema: unknown;
  description: unknown;
  pointer: string;
  /** How each field is written, by name. */
  encoding: Node;
}

/** Returns the body of an operation, in the form that is easiest to write. @throws OperationError */
export function bodyOf(operation: Operation, description: Description): RequestBody | undefined {
  const raw = operation.node["requestBody"];
  if (raw === undefined) {
    return undefined;
  }
  const place = description.follow(raw, below(operation.pointer, "requestBody"));
  if (typeof place === "string") {
    throw new OperationError(place);
  }
  const { content, required, description: said } = place.node;
  const kinds = firstEntries(content).map(([name, media]) => {
    const type = (name.split(";")[0] ?? "").trim().toLowerCase();
    const { schema } = isRecord(media) ? media : {};
    const kind = isFileType(type, schema, place.pointer, description) ? "file" : kindOf(type);
    return { name, type, kind, media: isRecord(media) ? media : {} };
  });
  const usable = kinds.filter(({ type }) => MEDIA_TYPE.test(type));
  const [chosen] = ORDER.flatMap((kind) => usable.filter((each) => each.kind === kind));
  if (chosen === undefined) {
    throw new OperationError("Its body has no media type.");
  }
  const { kind, type, name, media } = chosen;
  return {
    kind,
    type: type.includes("*") ? ANY_TYPE[kind] : type,
    required: required === true,
    schema: media["schema"],
    description: said,
    pointer: below(place.pointer, "content", name, "schema"),
    encoding: isRecord(media["encoding"]) ? media["encoding"] : {},
  };
}

const ORDER = ["json", "form", "multipart", "text", "file"] as const;
/** What is sent for a type with a star; that of a file is its own. */
const ANY_TYPE: Readonly<Record<RequestBody["kind"], string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  text: "text/plain",
  file: "",
};

/** Whether a body is the contents of a file. */
function isFileType(type: string, schema: unknown, pointer: string, description: Description): boolean {
  const place = description.follow(schema ?? {}, pointer);
  return (
    (typeof place !== "string" && isBinary(place.node)) ||
    /^(?:image|audio|video|font)\/(?!svg)|^application\/(?:octet-stream|pdf|zip|gzip|x-tar)$/.test(type)
  );
}

function kindOf(type: string): RequestBody["kind"] {
  if (/(?:\/|\+)json$/.test(type) || type === "*/*" || type === "application/*") {
    return "json";
  }
  return type === "application/x-www-form-urlencoded" ? "form" : type === "multipart/form-data" ? "multipart" : "text";
}

/** Returns a value as the body of a request. @throws OperationError if it cannot be one */
export function writeBody(body: RequestBody, value: unknown, description: Description): PlainBody {
  switch (body.kind) {
    case "json":
      return { kind: "text", type: body.type, text: JSON.stringify(value) };
    case "text":
      return { kind: "text", type: body.type, text: wellFormed("body", plain(value)) };
    case "file":
      return { kind: "file", type: body.type === "" ? undefined : body.type, path: pathOf("body", value) };
    case "form":
      return {
        kind: "text",
        type: body.type,
        text: fieldsOf(value)
          .flatMap(([name, each]) => formPairs(body, name, each))
          .join("&"),
      };
    case "multipart":
      return {
        kind: "multipart",
        parts: fieldsOf(value).flatMap(([name, each]) => parts(body, name, each, description)),
      };
  }
}

function pathOf(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") {
    throw new OperationError(`${shorten(name, 60)}: expected the path of a file.`);
  }
  return value;
}

function fieldsOf(value: unknown): [string, unknown][] {
  if (!isRecord(value)) {
    throw new OperationError("body: expected an object with the form's fields.");
  }
  return Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
}

/** Returns a text if it can be written as UTF-8, which would put another character in place of half of one. */
function wellFormed(name: string, text: string): string {
  if (/\p{Surrogate}/u.test(text)) {
    throw new OperationError(`${shorten(name, 60)}: it contains half of a character, which cannot be sent.`);
  }
  return text;
}

/** Writes a field of a form as its `encoding` says, and an object without one as JSON ("Encoding Object"). */
function formPairs({ encoding }: RequestBody, name: string, value: unknown): string[] {
  const how = Object.hasOwn(encoding, name) && isRecord(encoding[name]) ? encoding[name] : {};
  const { style, explode, allowReserved } = how;
  const hasStyle = style !== undefined || explode !== undefined || allowReserved !== undefined;
  const named = typeof style === "string" ? style : "form";
  return queryPairs(
    {
      name,
      style: named,
      explode: typeof explode === "boolean" ? explode : named === "form" || named === "deepObject",
      allowReserved: allowReserved === true,
      isJson: !hasStyle && isRecord(value),
    },
    value,
  );
}

function parts(body: RequestBody, name: string, value: unknown, description: Description): PlainPart[] {
  const how = Object.hasOwn(body.encoding, name) && isRecord(body.encoding[name]) ? body.encoding[name] : {};
  const { contentType } = how;
  const [type] = typeof contentType === "string" ? contentType.split(",").map((each) => each.trim()) : [];
  const isFile = fileFields(body, description).has(name);
  return (Array.isArray(value) ? value : [value]).map((each): PlainPart => {
    if (isFile) {
      return { name, path: pathOf(name, each), type: type?.includes("*") === true ? undefined : type };
    }
    const partType = type ?? (typeof each === "object" && each !== null ? "application/json" : undefined);
    return { name, value: wellFormed(name, plain(each)), ...(partType === undefined ? {} : { type: partType }) };
  });
}

/** By the schema of a form. */
const known = new WeakMap<Node, ReadonlySet<string>>();

/** Returns the fields of a form that are files or lists of files. */
export function fileFields({ kind, schema, pointer }: RequestBody, description: Description): ReadonlySet<string> {
  const form = kind === "multipart" ? description.follow(schema, pointer) : "";
  if (typeof form === "string") {
    return new Set();
  }
  const made = known.get(form.node);
  if (made !== undefined) {
    return made;
  }
  const found = new Set<string>();
  const waiting: Place[] = [form];
  for (let read = 0; read < MAX_COMBINED && read < waiting.length; read++) {
    const { node, pointer: at } = waiting[read] ?? form;
    for (const [name, field] of factsOf(node, at, description).fields) {
      const own = description.follow(field, at);
      const items = typeof own === "string" ? own : description.follow(own.node["items"] ?? own.node, at);
      if (typeof items !== "string" && isBinary(items.node)) {
        found.add(name);
      }
    }
    for (const list of [node["allOf"], node["anyOf"], node["oneOf"]]) {
      const parts = (Array.isArray(list) ? list.slice(0, MAX_COMBINED) : []).map((part) =>
        description.follow(part, at),
      );
      waiting.push(...parts.filter((part) => typeof part !== "string"));
    }
  }
  known.set(form.node, found);
  return found;
}

/** Whether a call can send files. */
export function takesFiles(body: RequestBody | undefined, description: Description): boolean {
  return body?.kind === "file" || (body !== undefined && fileFields(body, description).size > 0);
}

/** Whether a value is the bytes of a file: `format` in OpenAPI 3.0, `contentMediaType` since 3.1. */
function isBinary({ format, contentMediaType, contentEncoding }: Node): boolean {
  return format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);
}
