import { ToolError } from "../core/errors.js";
import { PathGate } from "../core/pathGate.js";
import { joinPath, pathBelow } from "../core/pathShape.js";
import type { DirectoryEntry, FileInfo, Files, GatedPath, Root, TextSnapshot, WriteReport } from "../ports/files.js";
import { decodeChunks, decodeText, encodeText, looksBinary, type PlainEncoding } from "../text/encoding.js";
import { contentVersion } from "./contentVersion.js";
import type { Disk } from "./disk.js";
import { binaryFile, notExact, staleFile, topEntries } from "./fileAnswers.js";
import { KeyedLock } from "./keyedLock.js";

/** What a person can do where the gate says no. */
export interface GateHints {
  outside: string;
  noRoot: string;
}

/** Files of a disk: no editor stands between. */
export class DiskFiles implements Files {
  readonly #disk: Disk;
  readonly #roots: readonly Root[];
  readonly #gate: PathGate;
  readonly #lock = new KeyedLock();

  /** @param roots folders tools may work in; each exists */
  constructor(disk: Disk, roots: readonly Root[], hints: GateHints) {
    this.#disk = disk;
    this.#roots = roots;
    this.#gate = new PathGate({
      roots: () => roots,
      realPath: (root, path) => namedAs(this.#nameOf(root, path), path, disk.realPath(path)),
      windows: disk.windows,
      foldCase: disk.foldCase,
      outsideHint: hints.outside,
      noRootHint: hints.noRoot,
    });
  }

  roots(): readonly Root[] {
    return this.#roots;
  }

  resolve(path: string): Promise<GatedPath> {
    return this.#gate.resolve(path);
  }

  async stat(at: GatedPath): Promise<FileInfo> {
    if (at.root === undefined) {
      return { kind: "directory", size: 0, modified: 0, unsaved: false };
    }
    return { ...(await named(at, this.#disk.stat(at.absolute))), unsaved: false };
  }

  readChunks(at: GatedPath, signal: AbortSignal): AsyncIterable<string> {
    return decodeChunks(namedChunks(at, this.#disk.chunks(at.absolute, signal)), () => {
      throw binaryFile(at);
    });
  }

  readBytes(at: GatedPath, maxBytes: number): Promise<Uint8Array> {
    return named(at, this.#disk.readAll(at.absolute, maxBytes));
  }

  async readSnapshot(at: GatedPath, maxBytes: number): Promise<TextSnapshot> {
    const bytes = await this.readBytes(at, maxBytes);
    if (looksBinary(bytes)) {
      throw binaryFile(at);
    }
    const { text, encoding, exact } = decodeText(bytes);
    if (!exact) {
      throw notExact(at, encoding);
    }
    return { text, encoding, unsaved: false, version: await contentVersion(bytes) };
  }

  replaceText(at: GatedPath, before: TextSnapshot, text: string, signal: AbortSignal): Promise<WriteReport> {
    return this.#lock.run(at.absolute, async () => {
      signal.throwIfAborted();
      const bytes = encodeText(text, before.encoding as PlainEncoding);
      await named(
        at,
        this.#disk.replace(at.absolute, bytes, async () => {
          const now = await this.#disk.readAll(at.absolute, Number.POSITIVE_INFINITY);
          if ((await contentVersion(now)) !== before.version) {
            throw staleFile(at);
          }
          signal.throwIfAborted();
        }),
      );
      return { saved: true, text };
    });
  }

  createText(at: GatedPath, text: string, signal: AbortSignal): Promise<WriteReport> {
    return this.#lock.run(at.absolute, async () => {
      signal.throwIfAborted();
      await named(at, this.#disk.create(at.absolute, encodeText(text, "utf8")));
      return { saved: true, text };
    });
  }

  async list(at: GatedPath, sized = 0): Promise<DirectoryEntry[]> {
    if (at.root === undefined) {
      return topEntries(this.#roots.filter(({ beside }) => !beside));
    }
    const entries = await named(at, this.#disk.list(at.absolute, sized));
    return Promise.all(entries.map((entry) => onlyInside(this.#gate, at, entry)));
  }

  /** What people call a path that has not passed the gate yet. */
  #nameOf(root: Root, path: string): string {
    const below = root.beside ? undefined : pathBelow(root.path, path, this.#disk.foldCase);
    const isOneOfSeveral = this.#roots.filter(({ beside }) => !beside).length > 1;
    return below === undefined ? path : isOneOfSeveral ? joinPath(root.name, below) : below;
  }
}

/** A link that leads out of the workspace shows as one and tells nothing of what is there. */
async function onlyInside(gate: PathGate, at: GatedPath, entry: DirectoryEntry): Promise<DirectoryEntry> {
  if (!entry.link || entry.kind === "other") {
    return entry;
  }
  const inside = await gate.admit(joinPath(at.lexical, entry.name));
  return inside === undefined ? { ...entry, kind: "other", size: undefined } : entry;
}

/** An error names the file as the caller does, not where the host keeps it. */
function named<T>(at: GatedPath, work: Promise<T>): Promise<T> {
  return namedAs(at.path, at.absolute, work);
}

async function namedAs<T>(name: string, absolute: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw renamed(name, absolute, error);
  }
}

async function* namedChunks(at: GatedPath, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw renamed(at.path, at.absolute, error);
  }
}

function renamed(name: string, absolute: string, error: unknown): unknown {
  if (error instanceof ToolError && error.message.startsWith(absolute)) {
    return new ToolError(error.type, name + error.message.slice(absolute.length), error.hint);
  }
  return error;
}
