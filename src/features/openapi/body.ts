// The body of a request: which media type, its schema, and how a value becomes one.
import { isRecord } from "../../core/jsonSchema.js";
import type { HttpBody, HttpPart } from "../../ports/http.js";
import { shorten } from "../../text/clip.js";
import { below, firstEntries, type Description, type Node } from "./description.js";
import type { Operation } from "./operations.js";
import { OperationError } from "./problem.js";
import { plain, queryPairs } from "./serialize.js";

const MEDIA_TYPE = /^[\w.+*-]{1,100}\/[\w.+*-]{1,100}$/;

/** The body that an operation takes. */
export interface RequestBody {
  kind: "json" | "form" | "multipart" | "text";
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
    return { name, type, kind: kindOf(type), media: isRecord(media) ? media : {} };
  });
  const usable = kinds.filter(({ type }) => MEDIA_TYPE.test(type));
  const [chosen] = ORDER.flatMap((kind) => usable.filter((each) => each.kind === kind));
  if (chosen === undefined) {
    throw new OperationError("Its body has no media type.");
  }
  const { kind, type, name, media } = chosen;
  return {
    kind,
    type: type.includes("*") ? (kind === "json" ? "application/json" : "text/plain") : type,
    required: required === true,
    schema: media["schema"],
    description: said,
    pointer: below(place.pointer, "content", name, "schema"),
    encoding: isRecord(media["encoding"]) ? media["encoding"] : {},
  };
}

const ORDER = ["json", "form", "multipart", "text"] as const;

function kindOf(type: string): RequestBody["kind"] {
  if (/(?:\/|\+)json$/.test(type) || type === "*/*" || type === "application/*") {
    return "json";
  }
  return type === "application/x-www-form-urlencoded" ? "form" : type === "multipart/form-data" ? "multipart" : "text";
}

/** Returns a value as the body of a request. @throws OperationError if it cannot be one */
export function writeBody(body: RequestBody, value: unknown, description: Description): HttpBody {
  switch (body.kind) {
    case "json":
      return { kind: "text", type: body.type, text: JSON.stringify(value) };
    case "text":
      return { kind: "text", type: body.type, text: wellFormed("body", plain(value)) };
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

function parts(body: RequestBody, name: string, value: unknown, description: Description): HttpPart[] {
  const how = Object.hasOwn(body.encoding, name) && isRecord(body.encoding[name]) ? body.encoding[name] : {};
  const { contentType } = how;
  const type = typeof contentType === "string" ? contentType.split(",")[0]?.trim() : undefined;
  return (Array.isArray(value) ? value : [value]).map((each): HttpPart => {
    const isObject = typeof each === "object" && each !== null;
    const isFile = isBinary(body, name, description);
    const partType = type ?? (isObject ? "application/json" : isFile ? "application/octet-stream" : undefined);
    return {
      name,
      value: wellFormed(name, plain(each)),
      ...(partType === undefined ? {} : { type: partType }),
      ...(isFile ? { fileName: name } : {}),
    };
  });
}

/** Whether a field is the contents of a file, or a list of them. */
function isBinary({ schema, pointer }: RequestBody, name: string, description: Description): boolean {
  const whole = description.follow(schema, pointer);
  const fields = typeof whole === "string" ? undefined : whole.node["properties"];
  const field = isRecord(fields) && Object.hasOwn(fields, name) ? description.follow(fields[name], pointer) : "";
  if (typeof field === "string") {
    return false;
  }
  const items = description.follow(field.node["items"] ?? field.node, pointer);
  const { format, contentMediaType } = typeof items === "string" ? {} : items.node;
  return format === "binary" || contentMediaType !== undefined;
}
