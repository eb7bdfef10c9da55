import type { DirectoryEntry, Files, GatedPath } from "../../ports/files.js";
import type { KnowledgeArea } from "../../ports/knowledge.js";
import { MAX_CONTEXT_DEPTH } from "../context/path.js";
import { ToolError, unlessMissing } from "../../core/errors.js";
import { secretReason } from "../../core/paths/protectedFiles.js";
import { CONTEXT_FOLDER, STATE_FOLDER } from "../../names/stateFolder.js";

/** A file of an area, as it is on disk. */
export interface KeptFile {
  /** As the area's tools write it. */
  path: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** For a folder: why it is not searched. */
  unlisted?: string;
}

/** Asks for the sizes and times of all entries of a folder. */
const ALL = Number.MAX_SAFE_INTEGER;
/** Size and time used for a folder. */
const UNLISTED = { size: 0, modified: 0 };

/** Returns the workspace path of an area's file: it is in the first folder. */
export function workspacePath(files: Files, area: KnowledgeArea, path: string): string {
  const folders = files.roots().filter(({ beside }) => !beside);
  const [first] = folders;
  if (first === undefined) {
    throw new ToolError(
      "unavailable",
      "Agents' files are in the workspace, and no folder is open.",
      "Open a folder first.",
    );
  }
  if (area === "code") {
    return path === "" ? "." : path;
  }
  const below = `${area === "context" ? CONTEXT_FOLDER : STATE_FOLDER}${path === "" ? "" : `/${path}`}`;
  return folders.length > 1 ? `${first.name}/${below}` : below;
}

/**
 * Lists all files of an area. Links are skipped: their targets were not put there by an agent. So are files that may
 * hold secrets: reading one needs the user's consent, and no search result may depend on its content. A folder that is
 * nested too deep or cannot be listed is returned as one file with its problem.
 */
export async function listArea(files: Files, area: KnowledgeArea, signal: AbortSignal): Promise<KeptFile[]> {
  return (await listAll(files, area, signal)).filter(({ path }) => secretReason(path) === undefined);
}

async function listAll(files: Files, area: KnowledgeArea, signal: AbortSignal): Promise<KeptFile[]> {
  const found: KeptFile[] = [];
  // For memory, do not open other folders: there may be thousands.
  const wanted = (path: string): boolean =>
    area === "context" ? path !== ".gitignore" : /^(MEMORY\.md|memory(\/[^/]+\.md)?)$/.test(path);
  await collect(files, area, "", wanted, found, signal);
  return area === "context" ? found : found.filter(({ path }) => path !== "memory");
}

async function collect(
  files: Files,
  area: KnowledgeArea,
  folder: string,
  wanted: (path: string) => boolean,
  found: KeptFile[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  for (const { name, kind, link, size, modified } of await entriesOf(files, area, folder, found)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (link || !wanted(path)) {
      continue;
    }
    if (kind === "directory" && path.split("/").length >= MAX_CONTEXT_DEPTH) {
      found.push({
        ...UNLISTED,
        path,
        unlisted: `is a folder at level ${MAX_CONTEXT_DEPTH}, and nothing below it is searched. Move it higher up`,
      });
    } else if (kind === "directory") {
      await collect(files, area, path, wanted, found, signal);
    } else if (kind === "file" && size !== undefined) {
      found.push({ path, size, modified: modified ?? 0 });
    }
  }
}

/**
 * Lists a folder. If a folder of the context store other than its root cannot be listed, that is noted and the rest is
 * still searched.
 */
async function entriesOf(
  files: Files,
  area: KnowledgeArea,
  folder: string,
  found: KeptFile[],
): Promise<DirectoryEntry[]> {
  try {
    const at = await existing(files, workspacePath(files, area, folder));
    return at === undefined ? [] : await files.list(at, ALL);
  } catch (error) {
    if (folder === "" || area === "memory" || !(error instanceof ToolError)) {
      throw error;
    }
    if (error.type !== "not_found") {
      found.push({ ...UNLISTED, path: folder, unlisted: `cannot be listed (${error.message.replace(/\.$/, "")})` });
    }
    return [];
  }
}

/** Returns a folder if it exists and no link leads to it. */
async function existing(files: Files, path: string): Promise<GatedPath | undefined> {
  const at = await files.resolve(path);
  if (at.realPath !== at.path) {
    return undefined;
  }
  const info = await unlessMissing(() => files.stat(at));
  return info?.kind === "directory" ? at : undefined;
}
