import { lstatSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileKey } from "../../../core/paths/fileKey.js";
import type { ViewChange } from "../../../features/changes/publication.js";
import type { Files } from "../../../ports/files.js";
import { messageOf } from "../../../text/words.js";
import { entryAt } from "../disk/entries.js";
import { readRegular } from "../effects/readRegular.js";
import { isSameContent, type Content, type CopyChange, type FolderCopy } from "./folderCopy.js";
import { mergeFile } from "./mergeFile.js";

/** Maximum bytes of a file of the folder that is merged into. */
const MAX_FILE = 16 * 1024 * 1024;
/** How long to try again while somebody changes the same files, and how long to wait in between, in ms. */
const PATIENCE = 60_000;
const PAUSE = 20;

/** A change that was not made, and why, as a clause. */
export interface LeftChange {
  path: string;
  why: string;
}

/** What became of a task's changes. */
export interface BroughtBack {
  /** The paths of what was changed in the folder. */
  made: string[];
  left: LeftChange[];
}

/**
 * Makes changes in the folder, all or none, as `ChangeKeeper.publish` does.
 *
 * @param untouched called when everything was read: returns what somebody changed since
 */
export type Publish = (
  changes: readonly ViewChange[],
  newFolder: number,
  untouched: () => string | undefined,
) => Promise<{ changes: readonly unknown[] } | { dropped: string }>;

/**
 * Brings what a task changed in its copy into the folder, as one change. What others changed there meanwhile stays: a
 * file in which both changed the same is left as it is.
 *
 * @param files those of the folder's workspace
 */
export async function bringBack(
  copy: FolderCopy,
  changes: readonly CopyChange[],
  files: Files,
  publish: Publish,
  signal: AbortSignal,
): Promise<BroughtBack> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    signal.throwIfAborted();
    const plan = await planned(copy, changes, files);
    if (plan.changes.length === 0) {
      return { made: [], left: plan.left };
    }
    const outcome = await publish(plan.changes, 0o777 & ~process.umask(), () =>
      plan.seen.some(hasChanged) ? "A file was changed while the task's changes were merged into it." : undefined,
    );
    if (!("dropped" in outcome)) {
      // Folders are made with the files in them.
      const made = plan.changes.filter(({ after }) => after === undefined || !("folder" in after));
      return { made: made.map(({ path }) => path), left: plan.left };
    }
    // Somebody is typing: what they saved is read again, and merged.
    if (!plan.seen.some(hasChanged) || performance.now() > until) {
      const why = outcome.dropped.replace(/\.$/, "");
      return { made: [], left: [...plan.left, ...plan.changes.map(({ path }) => ({ path, why }))] };
    }
    await setTimeout(PAUSE);
  }
}

interface Plan {
  changes: ViewChange[];
  left: LeftChange[];
  seen: Seen[];
}

/** What was at a place when the changes were planned. */
interface Seen {
  path: string;
  stats: BigIntStats | undefined;
  content: Content;
}

async function planned(copy: FolderCopy, changes: readonly CopyChange[], files: Files): Promise<Plan> {
  const plan: Plan = { changes: [], left: [], seen: [] };
  for (const change of changes) {
    const { path } = change;
    const absolute = join(copy.original, path);
    try {
      // The task made a folder of what is still a link or a file there: nothing is in it.
      const isNew = isBehind(copy, path, changes);
      if (!isNew && fileKey(await (files.resolveEntry?.(path) ?? files.resolve(path))) !== absolute) {
        throw new Error("a link leads elsewhere there now");
      }
      const stats = isNew ? undefined : statsAt(absolute);
      const now = isNew ? { content: undefined } : contentAt(absolute);
      if (!isNew) {
        plan.seen.push({ path: absolute, stats, content: now.content });
      }
      const merged = mergeFile(change, now, () => copy.isUntouched(path));
      if (merged === "nothing") {
        continue;
      }
      if ("conflict" in merged) {
        plan.left.push({ path, why: merged.conflict });
        continue;
      }
      const { content, mode } = merged;
      plan.changes.push({ path, absolute, ...(content && { after: content }), ...(mode !== undefined && { mode }) });
    } catch (error) {
      plan.left.push({ path, why: messageOf(error).replace(/\.$/, "") });
    }
  }
  return plan;
}

/** Whether a path is below one that is a folder only in the copy. */
function isBehind(copy: FolderCopy, path: string, changes: readonly CopyChange[]): boolean {
  return changes.some(({ path: folder, after }) => {
    const isAbove = path.startsWith(`${folder}/`) && after !== undefined && "folder" in after;
    const now = isAbove ? statsAt(join(copy.original, folder)) : undefined;
    return now !== undefined && !now.isDirectory();
  });
}

/** @throws Error if something is there that cannot be read */
function contentAt(path: string): { content: Content; mode?: number } {
  const entry = entryAt(path);
  if (entry === undefined) {
    if (statsAt(path) !== undefined) {
      throw new Error("something else is there now");
    }
    return { content: undefined };
  }
  if (!("mode" in entry)) {
    // A copy has no other bits, such as set-group-id of a folder that a group shares.
    return { content: "folder" in entry ? { folder: entry.folder & 0o777 } : entry };
  }
  const bytes = readRegular(path, MAX_FILE)?.bytes;
  if (bytes === undefined) {
    throw new Error("what is there now cannot be read, or is larger than 16 MB");
  }
  return { content: bytes, mode: entry.mode & 0o777 };
}

/** Whether somebody changed a file since. Times alone do not tell: two changes may have the same. */
function hasChanged({ path, stats, content }: Seen): boolean {
  try {
    return !isSameStats(statsAt(path), stats) || !isSameContent(contentAt(path).content, content);
  } catch {
    return true;
  }
}

function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSameStats(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one === undefined || other === undefined
    ? one === other
    : one.ino === other.ino && one.ctimeNs === other.ctimeNs && one.size === other.size;
}
