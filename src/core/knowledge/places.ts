import type { Files, GatedPath } from "../../ports/files.js";
import type { KnowledgeArea } from "../../ports/knowledge.js";
import { ToolError } from "../errors.js";
import { secretReason } from "../protectedFiles.js";

/** A file of an area as it lies on disk. */
export interface KeptFile {
  /** As the area's tools write it. */
  path: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
}

const FOLDER = ".toolhost";
const CONTEXT = `${FOLDER}/context`;
/** Sizes and times of all entries of a folder. */
const ALL = Number.MAX_SAFE_INTEGER;

/** Where a file of an area lies in the workspace: in its first folder. */
export function workspacePath(files: Files, area: KnowledgeArea, path: string): string {
  const folders = files.roots().filter(({ beside }) => !beside);
  const [first] = folders;
  if (first === undefined) {
    throw new ToolError("unavailable", "What agents keep lies in the workspace, and no folder is open.", "Open a folder first.");
  }
  const below = `${area === "context" ? CONTEXT : FOLDER}${path === "" ? "" : `/${path}`}`;
  return folders.length > 1 ? `${first.name}/${below}` : below;
}

/**
 * All files of an area. Links are left out: what they lead to is not what somebody put there. So are files that may hold secrets:
 * reading one asks, and nothing that a search tells may depend on what stands in it.
 */
export async function listArea(files: Files, area: KnowledgeArea, signal: AbortSignal): Promise<KeptFile[]> {
  return (await listAll(files, area, signal)).filter(({ path }) => secretReason(path) === undefined);
}

async function listAll(files: Files, area: KnowledgeArea, signal: AbortSignal): Promise<KeptFile[]> {
  const found: KeptFile[] = [];
  if (area === "context") {
    await collect(files, area, "", () => true, found, signal);
    return found.filter(({ path }) => path !== ".gitignore");
  }
  await collect(files, area, "", (path) => path === "MEMORY.md" || path === "memory", found, signal);
  return found.filter(({ path }) => path === "MEMORY.md" || /^memory\/[^/]+\.md$/.test(path));
}

async function collect(files: Files, area: KnowledgeArea, folder: string, wanted: (path: string) => boolean, found: KeptFile[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const at = await existing(files, workspacePath(files, area, folder));
  for (const { name, kind, link, size, modified } of at === undefined ? [] : await files.list(at, ALL)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (link || !wanted(path)) {
      continue;
    }
    if (kind === "directory") {
      await collect(files, area, path, area === "context" ? wanted : () => true, found, signal);
    } else if (kind === "file" && size !== undefined) {
      found.push({ path, size, modified: modified ?? 0 });
    }
  }
}

/** A folder that is there, and no link on its way. */
async function existing(files: Files, path: string): Promise<GatedPath | undefined> {
  const at = await files.resolve(path);
  if (at.realPath !== at.path) {
    return undefined;
  }
  try {
    return (await files.stat(at)).kind === "directory" ? at : undefined;
  } catch (error) {
    if (error instanceof ToolError && error.type === "not_found") {
      return undefined;
    }
    throw error;
  }
}
