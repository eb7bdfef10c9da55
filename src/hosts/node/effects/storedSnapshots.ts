// Snapshots on disk, for the next process if this one is killed while a command runs.
import { createHash } from "node:crypto";
import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { below, folderOf, type Folder, type Snapshot } from "../../../features/effects/snapshot.js";
import type { SnapshotNote } from "../../../features/effects/snapshots.js";
import { makeFolderSync } from "../disk/parentFolders.js";
import type { Kept } from "./contents/contents.js";
import { objectOf, type GitFiles } from "./contents/gitFiles.js";
import type { Repository } from "./gitRefs.js";
import { readRegular } from "./readRegular.js";
import { withRules } from "./walk.js";

/** Changes with the format, so that another version of Toolhost does not misread a snapshot. */
const FORMAT = 1;
/** Maximum bytes of a snapshot, and of a copy: one of 200,000 files has 28 MB. */
const MAX_BYTES = 200_000_000;
/** The ending of a snapshot's file, whose name is the snapshot's number. */
export const SNAPSHOT_ENDING = ".snapshot";

/** A root at the start of a command. */
export interface Taken extends Kept {
  snapshot: Snapshot;
  repositories: readonly Repository[];
}

interface StoredRoot extends Pick<Taken, "root" | "repositories"> {
  folders: Map<string, Omit<Folder, "ignores">>;
  uncovered: Snapshot["uncovered"];
  tops: Snapshot["repositories"];
  /** Names of the files with the copies, by paths. */
  copies: Map<string, string>;
  /** What Git keeps of files that are not copied: the folders of its objects, and their names by paths. */
  git: { objects: string; names: Map<string, string> }[];
}

interface Stored {
  format: typeof FORMAT;
  note: SnapshotNote;
  roots: StoredRoot[];
}

/** Writes snapshots into a folder. Each copy is written once. */
export class SnapshotFiles {
  readonly #folder: string;
  readonly #written = new Set<string>();
  /** The copies that the snapshots on disk use, by their numbers. */
  readonly #uses = new Map<number, ReadonlySet<string>>();
  /** Those of them that are not on disk any more. */
  readonly #ended = new Set<number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the path of a snapshot's file. */
  pathOf(id: number): string {
    return join(this.#folder, `${id}${SNAPSHOT_ENDING}`);
  }

  /** Writes a snapshot in steps, each of which takes some milliseconds. The snapshot counts once the last one is done. */
  *write(id: number, note: SnapshotNote, taken: readonly Taken[]): Generator<void> {
    makeFolderSync(this.#folder, 0o700);
    const used = new Set<string>();
    // The copies of those that have ended only served this one.
    this.#ended.forEach((each) => this.#uses.delete(each));
    this.#ended.clear();
    this.#uses.set(id, used);
    const roots: StoredRoot[] = [];
    for (const { root, repositories, snapshot, copies, git } of taken) {
      const names = new Map<string, string>();
      for (const [path, { bytes }] of copies) {
        const name = nameOf(bytes);
        used.add(name);
        if (!this.#written.has(name)) {
          writeFileSync(join(this.#folder, name), bytes, { mode: 0o600 });
          this.#written.add(name);
          yield;
        }
        names.set(path, name);
      }
      const folders = new Map<string, Omit<Folder, "ignores">>();
      const objects = git.map((each) => ({ each, objects: each.objects, names: new Map<string, string>() }));
      for (const [path, { entries, isIgnored, rules }] of snapshot.folders) {
        folders.set(path, { entries, isIgnored, rules });
        for (const [name, entry] of entries) {
          const place = below(path, name);
          for (const index of entry.kind === "file" && !names.has(place) ? objects : []) {
            const object = objectOf([index.each], `${root}/${place}`, entry);
            if (object !== undefined) {
              index.names.set(place, object);
            }
          }
        }
      }
      const { uncovered, repositories: tops } = snapshot;
      roots.push({
        ...{ root, repositories, folders, uncovered, tops, copies: names },
        git: objects.map(({ objects: folder, names: known }) => ({ objects: folder, names: known })),
      });
      yield;
    }
    const path = this.pathOf(id);
    writeFileSync(`${path}.tmp`, serialize({ format: FORMAT, note, roots } satisfies Stored), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
    this.#removeUnused();
  }

  /** Is told that a snapshot is not on disk any more. Its copies stay for the next one, which has most of them, too. */
  forget(id: number): void {
    this.#ended.add(id);
  }

  /** Removes the copies of which files have other contents by now. */
  #removeUnused(): void {
    for (const name of this.#written) {
      if (![...this.#uses.values()].some((used) => used.has(name))) {
        rmSync(join(this.#folder, name), { force: true });
        this.#written.delete(name);
      }
    }
  }
}

/** Notes on a snapshot's file that its command still runs. */
export function touchSnapshot(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

/**
 * Reads a snapshot that a killed process left.
 *
 * @returns undefined if it is not whole or of another version; `seen`: when that process last said that the command was
 *   running, in milliseconds since 1970
 */
export function readSnapshot(path: string): { note: SnapshotNote; taken: Taken[]; seen: number } | undefined {
  let stored: Stored;
  const file = readRegular(path, MAX_BYTES);
  try {
    stored = deserialize(file?.bytes ?? Buffer.alloc(0)) as Stored;
  } catch {
    return undefined;
  }
  if (file === undefined || stored.format !== FORMAT) {
    return undefined;
  }
  const taken = stored.roots.map(({ root, repositories, folders, uncovered, tops, copies, git }): Taken => {
    const bytes = [...copies].flatMap(([place, name]) => {
      const copy = readCopy(join(path, "..", name), name);
      return copy === undefined ? [] : [[place, { bytes: copy }] as const];
    });
    return {
      ...{ root, repositories },
      copies: new Map(bytes),
      git: git.map(({ objects, names }) => gitFilesOf(root, folders, objects, names)),
      snapshot: { folders: withRules(folders), uncovered, repositories: tops },
    };
  });
  const { mtimeMs } = file.stats;
  // A clock that was set back since says nothing.
  return { note: stored.note, taken, seen: mtimeMs > Date.now() ? stored.note.started : mtimeMs };
}

/** Returns what an index said of files when the snapshot was taken. */
function gitFilesOf(
  root: string,
  folders: StoredRoot["folders"],
  objects: string,
  names: ReadonlyMap<string, string>,
): GitFiles {
  const entries = [...names].flatMap(([path, object]) => {
    const at = `${root}/${path}`;
    const entry = folders.get(folderOf(path))?.entries.get(path.slice(folderOf(path).length).replace("/", ""));
    return entry === undefined
      ? []
      : [[at, { ...entry, path, object, isRepository: false, number: entry.number % 2 ** 32 }] as const];
  });
  return { objects, entries: new Map(entries), written: Infinity };
}

/** Returns a copy; undefined if the process was killed while it wrote it. */
function readCopy(path: string, name: string): Buffer | undefined {
  try {
    const bytes = readRegular(path, MAX_BYTES)?.bytes;
    return bytes !== undefined && nameOf(bytes) === name ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
