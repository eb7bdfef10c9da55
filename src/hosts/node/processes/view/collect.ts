import { constants, type BigIntStats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { targetOf } from "../../disk/entries.js";
import type { EntryState } from "../../../../ports/files.js";
import { visible, type Layer } from "./overlay.js";

/** Maximum number of changes of a command that are made in the workspace. */
const MAX_CHANGES = 2_000;
/** Maximum bytes of a file among them, and of all. */
const MAX_FILE = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum number of reasons that are collected. */
const MAX_REFUSED = 100;
/** Maximum depth of folders. */
const MAX_DEPTH = 200;

const ODD_NAMES = "names that are not UTF-8";

/** What a command made of a file, link or folder in its view. */
export interface FoundChange {
  /** Relative to the folder of the view. */
  path: string;
  /** What is there now; undefined if nothing is. */
  after?: Uint8Array | EntryState;
  /** For a file: permission bits and time of modification, in seconds since 1970. */
  mode?: number;
  modified?: number;
  /** Whether its contents, as far as it has any, are as before. */
  isSame?: boolean;
}

/** All that a command changed in a folder, and what of it cannot be made in the workspace exactly as it is. */
export interface Found {
  changes: FoundChange[];
  refused: { path: string; why: string }[];
}

/** Reads what a command that has ended changed in a view: nothing else may change the layer meanwhile. */
export async function collect(layer: Layer): Promise<Found> {
  const walk = new Walk(layer);
  await walk.top();
  await walk.folder("", 0);
  await walk.replaced();
  return walk.found;
}

class Walk {
  readonly found: Found = { changes: [], refused: [] };
  readonly #layer: Layer;
  /** A name of each folder that is only in the lower layer, by the folder; with all such names. */
  readonly #lowerOnly = new Map<string, Names>();
  #bytes = 0;

  constructor(layer: Layer) {
    this.#layer = layer;
  }

  /** Looks at the folder itself, of which the upper layer has a copy. */
  async top(): Promise<void> {
    const [upper, lower] = await Promise.all(
      [this.#layer.upper, this.#layer.folder].map((folder) => lstat(folder, { bigint: true })),
    );
    if (upper?.mode !== lower?.mode) {
      this.#refuse("", "the mode of the whole folder");
    }
  }

  /** Walks a folder of the upper layer. @param path empty for the top */
  async folder(path: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) {
      return this.#refuse(path, `more than ${MAX_DEPTH} folders deep`);
    }
    const { names, odd } = await namesIn(join(this.#layer.upper, path));
    if (odd > 0) {
      this.#refuse(path, ODD_NAMES);
    }
    if ((await this.#lower(path))?.isDirectory() === true) {
      await this.#noteLowerOnly(path, new Set(names));
    }
    for (const name of names) {
      if (this.#isFull) {
        return;
      }
      await this.#entry(path === "" ? name : `${path}/${name}`, depth);
    }
  }

  async #noteLowerOnly(path: string, upper: ReadonlySet<string>): Promise<void> {
    const lower = await namesIn(join(this.#layer.folder, path));
    const only = lower.names.filter((name) => !upper.has(name));
    if (only.length > 0) {
      this.#lowerOnly.set(path, { names: only, odd: lower.odd });
    } else if (lower.odd > 0 && path !== "") {
      // Whether they are still there cannot be asked.
      this.#refuse(path, ODD_NAMES);
    }
  }

  /** Finds the folders of which nothing was left, and new ones have taken the place: what was in them is gone. */
  async replaced(): Promise<void> {
    const folders = [...this.#lowerOnly];
    const shown = await visible(
      this.#layer,
      folders.map(([path, { names }]) => join(this.#layer.folder, path, names[0] ?? "")),
    );
    for (const [index, [path, { names, odd }]] of folders.entries()) {
      if (shown[index] === true) {
        continue;
      }
      if (odd > 0) {
        this.#refuse(path, ODD_NAMES);
      }
      for (const name of names) {
        await this.#gone(path === "" ? name : `${path}/${name}`, 0);
      }
    }
  }

  async #entry(path: string, depth: number): Promise<void> {
    const upper = await lstat(join(this.#layer.upper, path), { bigint: true });
    const lower = await this.#lower(path);
    if (upper.isCharacterDevice() && upper.rdev === 0n) {
      // The kernel's mark for what was deleted.
      return this.#gone(path, depth);
    }
    if (!upper.isSymbolicLink() && (await this.#hasSpecialBits(path, upper, lower))) {
      return this.#refuse(path, "a set-user-id, set-group-id or sticky bit");
    }
    if (upper.isDirectory()) {
      return this.#folderEntry(path, upper, lower, depth);
    }
    if (upper.isSymbolicLink()) {
      const isSame =
        lower?.isSymbolicLink() === true &&
        targetOf(join(this.#layer.upper, path)) === targetOf(join(this.#layer.folder, path));
      return isSame ? undefined : this.#refuse(path, "a link");
    }
    if (!upper.isFile()) {
      return this.#refuse(path, "neither a file nor a folder");
    }
    if (upper.nlink > 1n) {
      return this.#refuse(path, "a file with several names");
    }
    return lower === undefined || lower.isFile()
      ? this.#file(path, upper, lower)
      : this.#refuse(path, "a file in the place of something else");
  }

  /** Whether an entry has bits that it did not have before, and that a new folder does not get from the one above. */
  async #hasSpecialBits(path: string, upper: BigIntStats, lower: BigIntStats | undefined): Promise<boolean> {
    const special = upper.mode & 0o7000n;
    if (special === 0n || special === (lower === undefined ? 0n : lower.mode & 0o7000n)) {
      return false;
    }
    const above = await lstat(join(this.#layer.upper, path, ".."), { bigint: true });
    return lower !== undefined || !upper.isDirectory() || special !== (above.mode & 0o2000n);
  }

  async #folderEntry(path: string, upper: BigIntStats, lower: BigIntStats | undefined, depth: number): Promise<void> {
    if (lower !== undefined && !lower.isDirectory()) {
      return this.#refuse(path, "a folder in the place of something else");
    }
    const mode = bits(upper);
    if (lower === undefined) {
      this.#add({ path, after: { folder: mode } });
    } else if (bits(lower) !== mode) {
      this.#add({ path, after: { mode } });
    }
    return this.folder(path, depth + 1);
  }

  async #file(path: string, upper: BigIntStats, lower: BigIntStats | undefined): Promise<void> {
    this.#bytes += Number(upper.size);
    if (upper.size > MAX_FILE) {
      return this.#refuse(path, `larger than ${MAX_FILE / 1024 / 1024} MB`);
    }
    if (this.#bytes > MAX_BYTES) {
      return this.#refuse(path, `more than ${MAX_BYTES / 1024 / 1024} MB in all`);
    }
    const after = await bytesOf(join(this.#layer.upper, path));
    const isSame =
      lower !== undefined &&
      lower.size === upper.size &&
      after.equals(await bytesOf(join(this.#layer.folder, path)).catch(() => Buffer.of(0)));
    const modified = Number(upper.mtimeNs / 1_000n) / 1_000_000;
    const mode = bits(upper);
    this.#add({ path, after, mode, modified, ...(isSame && bits(lower) === mode && { isSame }) });
  }

  /** Notes what is in the workspace, and not in the view. What others created meanwhile is theirs: see `untouched`. */
  async #gone(path: string, depth: number): Promise<void> {
    const lower = await this.#lower(path);
    if (lower === undefined || this.#isFull) {
      return;
    }
    if (depth > MAX_DEPTH) {
      return this.#refuse(path, `more than ${MAX_DEPTH} folders deep`);
    }
    if (lower.isDirectory()) {
      const { names, odd } = await namesIn(join(this.#layer.folder, path));
      if (odd > 0) {
        this.#refuse(path, ODD_NAMES);
      }
      for (const name of names) {
        await this.#gone(`${path}/${name}`, depth + 1);
      }
    } else if (!lower.isFile() && !lower.isSymbolicLink()) {
      return this.#refuse(path, "neither a file nor a folder");
    }
    this.#add({ path });
  }

  #add(change: FoundChange): void {
    this.found.changes.push(change);
    if (this.found.changes.length > MAX_CHANGES) {
      this.#refuse(change.path, `more than ${MAX_CHANGES} changes`);
    }
  }

  #refuse(path: string, why: string): void {
    this.found.refused.push({ path, why });
  }

  get #isFull(): boolean {
    return (
      this.found.changes.length > MAX_CHANGES || this.#bytes > MAX_BYTES || this.found.refused.length > MAX_REFUSED
    );
  }

  #lower(path: string): Promise<BigIntStats | undefined> {
    return lstat(join(this.#layer.folder, path), { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") {
        return undefined;
      }
      throw error;
    });
  }
}

/** The names in a folder, sorted, and how many there are that are not UTF-8. */
interface Names {
  names: string[];
  odd: number;
}

async function namesIn(folder: string): Promise<Names> {
  const all = await readdir(folder, { encoding: "buffer" });
  const names = all.flatMap((bytes) => (bytes.equals(Buffer.from(bytes.toString())) ? [bytes.toString()] : []));
  return { names: names.sort(), odd: all.length - names.length };
}

function bits({ mode }: BigIntStats): number {
  return Number(mode & 0o7777n);
}

async function bytesOf(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}
