// What a manifest changes in the workspace.
import { ToolError, unlessMissing } from "../../core/errors.js";
import { parentPath } from "../../core/paths/pathShape.js";
import { MAX_FILE_BYTES, MAX_ENTRIES } from "../../features/manifests/limits.js";
import { contentBytes, type Content } from "../../features/manifests/content.js";
import { isMount, type Manifest } from "../../features/manifests/manifest.js";
import type { SourceReader } from "../../features/manifests/localSources.js";
import type { LocalSources } from "../../features/manifests/sandbox.js";
import type { Changes, FileChange } from "../../ports/changes.js";
import type { Files, GatedPath } from "../../ports/files.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { shownName } from "../../text/shownName.js";
import { newContent } from "../fs/byteOrderMark.js";
import type { ShownFile } from "../fs/shownDiffs.js";

/** Maximum characters of a text that is compared line by line. */
const MAX_COMPARED = 2_000_000;
/** Permission bits of a new folder. */
const NEW_FOLDER = 0o755;

/** After how many files progress is told, each time. */
export const MANY = 1_000;

/** What planning needs of a call. */
interface PlanHost {
  files: Files;
  changes: Changes;
  signal: AbortSignal;
  report: (progress: { message: string }) => void;
}

/** A file or folder that is to be. */
export interface Wanted {
  /** Relative to the workspace. */
  path: string;
  /** Undefined for a folder. */
  content?: Content;
  /** Whether a text takes the encoding that its file has. */
  keepsEncoding?: boolean;
}

/** What becomes of a file or folder. */
export interface Planned {
  path: string;
  change: "created" | "changed" | "same";
  isFolder: boolean;
  /** Absent if it stays as it is. */
  make?: FileChange;
  shown?: ShownFile;
}

/** The path of a target as the gate takes it: whatever its name, it is one in the workspace. */
export function targetName(path: string): string {
  return `./${path}`;
}

/** Returns all files and folders that a manifest wants, repositories aside. Reads local sources. */
export async function wantedOf(
  { entries }: Manifest,
  sources: LocalSources,
  take: SourceReader["take"],
): Promise<Wanted[]> {
  const wanted = new Map<string, Wanted>();
  const add = (each: Wanted): void => {
    const before = wanted.get(each.path);
    if (before !== undefined && (before.content === undefined) !== (each.content === undefined)) {
      throw new ToolError(
        "path_conflict",
        `${shownName(each.path)} would be a file and a folder. Nothing was done.`,
        "Give one of them another path.",
      );
    }
    // A later entry wins, as it does in a sandbox.
    wanted.set(each.path, each);
  };
  for (const entry of entries) {
    const { path } = entry;
    if (entry.type === "file") {
      const content = take(path, contentBytes(entry));
      add({ path, content, keepsEncoding: entry.encoding === undefined });
    } else if (entry.type === "dir") {
      add({ path });
    } else if (entry.type === "localFile") {
      add({ path, content: await sources.readFile(entry.src) });
    } else if (entry.type === "localDir") {
      add({ path });
      for (const part of await sources.readFolder(entry.src)) {
        add({ ...part, path: `${path}/${part.path}` });
      }
    }
    if (wanted.size > MAX_ENTRIES) {
      throw new ToolError(
        "too_large",
        `The manifest makes more than ${MAX_ENTRIES} files and folders. Nothing was done.`,
      );
    }
  }
  return [...wanted.values()];
}

/** Splits what is wanted into what is in the folders of repositories and all else. */
export function split({ entries }: Manifest, wanted: readonly Wanted[]): { first: Wanted[]; inClones: Wanted[] } {
  const clones = entries.filter(({ type }) => type === "gitRepo").map(({ path }) => `${path}/`);
  const isIn = ({ path }: Wanted): boolean => clones.some((clone) => path.startsWith(clone));
  return { first: wanted.filter((each) => !isIn(each)), inClones: wanted.filter(isIn) };
}

/**
 * Plans files and folders on what is there now.
 *
 * @param isFresh whether a repository was cloned there since permission decided on the paths: links in it may not lead
 *   elsewhere
 * @throws ToolError `path_conflict` where a file would take a folder's place, or the other way round
 */
export async function planAll(
  wanted: readonly Wanted[],
  { files, changes, signal, report }: PlanHost,
  isFresh = false,
): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const each of wanted) {
    signal.throwIfAborted();
    const at = await files.resolve(targetName(each.path));
    if (isFresh) {
      await refuseLed(files, at, each.path);
    }
    if (planned.length > 0 && planned.length % MANY === 0) {
      report({ message: `${planned.length} of ${wanted.length} files and folders compared` });
    }
    planned.push(await (each.content === undefined ? planFolder(each, at, files) : planFile(each, at, files, changes)));
  }
  return planned;
}

/** @throws ToolError `stale` if links of a repository that was cloned just now lead a path elsewhere */
export async function refuseLed(files: Files, at: GatedPath, path: string): Promise<void> {
  // In another spelling, it is looked up again.
  const now = await files.resolve(`./${targetName(path)}`);
  if (now.absolute !== at.absolute) {
    throw new ToolError(
      "stale",
      `${shownName(path)}: a link in the repository leads it to ${shownName(now.path)}. Nothing is kept.`,
      "Give the entry a path without links.",
    );
  }
}

async function planFolder({ path }: Wanted, at: GatedPath, files: Files): Promise<Planned> {
  const info = await unlessMissing(() => files.stat(at));
  if (info !== undefined && info.kind !== "directory") {
    throw taken(path, "file");
  }
  return info === undefined
    ? { path, change: "created", isFolder: true, make: { kind: "entry", at, after: { folder: NEW_FOLDER } } }
    : { path, change: "same", isFolder: true };
}

async function planFile(wanted: Wanted, at: GatedPath, files: Files, changes: Changes): Promise<Planned> {
  const { path, content = "", keepsEncoding = false } = wanted;
  const info = await unlessMissing(() => files.stat(at));
  if (info === undefined) {
    const made = typeof content === "string" ? newContent(content) : { bytes: content };
    const given = typeof content === "string" && !keepsEncoding ? { encoding: "utf8", ...made } : made;
    return {
      ...{ path, change: "created", isFolder: false },
      make: { kind: "create", at, content: given },
      shown: { at, kind: "new", diff: diffOf(path, undefined, content) },
    };
  }
  if (info.kind !== "file") {
    throw taken(path, info.kind === "directory" ? "folder" : "special file");
  }
  const before = await changes.beforeWhole(at, MAX_FILE_BYTES);
  if ("text" in before && typeof content === "string" && (keepsEncoding || /^utf-?8/.test(before.encoding))) {
    const text = content.replace(/^\uFEFF/, "");
    if (before.text === text) {
      return { path, change: "same", isFolder: false };
    }
    return {
      ...{ path, change: "changed", isFolder: false },
      make: { kind: "replace", at, before, text, saved: true },
      shown: { at, kind: "changed", diff: diffOf(path, before.text, content) },
    };
  }
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const now = await files.readBytes(at, MAX_FILE_BYTES);
  return sameBytes(now, bytes)
    ? { path, change: "same", isFolder: false }
    : {
        ...{ path, change: "changed", isFolder: false },
        make: { kind: "overwrite", at, before, content: { bytes } },
        shown: { at, kind: "changed", diff: diffOf(path, "", bytes) },
      };
}

/** Returns the changes to make. A folder comes with what is made in it, and goes with it in an undo. */
export function changesOf(planned: readonly Planned[]): FileChange[] {
  const filled = new Set<string>();
  for (const { path, make } of planned) {
    for (let folder = parentPath(path); make !== undefined && folder !== "."; folder = parentPath(folder)) {
      filled.add(folder);
    }
  }
  return planned.flatMap(({ path, isFolder, make }) =>
    make === undefined || (isFolder && filled.has(path)) ? [] : [make],
  );
}

/** Returns the entries that cannot be made. */
export function mountsOf({ entries }: Manifest): Manifest["entries"] {
  return entries.filter(isMount);
}

function diffOf(path: string, before: string | undefined, content: Content): string {
  if (typeof content !== "string") {
    return `${path}: binary, ${content.length} bytes`;
  }
  return (before ?? "").length + content.length > MAX_COMPARED
    ? `${path}: ${content.length} characters`
    : fileDiff(path, before, content);
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function taken(path: string, by: string): ToolError {
  return new ToolError(
    "path_conflict",
    `${shownName(path)}: a ${by} is there. Nothing was done.`,
    "Give the entry another path, or move what is there.",
  );
}
