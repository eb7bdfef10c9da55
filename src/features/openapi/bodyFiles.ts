// The files that a call sends: paths in its input, read through the gate when it runs.
import { ToolError } from "../../core/errors.js";
import { baseName } from "../../core/paths/pathShape.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { HttpBody } from "../../ports/http.js";
import { shownName } from "../../text/shownName.js";
import type { FilePart, PlainBody, PlainPart } from "./body.js";
import { count } from "../../text/words.js";

/** Bytes of all files of a call: they are held in memory. */
const MAX_BYTES = 50_000_000;
/** Files of a call, each of which may need a question. */
export const MAX_FILES = 20;

/** Media types that services look at, by the ending of a name; of others they see bytes. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" },
  ...{ svg: "image/svg+xml", avif: "image/avif", bmp: "image/bmp", ico: "image/x-icon", tiff: "image/tiff" },
  ...{ txt: "text/plain", log: "text/plain", md: "text/markdown", csv: "text/csv", html: "text/html" },
  ...{ css: "text/css", js: "text/javascript", json: "application/json", xml: "application/xml" },
  ...{ yaml: "application/yaml", yml: "application/yaml", pdf: "application/pdf", zip: "application/zip" },
  ...{ gz: "application/gzip", tar: "application/x-tar", wasm: "application/wasm", mp3: "audio/mpeg" },
  ...{ wav: "audio/wav", ogg: "audio/ogg", mp4: "video/mp4", webm: "video/webm", mov: "video/quicktime" },
};

type OpenFiles = Pick<Files, "resolve" | "stat" | "readBytes">;

/** Returns the paths of a body's files. */
export function pathsIn(body: PlainBody | undefined): string[] {
  return filesIn(body).map(({ path }) => path);
}

/** Returns a file's size and type, for people. @throws ToolError if it cannot be sent */
export async function describeFile(part: Pick<FilePart, "path" | "type">, files: OpenFiles): Promise<string> {
  const { size } = await lookAt(part.path, files);
  return `${shownName(part.path)} (${count(size, "byte")}, ${typeOf(part)})`;
}

/** Returns a body with the contents of its files. @throws ToolError if one cannot be read, or they are too large */
export async function withFiles(body: PlainBody, files: OpenFiles): Promise<HttpBody> {
  if (body.kind === "text") {
    return body;
  }
  const all = filesIn(body);
  if (all.length > MAX_FILES) {
    throw new ToolError("too_large", `The call sends ${all.length} files; ${MAX_FILES} at most.`, "Send fewer.");
  }
  let left = MAX_BYTES;
  const read = async (path: string): Promise<Uint8Array> => {
    const { at, size } = await lookAt(path, files);
    if (size > left) {
      throw new ToolError(
        "too_large",
        `${shownName(path)} has ${size} bytes; the files of a call have ${MAX_BYTES} at most. Nothing was sent.`,
        "Send fewer or smaller ones.",
      );
    }
    const bytes = await files.readBytes(at, left);
    left -= bytes.length;
    return bytes;
  };
  if (body.kind === "file") {
    return { kind: "bytes", type: typeOf(body), bytes: await read(body.path) };
  }
  const parts = [];
  for (const part of body.parts) {
    parts.push(
      isFile(part)
        ? { name: part.name, value: await read(part.path), type: typeOf(part), fileName: baseName(part.path) }
        : part,
    );
  }
  return { kind: "multipart", parts };
}

export function isFile(part: PlainPart): part is FilePart {
  return "path" in part;
}

function filesIn(body: PlainBody | undefined): readonly Pick<FilePart, "path">[] {
  return body?.kind === "file" ? [body] : body?.kind === "multipart" ? body.parts.filter(isFile) : [];
}

function typeOf({ path, type }: Pick<FilePart, "path" | "type">): string {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return type ?? (Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined) ?? "application/octet-stream";
}

async function lookAt(path: string, files: OpenFiles): Promise<{ at: GatedPath; size: number }> {
  const at = await files.resolve(path);
  const { kind, size, unsaved } = await files.stat(at);
  if (kind !== "file") {
    throw new ToolError(
      "unsupported",
      `${shownName(path)} is not a file. Nothing was sent.`,
      "Give the path of a file.",
    );
  }
  if (unsaved) {
    throw new ToolError(
      "conflict",
      `${shownName(path)} has unsaved changes in the editor, and files are sent as they are on disk. Nothing was sent.`,
      "The user can save it.",
    );
  }
  return { at, size };
}
