import { ToolError } from "../../core/errors.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import { parentPath } from "../../core/paths/pathShape.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { KnowledgeRefresh } from "../../ports/knowledge.js";
import type { Search } from "../../ports/search.js";
import type { Syntax } from "../../ports/syntax.js";
import { textVersion } from "../../text/contentVersion.js";
import { decodeText, looksBinary } from "../../text/encoding.js";
import { isChanged } from "./changedFile.js";
import { chunksOf } from "../../text/search/chunks.js";
import type { Reading } from "./chunkIndex.js";
import type { Following } from "./follow.js";
import type { KeptFile } from "./places.js";
import { symbolChunks } from "./symbolChunks.js";

/** Maximum number of files in the index. */
const MAX_INDEXED_FILES = 10_000;
/** Maximum bytes of a file in it: a longer one is generated. */
const MAX_BYTES = 500_000;
/** Time limit for listing the files, and for reading changed ones in one search, in ms: the next search goes on. */
const LIST_LIMIT = 10_000;
const READ_LIMIT = 20_000;
/** Bytes and files that are indexed in one transaction. */
const BATCH_BYTES = 200_000;
const BATCH_FILES = 50;
/** The pause after a batch that nobody waits for, as a multiple of the batch's time, and at most, in ms. */
const REST = 3;
const MAX_REST = 300;

export interface CodeFilesHost {
  /** Both without what may hold secrets, as `withoutSecrets` returns them. */
  files: Files;
  search: Search;
  syntax: Syntax;
}

interface Listed {
  files: KeptFile[];
  /** Number of source files, of which `files` may be a part. */
  total: number;
  isWhole: boolean;
}

/** Brings the index of the workspace's code up to date with the files on disk, as far as the time for it goes. */
export async function followCode(
  host: CodeFilesHost,
  following: Pick<Following, "index" | "signal" | "now" | "isAhead" | "report">,
): Promise<KnowledgeRefresh> {
  const { index, signal } = following;
  const top = await host.files.resolve(".");
  const listed = await listSources(host, top, signal);
  const known = new Map(index.files().map((file) => [file.path, file]));
  const changed = listed.files.filter((file) => isChanged(file, known.get(file.path)));
  const { indexed, done } = await takeIn(host, top, changed, following);
  for (const { path } of listed.files) {
    known.delete(path);
  }
  // What was not listed for want of time may still be there.
  const gone = listed.isWhole ? [...known.values()].map(({ id }) => id) : [];
  if (gone.length > 0) {
    index.remove(gone);
  }
  const left = changed.length - done;
  const notes = remarks(listed, left);
  return {
    ...{ indexed, unchanged: listed.files.length - changed.length, removed: gone.length, failed: [], left },
    ...(notes.length > 0 && { note: notes.join(" ") }),
  };
}

function remarks({ files, total, isWhole }: Listed, left: number): string[] {
  return [
    ...(left > 0 ? [`${left} of ${files.length} source files have not been read yet: they are being read.`] : []),
    ...(total > MAX_INDEXED_FILES
      ? [`Only the first ${MAX_INDEXED_FILES} of ${total} source files are searched.`]
      : []),
    ...(isWhole ? [] : ["Not all files could be listed in time."]),
  ];
}

async function listSources(
  { files, search, syntax }: CodeFilesHost,
  top: GatedPath,
  signal: AbortSignal,
): Promise<Listed> {
  const request = { pattern: "*", at: top, includeIgnored: false, timeLimit: LIST_LIMIT };
  const { paths, partial } = await search.find(request, signal);
  const sources = paths.filter((path) => syntax.languageOf(path) !== undefined);
  const wanted = new Set(sources.slice(0, MAX_INDEXED_FILES));
  const listed: KeptFile[] = [];
  for (const folder of new Set([...wanted].map((path) => parentPath(path)))) {
    signal.throwIfAborted();
    const prefix = folder === "." || folder === "" ? "" : `${folder}/`;
    const at = await resolveFrom(files, top, prefix === "" ? "." : folder);
    for (const { name, kind, link, size, modified } of await files
      .list(at, Number.MAX_SAFE_INTEGER)
      .catch(unlessGone)) {
      const path = `${prefix}${name}`;
      // A link is another file's name, or leads out of the workspace.
      if (wanted.has(path) && kind === "file" && !link && size !== undefined) {
        listed.push({ path, size, modified: modified ?? 0 });
      }
    }
  }
  return { files: listed, total: sources.length, isWhole: !partial };
}

/** Reads and indexes changed files while there is time, or all of them with pauses if nobody waits. @returns how many were looked at, and how many were different */
async function takeIn(
  host: CodeFilesHost,
  top: GatedPath,
  changed: readonly KeptFile[],
  {
    index,
    signal,
    now,
    isAhead = false,
    report = () => undefined,
  }: Pick<Following, "index" | "signal" | "now" | "isAhead" | "report">,
): Promise<{ indexed: number; done: number }> {
  const began = now();
  let resumed = began;
  let indexed = 0;
  let done = 0;
  let batch: { file: KeptFile; reading: Reading }[] = [];
  let bytes = 0;
  const flush = (): void => {
    indexed += batch.length === 0 ? 0 : index.put(batch, began);
    batch = [];
    bytes = 0;
  };
  for (const file of changed) {
    signal.throwIfAborted();
    if (!isAhead && now() - began > READ_LIMIT) {
      break;
    }
    const reading = await read(host, top, file);
    done++;
    if (reading === undefined) {
      continue;
    }
    batch.push({ file, reading });
    bytes += file.size;
    if (bytes >= BATCH_BYTES || batch.length >= BATCH_FILES) {
      flush();
      report({ message: `${done} of ${changed.length} source files`, fraction: done / changed.length });
      // Parsing and writing are work without a pause.
      await new Promise((resolve) => setTimeout(resolve, isAhead ? Math.min(REST * (now() - resumed), MAX_REST) : 0));
      resumed = now();
    }
  }
  flush();
  return { indexed, done };
}

/** Returns a file's text by its symbols, if it can be parsed; none for one that may hold secrets or is not text; undefined if it is gone. */
async function read(
  { files, syntax }: CodeFilesHost,
  top: GatedPath,
  { path, size }: KeptFile,
): Promise<Reading | undefined> {
  const nothing: Reading = { text: "", hash: `${size}`, chunks: [] };
  if (size > MAX_BYTES) {
    return { problem: `has more than ${MAX_BYTES.toLocaleString("en")} bytes and is not searched` };
  }
  try {
    const bytes = await files.readBytes(await resolveFrom(files, top, path), MAX_BYTES);
    const { text, exact } = decodeText(bytes);
    if (looksBinary(bytes) || !exact) {
      return nothing;
    }
    const hash = await textVersion(text);
    const scan = await syntax.scan(path, text);
    if (scan === undefined || (scan.isBroken && scan.symbols.length === 0)) {
      const why =
        scan === undefined ? "could not be parsed in time" : `does not fit ${syntax.languageOf(path)}'s grammar`;
      return { text, hash, chunks: chunksOf(text, false), problem: `${why} and is searched without its symbols` };
    }
    return { text, hash, chunks: symbolChunks(path, text, scan.symbols) };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return error.type === "not_found" ? undefined : nothing;
  }
}

/** A folder that went away since its files were found has none. */
function unlessGone(error: unknown): [] {
  if (!(error instanceof ToolError)) {
    throw error;
  }
  return [];
}
