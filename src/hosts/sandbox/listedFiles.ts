import { NotTakenBack, ToolError } from "../../core/errors.js";
import { isRecord } from "../../core/jsonSchema.js";
import { baseName, parentPath } from "../../core/paths/pathShape.js";
import type { EntryState } from "../../ports/files.js";
import type { SandboxEntry } from "../../ports/sandbox.js";
import { alreadyThere, missing, notAFile } from "../shared/fileAnswers.js";
import { messageOf } from "../../text/words.js";
import type { ClientCalls } from "./clientCalls.js";
import type { ListedEntry, SandboxFiles, SandboxInfo } from "./sandboxFiles.js";

/** Entries of the largest folder that is listed. */
const MAX_ENTRIES = 1_000_000;

const FOLDER: SandboxInfo = { kind: "directory", size: 0, modified: 0 };

/**
 * The files of a sandbox by its client's own `list` and `remove`. Such a place knows neither links nor modes. Of folders it
 * may know only those that have files: one that is made here is there until it is removed here.
 */
export class ListedFiles implements SandboxFiles {
  readonly #calls: ClientCalls;
  readonly #made: Set<string>;

  /** @param folder that is there even without files */
  constructor(calls: ClientCalls, folder?: string) {
    this.#calls = calls;
    this.#made = new Set(folder === undefined ? [] : [folder]);
  }

  async stat(path: string): Promise<SandboxInfo | undefined> {
    if (path === "/" || this.#made.has(path)) {
      return FOLDER;
    }
    const entry = (await this.#entries(parentPath(path))).find(({ name }) => name === baseName(path));
    if (entry === undefined) {
      return undefined;
    }
    const { kind, modified = 0 } = entry;
    // A list need not know sizes: what is changed or read is only right if its size is.
    const size = entry.size ?? (kind === "file" ? (await this.#calls.read(path)).length : 0);
    return { kind, size, modified };
  }

  async realPath(path: string): Promise<string | undefined> {
    return (await this.stat(path)) === undefined ? undefined : path;
  }

  entry(): Promise<EntryState | undefined> {
    return Promise.resolve(undefined);
  }

  async list(path: string): Promise<ListedEntry[]> {
    if ((await this.stat(path))?.kind !== "directory") {
      throw missing(path);
    }
    const entries = await this.#entries(path);
    const names = new Set(entries.map(({ name }) => name));
    const made = [...this.#made].filter((folder) => parentPath(folder) === path && !names.has(baseName(folder)));
    return [
      ...entries.map(({ name, kind, size, modified }) => ({ name, kind, size, modified, link: false })),
      ...made.map((folder) => ({ name: baseName(folder), ...FOLDER, link: false })),
    ];
  }

  read(path: string, size: number): Promise<Uint8Array> {
    return this.#calls.read(path, size);
  }

  async replace(path: string, bytes: Uint8Array): Promise<void> {
    const old = await this.read(path, (await this.stat(path))?.size ?? 0);
    await this.#orBack(path, this.#write(path, bytes), () => this.#write(path, old));
  }

  async create(path: string, bytes: Uint8Array): Promise<void> {
    if ((await this.stat(path)) !== undefined) {
      throw alreadyThere(path);
    }
    await this.#orBack(path, this.#write(path, bytes), async () => {
      if ((await this.stat(path)) !== undefined) {
        await this.#remove(path);
      }
    });
  }

  async remove(path: string): Promise<void> {
    const info = await this.stat(path);
    if (info?.kind !== "file") {
      throw info === undefined ? missing(path) : notAFile(path);
    }
    await this.#remove(path);
  }

  async rename(from: string, to: string): Promise<void> {
    const info = await this.stat(from);
    if (info === undefined) {
      throw missing(from);
    }
    await this.create(to, await this.read(from, info.size));
    await this.#orBack(to, this.#remove(from), () => this.#remove(to));
  }

  makeFolder(path: string): Promise<void> {
    this.#made.add(path);
    return Promise.resolve();
  }

  async removeEmpty(path: string): Promise<boolean> {
    if ((await this.#entries(path)).length > 0) {
      return false;
    }
    this.#made.delete(path);
    return (await this.stat(path)) === undefined;
  }

  setEntry(path: string): Promise<void> {
    return Promise.reject(
      new ToolError("unsupported", `${path}: this sandbox has neither links nor permission bits. Nothing was changed.`),
    );
  }

  /** Takes a change back that failed in the middle: a client may have written a part of a file. */
  async #orBack(path: string, change: Promise<void>, back: () => Promise<void>): Promise<void> {
    try {
      await change;
    } catch (error) {
      await back().catch(() => {
        throw new NotTakenBack(
          `${messageOf(error)} What it left could not be taken back.`,
          `Read ${path}, and write what it should have.`,
        );
      });
      throw error;
    }
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#calls.write(path, bytes);
    const size = (await this.stat(path))?.size;
    if (size !== bytes.length) {
      throw new ToolError("io_error", `${path}: the sandbox kept ${size ?? 0} of ${bytes.length} bytes.`);
    }
  }

  async #remove(path: string): Promise<void> {
    await this.#calls.ask(path, async (client) => client.remove?.(path));
  }

  async #entries(path: string): Promise<readonly SandboxEntry[]> {
    const listed: unknown = await this.#calls.ask(path, async (client) => client.list?.(path));
    if (!Array.isArray(listed) || listed.length > MAX_ENTRIES || !listed.every(isEntry)) {
      throw new ToolError("io_error", `${path}: the sandbox gave a list of entries that cannot be used.`);
    }
    return listed;
  }
}

function isEntry(value: unknown): value is SandboxEntry {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    ["file", "directory", "other"].some((kind) => kind === value["kind"]) &&
    [value["size"], value["modified"]].every(
      (each) => each === undefined || (Number.isFinite(each) && Number(each) >= 0),
    )
  );
}
