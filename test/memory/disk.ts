import { ToolError } from "../../src/core/errors.js";
import { baseName, joinPath, parentPath } from "../../src/core/paths/pathShape.js";
import { compareCodeUnits } from "../../src/text/nearest.js";
import type { CreateStep, Disk, DiskEntry, DiskInfo, Step } from "../../src/hosts/shared/disk.js";
import {
  alreadyThere,
  brokenLink,
  linkCircle,
  missing,
  movedFolder,
  nameTooLong,
  notAFile,
  notRegular,
  replacedMeanwhile,
  tooLarge,
  underFile,
} from "../../src/hosts/shared/fileAnswers.js";

/** The same as real disks have, so that what works here works there. */
const MAX_NAME_BYTES = 255;
/** Links followed on one path; Linux follows 40. */
const MAX_LINKS = 40;
const CHUNK_BYTES = 256 * 1024;

interface FileNode {
  kind: "file";
  bytes: Uint8Array;
  modified: number;
}

interface FolderNode {
  kind: "directory";
  entries: Map<string, Node>;
  modified: number;
}

interface LinkNode {
  kind: "link";
  target: string;
}

/** A pipe or device, so that tools can be shown to leave one alone. */
interface OtherNode {
  kind: "other";
}

type Node = FileNode | FolderNode | LinkNode | OtherNode;

/** Where a path leads: its real place, and what is there. */
interface Place {
  path: string;
  node: FileNode | FolderNode | OtherNode;
}

/** A disk in memory: folders, files and links, with the answers of a real one. */
export class MemoryDisk implements Disk {
  readonly windows: boolean;
  readonly foldCase: boolean;
  readonly #foldForm: boolean;
  readonly #top: FolderNode = { kind: "directory", entries: new Map(), modified: 0 };
  readonly #now: () => number;

  /**
   * @param now milliseconds since 1970, the time of a change
   * @param windows whether paths begin at drives
   * @param mac whether names that differ in case, or in how accents are composed, are one
   */
  constructor({
    now = Date.now,
    windows = false,
    mac = false,
    foldCase = windows || mac,
  }: { now?: () => number; windows?: boolean; mac?: boolean; foldCase?: boolean } = {}) {
    this.windows = windows;
    this.#foldForm = mac;
    if (windows) {
      this.#top.entries.set("C:", { kind: "directory", entries: new Map(), modified: 0 });
    }
    this.#now = now;
    this.foldCase = foldCase;
  }

  async realPath(path: string): Promise<string | undefined> {
    const place = this.#follow(path);
    if (place === undefined && this.#entry(path)?.kind === "link") {
      throw brokenLink(path);
    }
    return place?.path;
  }

  isMissing(path: string): boolean {
    return this.#entry(path) === undefined;
  }

  async stat(path: string): Promise<DiskInfo> {
    const { node } = this.#existing(path);
    return {
      kind: node.kind,
      size: node.kind === "file" ? node.bytes.length : 0,
      modified: node.kind === "other" ? 0 : node.modified,
    };
  }

  /** Undo of links, folders and modes is tested on the real disk. */
  entry(): undefined {
    return undefined;
  }

  async stageEntry(path: string): Promise<CreateStep> {
    throw new ToolError("unsupported", `${path}: this disk changes no entries.`);
  }

  async *chunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { bytes } = this.#open(path);
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      signal.throwIfAborted();
      yield bytes.slice(from, from + CHUNK_BYTES);
    }
  }

  async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
    const { bytes } = this.#open(path);
    if (bytes.length > maxBytes) {
      throw tooLarge(path, bytes.length, maxBytes);
    }
    return bytes.slice();
  }

  async list(path: string, sized = 0): Promise<DiskEntry[]> {
    const { node } = this.#existing(path);
    if (node.kind !== "directory") {
      throw missing(path);
    }
    this.#checkUnmoved(joinPath(path, "x"));
    return [...node.entries]
      .sort(([a], [b]) => compareCodeUnits(a, b))
      .map(([name, entry], index) => ({
        name,
        link: entry.kind === "link",
        ...this.#describe(joinPath(path, name), index < sized),
      }));
  }

  async stageReplace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step> {
    const before = this.#regular(path);
    const after: FileNode = { kind: "file", bytes: bytes.slice(), modified: 0 };
    return {
      commit: async () => {
        await unchanged();
        this.#checkUnmoved(path);
        if (this.#regular(path) !== before) {
          throw new ToolError("stale", `${path} was replaced meanwhile. Nothing was written.`, "Try again.");
        }
        this.#put(path, Object.assign(after, { modified: this.#now() }));
      },
      undo: async () => this.#swap(path, after, before),
      release: () => Promise.resolve(),
    };
  }

  async stageCreate(path: string, bytes: Uint8Array): Promise<CreateStep> {
    return this.#stageEntry(path, { kind: "file", bytes: bytes.slice(), modified: this.#now() });
  }

  async stageRemove(path: string, folders: number, unchanged: () => Promise<void>): Promise<Step> {
    const before = this.#regular(path);
    return {
      commit: async () => {
        await unchanged();
        this.#checkUnmoved(path);
        this.#swap(path, before, undefined);
        this.#removeEmpty(path, folders);
      },
      undo: async () => {
        this.#makeFolder(path, parentPath(path));
        this.#swap(path, undefined, before);
      },
      release: () => Promise.resolve(),
    };
  }

  async stageMove(
    from: string,
    to: string,
    bytes: Uint8Array | undefined,
    folders: number,
    unchanged: () => Promise<void>,
  ): Promise<CreateStep> {
    const before = this.#regular(from);
    const create = this.#stageEntry(
      to,
      bytes === undefined ? before : { kind: "file", bytes: bytes.slice(), modified: this.#now() },
    );
    return {
      foldersMade: create.foldersMade,
      commit: async () => {
        await unchanged();
        this.#checkUnmoved(from);
        if (this.#regular(from) !== before) {
          throw new ToolError("stale", `${from} was replaced meanwhile. Nothing was moved.`, "Try again.");
        }
        await create.commit();
        this.remove(from);
        this.#removeEmpty(from, folders);
      },
      undo: async () => {
        this.#makeFolder(from, parentPath(from));
        this.#swap(from, undefined, before);
        await create.undo();
      },
      release: () => Promise.resolve(),
    };
  }

  /** Nothing is left next to a file of this disk. */
  stageBySave(): Promise<Step> {
    return Promise.resolve({
      commit: () => Promise.resolve(),
      undo: () => Promise.resolve(),
      release: () => Promise.resolve(),
    });
  }

  sweep(): Promise<void> {
    return Promise.resolve();
  }

  #stageEntry(path: string, node: FileNode): CreateStep {
    checkNames(path);
    this.#checkUnmoved(path);
    const folders: string[] = [];
    for (let folder = parentPath(path); this.#entry(folder) === undefined; folder = parentPath(folder)) {
      folders.push(folder);
    }
    return {
      foldersMade: folders.length,
      commit: async () => {
        this.#checkUnmoved(path);
        this.#makeFolder(path, parentPath(path));
        if (this.#entry(path) !== undefined) {
          throw alreadyThere(path);
        }
        this.#put(path, node);
      },
      undo: async () => {
        this.#swap(path, node, undefined);
        this.#removeEmpty(path, folders.length);
      },
      release: () => Promise.resolve(),
    };
  }

  /** Removes as many folders above a path, the nearest first, as are empty. */
  #removeEmpty(path: string, count: number): void {
    for (
      let folder = parentPath(path), left = count;
      left > 0 && this.#folderOf(joinPath(folder, "x"))?.entries.size === 0;
      folder = parentPath(folder), left--
    ) {
      this.remove(folder);
    }
  }

  /** Puts a file, or nothing, in the place of another that is still there. */
  #swap(path: string, before: FileNode | undefined, after: FileNode | undefined): void {
    if (this.#entry(path) !== before) {
      throw replacedMeanwhile(path);
    }
    if (after === undefined) {
      this.remove(path);
    } else {
      this.#put(path, after);
    }
  }

  /** Writes a file and the folders it needs, whatever was there. */
  write(path: string, content: string | Uint8Array, modified = this.#now()): void {
    this.#makeFolder(path, parentPath(path));
    this.#put(path, {
      kind: "file",
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : content.slice(),
      modified,
    });
  }

  /** Makes a folder and those above it. */
  makeFolder(path: string): void {
    this.#makeFolder(path, path);
  }

  /** Makes a link; a relative target is relative to the link's folder and need not exist. */
  link(path: string, target: string): void {
    this.#makeFolder(path, parentPath(path));
    this.#put(path, { kind: "link", target });
  }

  /** Makes what is neither file nor folder. */
  makeOther(path: string): void {
    this.#makeFolder(path, parentPath(path));
    this.#put(path, { kind: "other" });
  }

  /** Removes whatever is at a path, a link and not its target; a folder with all that is in it. */
  remove(path: string): void {
    this.#folderOf(path)?.entries.delete(this.#key(path));
  }

  #makeFolder(path: string, folder: string): void {
    const place = this.#follow(folder);
    if (place !== undefined) {
      if (place.node.kind !== "directory") {
        throw underFile(path);
      }
      return;
    }
    if (this.#entry(folder) !== undefined) {
      throw brokenLink(path);
    }
    this.#makeFolder(path, parentPath(folder));
    this.#put(folder, { kind: "directory", entries: new Map(), modified: this.#now() });
  }

  /**
   * The nearest folder of a path that exists must still not be a link, nor behind one: the gate let a real place
   * through.
   */
  #checkUnmoved(path: string): void {
    let folder = parentPath(path);
    while (this.#entry(folder) === undefined) {
      folder = parentPath(folder);
    }
    if (this.#fold(this.#follow(folder)?.path ?? "") !== this.#fold(folder)) {
      throw movedFolder(path);
    }
  }

  #put(path: string, node: Node): void {
    checkNames(path);
    const folder = this.#folderOf(path);
    if (folder === undefined) {
      throw missing(path);
    }
    folder.entries.set(this.#key(path), node);
    folder.modified = this.#now();
  }

  /** The file at a path that is not a link: opening never follows one that took the file's place. */
  #regular(path: string): FileNode {
    const node = this.#entry(path);
    if (node === undefined) {
      throw missing(path);
    }
    if (node.kind !== "file") {
      throw node.kind === "directory" ? notAFile(path) : notRegular(path);
    }
    return node;
  }

  /** The file at a path where the gate saw it: no folder on its way was exchanged for a link since. */
  #open(path: string): FileNode {
    const node = this.#regular(path);
    this.#checkUnmoved(path);
    return node;
  }

  #existing(path: string): Place {
    const place = this.#follow(path);
    if (place === undefined) {
      throw missing(path);
    }
    return place;
  }

  #describe(path: string, isSized: boolean): Pick<DiskEntry, "kind" | "size" | "modified"> {
    try {
      const node = this.#follow(path)?.node;
      return isSized && node?.kind === "file"
        ? { kind: node.kind, size: node.bytes.length, modified: node.modified }
        : { kind: node?.kind ?? "other", size: undefined };
    } catch {
      return { kind: "other", size: undefined };
    }
  }

  /** What a path names, the link itself where it is one. */
  #entry(path: string): Node | undefined {
    return parentPath(path) === path ? this.#follow(path)?.node : this.#folderOf(path)?.entries.get(this.#key(path));
  }

  #folderOf(path: string): FolderNode | undefined {
    const node = this.#follow(parentPath(path))?.node;
    return node?.kind === "directory" ? node : undefined;
  }

  /** A name in the form that all names of the same file have. */
  #fold(name: string): string {
    const form = this.#foldForm ? name.normalize("NFC") : name;
    return this.foldCase ? form.toLowerCase() : form;
  }

  /** The name of a path as its folder has it: where case does not count, the first spelling stays. */
  #key(path: string): string {
    const name = baseName(path);
    if (!this.foldCase) {
      return name;
    }
    const known = [...(this.#folderOf(path)?.entries.keys() ?? [])];
    return known.find((other) => this.#fold(other) === this.#fold(name)) ?? name;
  }

  /** Follows every link of a path; undefined when nothing is there. */
  #follow(path: string): Place | undefined {
    checkNames(path);
    // The last one is next.
    const rest = namesOf(path).reverse();
    const top = { path: this.windows ? "" : "/", node: this.#top };
    const above: { path: string; node: FolderNode }[] = [top];
    for (let links = 0; ;) {
      const name = rest.pop();
      const here = above.at(-1) ?? top;
      if (name === undefined) {
        return here;
      }
      if (name === "." || name === "..") {
        if (name === ".." && above.length > 1) {
          above.pop();
        }
        continue;
      }
      const key = this.foldCase
        ? ([...here.node.entries.keys()].find((other) => this.#fold(other) === this.#fold(name)) ?? name)
        : name;
      const node = here.node.entries.get(key);
      if (node === undefined) {
        return undefined;
      }
      if (node.kind === "link") {
        if (++links > MAX_LINKS) {
          throw linkCircle(path);
        }
        if (/^(?:[A-Za-z]:)?\//.test(node.target)) {
          above.splice(1);
        }
        rest.push(...namesOf(node.target).reverse());
      } else if (node.kind === "directory") {
        above.push({ path: here.path === "" ? `${key}/` : joinPath(here.path, key), node });
      } else {
        return rest.length === 0 ? { path: joinPath(here.path, key), node } : undefined;
      }
    }
  }
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function checkNames(path: string): void {
  if (path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    throw nameTooLong(path);
  }
}
