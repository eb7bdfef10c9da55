import { ToolError, unlessMissing } from "../../core/errors.js";
import {
  documentCall,
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
import { withoutName } from "../../text/withoutName.js";
import type { Listed } from "./documentType.js";

/** Files read in parallel: enough to keep a disk busy, and fewer than any system's limit of open files. */
const READERS = 32;
/** Maximum number of names listed in a hint. */
const MAX_NAMED = 20;

/**
 * Returns the names of all documents, as their files are named, sorted; skips names that no document can have.
 *
 * @throws ToolError those of `Files.list`, except when the folder does not exist
 */
export async function documentNames(files: Files, kind: DocumentPlace): Promise<string[]> {
  return (await entriesOf(files, kind)).flatMap((entry) => nameOf(kind, entry)).sort(compareCodeUnits);
}

/** Reads all documents; a malformed one is listed with its problem. At most 2,000 are read. */
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

/** A document's file. */
export interface DocumentFile {
  name: string;
  at: GatedPath;
}

/**
 * Finds a document's file by name.
 *
 * @throws ToolError `invalid_input` for an invalid name, `not_found` with similar names, `is_directory` or
 * `unsupported` if it is not a file
 */
export async function findDocument(files: Files, kind: DocumentPlace, raw: string): Promise<DocumentFile> {
  const name = givenName(kind, raw);
  const at = await files.resolve(documentPath(kind, name));
  if (!(await isThere(files, at))) {
    throw await notFound(files, kind, name);
  }
  return { name, at };
}

/**
 * Whether a file exists.
 *
 * @throws ToolError those of `Files.stat`, `is_directory`, and `unsupported` for other non-files
 */
export async function isThere(files: Files, at: GatedPath): Promise<boolean> {
  const { kind } = (await unlessMissing(() => files.stat(at))) ?? {};
  if (kind !== undefined && kind !== "file") {
    throw new ToolError(
      kind === "directory" ? "is_directory" : "unsupported",
      `${at.path} is ${kind === "directory" ? "a folder" : "a pipe, socket or device"}, not a file.`,
      "Ask the user to move it.",
    );
  }
  return kind !== undefined;
}

/** Makes the error for a missing document, with similar or existing names. */
export async function notFound(files: Files, kind: DocumentPlace, name: string): Promise<ToolError> {
  const names = await documentNames(files, kind).catch(() => []);
  const near = nearestNames(name, names);
  const rest = names.length - MAX_NAMED;
  const hint =
    near.length > 0
      ? `Did you mean ${near.map(shownName).join(" or ")}?`
      : names.length === 0
        ? `There is no ${kind.noun} yet; ${documentCall("write", kind)} creates one.`
        : `There ${names.length === 1 ? "is" : "are"} ${names.slice(0, MAX_NAMED).map(shownName).join(", ")}${rest > 0 ? ` and ${rest} more: see ${documentCall("list", kind)}` : ""}.`;
  return new ToolError("not_found", `${kind.noun} ${name}: not found.`, hint);
}

/** Parses a snapshot as a document. */
export function parsedFrom<Fields>(
  kind: DocumentKind<Fields>,
  name: string,
  { text }: Pick<TextSnapshot, "text">,
): Parsed<Fields> {
  return parseDocument(kind, name, text);
}

/** Makes a parse result from the error of reading a file. */
export function unreadable(error: ToolError, at: Pick<GatedPath, "path">): { ok: false; problem: string } {
  return { ok: false, problem: withoutName(error.message, at.path).replace(/\.$/, "") };
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

async function entriesOf(files: Files, { folder, noun }: DocumentPlace): Promise<DirectoryEntry[]> {
  if (files.roots().length === 0) {
    // Nobody typed the path that the gate would name.
    throw new ToolError("unavailable", `${noun}s: no folder is open.`, "The user must open a folder first.");
  }
  return (await unlessMissing(async () => files.list(await files.resolve(folder)))) ?? [];
}

/**
 * Returns the document name of a directory entry, if it has one. For kinds with a folder per document it must be a
 * folder, otherwise anything but a folder, so that even a pipe in a document's place is reported.
 */
function nameOf({ suffix }: DocumentPlace, { name, kind }: DirectoryEntry): string[] {
  if (suffix.startsWith("/")) {
    return kind === "directory" ? [name] : [];
  }
  return kind !== "directory" && name.endsWith(suffix) && name.length > suffix.length && !name.startsWith(".")
    ? [name.slice(0, -suffix.length)]
    : [];
}
