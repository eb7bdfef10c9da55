// Snapshots on disk, for the next process if this one is killed while a command runs.
import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { below, type Snapshot } from "../../../features/effects/snapshot.js";
import type { SnapshotNote } from "../../../features/effects/snapshots.js";
import { makeFolderSync } from "../disk/parentFolders.js";
import type { Kept } from "./contents/contents.js";
import { Copies } from "./contents/copies.js";
import type { GitFiles } from "./contents/gitFiles.js";
import type { Repository } from "./gitRefs.js";
import { readRegular } from "./readRegular.js";
import { decodeFolder, encodeFolder, nameOf, type EncodedFolder, type ReadFolder } from "./storedFolder.js";
import { withRules } from "./walk.js";

/** Changes with the format, so that another version of Toolhost does not misread a snapshot. */
const FORMAT = 3;
/** Number of bytes of the length that a file begins with. */
const LENGTH = 4;
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
  /** Path and number of bytes of each folder. The bytes follow. */
  folders: [path: string, bytes: number][];
  uncovered: Snapshot["uncovered"];
  tops: Snapshot["repositories"];
  /** The folders of Git's objects. */
  objects: string[];
  /** The names of clones in the folder, by the paths of their files; undefined if there can be none. */
  clones: [path: string, name: string][] | undefined;
}

/** What a file begins with, after the number of its bytes. */
interface Stored {
  format: typeof FORMAT;
  note: SnapshotNote;
  roots: StoredRoot[];
}

/** Writes snapshots into a folder. Each copy is written once. */
export class SnapshotFiles {
  readonly #folder: string;
  /** The folders that the snapshots on disk have, by the snapshots' numbers. */
  readonly #uses = new Map<number, Set<EncodedFolder>>();
  /** Those of them that are not on disk any more. */
  readonly #ended = new Set<number>();
  /** All of these folders, and how many of them have each copy. */
  #held = new Set<EncodedFolder>();
  readonly #counts = new Map<string, number>();
  /** The copies on disk. */
  readonly #written = new Set<string>();

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
    const used = new Set<EncodedFolder>();
    // The copies of those that have ended only served this one.
    this.#ended.forEach((each) => this.#uses.delete(each));
    this.#ended.clear();
    this.#uses.set(id, used);
    const roots: StoredRoot[] = [];
    const parts: Buffer[] = [];
    for (const { root, repositories, snapshot, copies, clones, git } of taken) {
      const folders: StoredRoot["folders"] = [];
      for (const [path, folder] of snapshot.folders) {
        const encoded = encodeFolder(path === "" ? root : `${root}/${path}`, folder, copies.in(path), git);
        used.add(encoded);
        yield* this.#writeCopies(encoded);
        folders.push([path, encoded.bytes.length]);
        parts.push(encoded.bytes);
      }
      const { uncovered, repositories: tops } = snapshot;
      roots.push({
        ...{ root, repositories, folders, uncovered, tops, objects: git.map(({ objects }) => objects) },
        clones: clones && [...clones].map(([path, { file }]) => [path, basename(file)]),
      });
    }
    const head = serialize({ format: FORMAT, note, roots } satisfies Stored);
    const length = Buffer.alloc(LENGTH);
    length.writeUInt32LE(head.length);
    const path = this.pathOf(id);
    writeFileSync(`${path}.tmp`, Buffer.concat([length, head, ...parts]), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
    this.#removeUnused();
  }

  /** Is told that a snapshot is not on disk any more. Its copies stay for the next one, which has most of them, too. */
  forget(id: number): void {
    this.#ended.add(id);
  }

  *#writeCopies(encoded: EncodedFolder): Generator<void> {
    if (!this.#held.has(encoded)) {
      this.#held.add(encoded);
      encoded.copies.forEach((_, name) => this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1));
      yield;
    }
    for (const [name, bytes] of encoded.copies) {
      if (!this.#written.has(name)) {
        writeFileSync(join(this.#folder, name), bytes, { mode: 0o600 });
        this.#written.add(name);
        yield;
      }
    }
  }

  /** Removes the copies of which files have other contents by now. */
  #removeUnused(): void {
    const used = new Set([...this.#uses.values()].flatMap((each) => [...each]));
    for (const encoded of this.#held) {
      for (const name of used.has(encoded) ? [] : encoded.copies.keys()) {
        const count = (this.#counts.get(name) ?? 0) - 1;
        this.#counts.set(name, count);
        if (count === 0) {
          this.#counts.delete(name);
          this.#written.delete(name);
          rmSync(join(this.#folder, name), { force: true });
        }
      }
    }
    this.#held = used;
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
  const file = readRegular(path, MAX_BYTES);
  const taken = file && takenIn(file.bytes, join(path, ".."));
  if (file === undefined || taken === undefined) {
    return undefined;
  }
  const { mtimeMs } = file.stats;
  // A clock that was set back since says nothing.
  return { ...taken, seen: mtimeMs > Date.now() ? taken.note.started : mtimeMs };
}

function takenIn(bytes: Buffer, folder: string): { note: SnapshotNote; taken: Taken[] } | undefined {
  try {
    let at = LENGTH + bytes.readUInt32LE();
    const { format, note, roots } = deserialize(bytes.subarray(LENGTH, at)) as Stored;
    const sizes = roots.flatMap(({ folders }) => folders.map(([, size]) => size));
    if (format !== FORMAT || sizes.reduce((sum, size) => sum + size, at) !== bytes.length) {
      return undefined;
    }
    const taken = roots.map(({ folders, ...root }) => {
      const read = folders.map(
        ([path, size]) => [path, decodeFolder(bytes.subarray(at, (at += size)))] satisfies [string, ReadFolder],
      );
      return takenOf(root, new Map(read), folder);
    });
    return { note, taken };
  } catch {
    return undefined;
  }
}

/** @param folder where the copies are */
function takenOf(
  { root, repositories, uncovered, tops, objects, clones }: Omit<StoredRoot, "folders">,
  read: ReadonlyMap<string, ReadFolder>,
  folder: string,
): Taken {
  const copies = [...read].map(([path, { copies: names }]) => {
    const bytes = [...names].flatMap(([name, file]) => {
      const copy = readCopy(join(folder, file), file);
      return copy === undefined ? [] : [[name, { bytes: copy }] as const];
    });
    return [path, new Map(bytes)] as const;
  });
  const folders = new Map([...read].map(([path, each]) => [path, each.folder] as const));
  return {
    ...{ root, repositories },
    copies: new Copies(new Map(copies)),
    clones: clones && new Map(clones.map(([path, name]) => [path, { file: join(folder, name) }])),
    git: objects.map((place, index) => ({ objects: place, entries: indexOf(root, read, index), written: Infinity })),
    snapshot: { folders: withRules(folders), uncovered, repositories: tops },
  };
}

/** Returns what an index said of files when the snapshot was taken. */
function indexOf(root: string, read: ReadonlyMap<string, ReadFolder>, index: number): GitFiles["entries"] {
  const entries = [...read].flatMap(([path, { folder, objects }]) =>
    [...(objects[index] ?? [])].flatMap(([name, object]) => {
      const entry = folder.entries.get(name);
      const place = below(path, name);
      return entry === undefined
        ? []
        : [
            [
              `${root}/${place}`,
              { ...entry, path: place, object, isRepository: false, number: entry.number % 2 ** 32 },
            ] as const,
          ];
    }),
  );
  return new Map(entries);
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
