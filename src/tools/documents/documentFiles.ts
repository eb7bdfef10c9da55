import { ToolError, unlessMissing } from "../../core/errors.js";
import {
  documentPath,
  givenName,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  parseDocument,
  type DocumentKind,
  type DocumentPlace,
  type Parsed,
} from "../../features/documents/document.js";
import type { DirectoryEntry, Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import { compareCodeUnits, nearestNames } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import type { Listed } from "./documentType.js";

/** Files read side by side: enough to keep a disk busy, and no more open at once than any system takes. */
const READERS = 32;
/** Names told in a hint. */
const MAX_NAMED = 20;

/**
 * The names of the documents there are, as their files have them, in order; those that no document can have are left
 * out.
 *
 * @throws ToolError as `Files.list` does, but for a folder that is not there
 */
export async function documentNames(files: Files, kind: DocumentPlace): Promise<string[]> {
  return (await entriesOf(files, kind)).flatMap((entry) => nameOf(kind, entry)).sort(compareCodeUnits);
}

/** The documents there are, with what is wrong with those that are malformed. At most 2,000 are read. */
export async function listDocuments<Fields>(
  files: Files,
  kind: DocumentKind<Fields>,
  signal: AbortSignal,
): Promise<Listed<Fields>[]> {
  const names = (await documentNames(files, kind)).slice(0, MAX_DOCUMENTS);
  const listed: Listed<Fields>[] = [];
  for (let from = 0; from < names.length; from += READERS) {
    signal.throwIfAborted();
    const read = await Promise.all(names.slice(from, from + READERS).map((name) => listOne(files, kind, name)));
    listed.push(...read.flatMap((one) => (one === undefined ? [] : [one])));
  }
  return listed;
}

/** A document's file with its text. */
export interface DocumentFile {
  name: string;
  at: GatedPath;
}

/**
 * The file of a document by its name.
 *
 * @throws ToolError `invalid_input` for what is no name, `not_found` with near names, `unsupported` for what is no file
 */
export async function findDocument(files: Files, kind: DocumentPlace, raw: string): Promise<DocumentFile> {
  const name = givenName(kind, raw);
  const at = await files.resolve(documentPath(kind, name));
  if (!(await isThere(files, at))) {
    throw await notFound(files, kind, name);
  }
  return { name, at };
}

/** Whether something is at a place. @throws ToolError as `Files.stat` does, and `unsupported` for what is no file */
export async function isThere(files: Files, at: GatedPath): Promise<boolean> {
  const { kind } = (await unlessMissing(() => files.stat(at))) ?? {};
  if (kind !== undefined && kind !== "file") {
    throw new ToolError(
      kind === "directory" ? "is_directory" : "unsupported",
      `${at.path}: is ${kind === "directory" ? "a folder" : "a pipe, socket or device"}, not a file.`,
      "Ask the user to move it.",
    );
  }
  return kind !== undefined;
}

/** There is no such document: what comes near, or what there is. */
export async function notFound(files: Files, kind: DocumentPlace, name: string): Promise<ToolError> {
  const names = await documentNames(files, kind).catch(() => []);
  const near = nearestNames(name, names);
  const rest = names.length - MAX_NAMED;
  const hint =
    near.length > 0
      ? `Did you mean ${near.map(shownName).join(" or ")}?`
      : names.length === 0
        ? `There is no ${kind.noun} yet; ${kind.noun}_write creates one.`
        : `There ${names.length === 1 ? "is" : "are"} ${names.slice(0, MAX_NAMED).map(shownName).join(", ")}${rest > 0 ? ` and ${rest} more: see ${kind.noun}_list` : ""}.`;
  return new ToolError("not_found", `${kind.noun} ${name}: not found.`, hint);
}

/** What a snapshot is as a document. */
export function parsedFrom<Fields>(
  kind: DocumentKind<Fields>,
  name: string,
  { text }: Pick<TextSnapshot, "text">,
): Parsed<Fields> {
  return parseDocument(kind, name, text);
}

/** What keeps a file from being a document. */
export function unreadable(error: ToolError, at: Pick<GatedPath, "path">): { ok: false; problem: string } {
  return { ok: false, problem: error.message.replace(`${at.path}: `, "").replace(/\.$/, "") };
}

async function listOne<Fields>(
  files: Files,
  kind: DocumentKind<Fields>,
  name: string,
): Promise<Listed<Fields> | undefined> {
  let path = documentPath(kind, name);
  try {
    const at = await files.resolve(path);
    path = at.path;
    if (!(await isThere(files, at))) {
      return undefined;
    }
    return { name, path, parsed: parsedFrom(kind, name, await files.readSnapshot(at, MAX_DOCUMENT_BYTES)) };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return error.type === "not_found" ? undefined : { name, path, parsed: unreadable(error, { path }) };
  }
}

async function entriesOf(files: Files, { folder }: DocumentPlace): Promise<DirectoryEntry[]> {
  return (await unlessMissing(async () => files.list(await files.resolve(folder)))) ?? [];
}

/**
 * A folder for kinds whose documents have one each, else anything but a folder: a pipe in a document's place is told,
 * too.
 */
function nameOf({ suffix }: DocumentPlace, { name, kind }: DirectoryEntry): string[] {
  if (suffix.startsWith("/")) {
    return kind === "directory" ? [name] : [];
  }
  return kind !== "directory" && name.endsWith(suffix) && name.length > suffix.length && !name.startsWith(".")
    ? [name.slice(0, -suffix.length)]
    : [];
}
