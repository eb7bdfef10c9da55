import { randomUUID } from "node:crypto";
import type { HttpBody, HttpPart } from "../../../ports/http.js";

export interface EncodedBody {
  bytes: Buffer;
  /** The headers that describe it. */
  headers: ReadonlyMap<string, string>;
}

/** Returns a body as bytes. */
export function encodeBody(body: HttpBody): EncodedBody {
  if (body.kind === "text") {
    return withLength(body.type, Buffer.from(body.text));
  }
  if (body.kind === "bytes") {
    return withLength(body.type, Buffer.from(body.bytes.buffer, body.bytes.byteOffset, body.bytes.byteLength));
  }
  // Random, so that no value contains it.
  const boundary = `toolhost-${randomUUID()}`;
  const parts = body.parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    typeof part.value === "string" ? Buffer.from(part.value) : part.value,
    Buffer.from("\r\n"),
  ]);
  const bytes = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return withLength(`multipart/form-data; boundary=${boundary}`, bytes);
}

function withLength(type: string, bytes: Buffer): EncodedBody {
  return {
    bytes,
    headers: new Map([
      ["content-type", type],
      ["content-length", String(bytes.length)],
    ]),
  };
}

function headOf({ name, fileName, type }: HttpPart): string {
  const file = fileName === undefined ? "" : `; filename="${quoted(fileName)}"`;
  const line = `Content-Disposition: form-data; name="${quoted(name)}"${file}`;
  return type === undefined ? line : `${line}\r\nContent-Type: ${type.replaceAll(/[\r\n]/g, "")}`;
}

/** Escapes a name as browsers do (HTML standard, "multipart/form-data encoding algorithm"). */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
