import { ToolError } from "../../core/errors.js";
import { parentPath } from "../../core/paths/pathShape.js";
import type { EntryState } from "../../ports/files.js";
import type { SandboxEntry } from "../../ports/sandbox.js";
import { alreadyThere, missing, notAFile } from "../shared/fileAnswers.js";
import type { ClientCalls } from "./clientCalls.js";
import type { ListedEntry, SandboxFiles, SandboxInfo } from "./sandboxFiles.js";

/**
 * The files of a sandbox by its client's own `list` and `remove`. Such a place knows neither links nor modes, and no
 * folders but those of its files: a new one is there with its first file.
 */
export class ListedFiles implements SandboxFiles {
  readonly #calls: ClientCalls;

  constructor(calls: ClientCalls) {
    this.#calls = calls;
  }

  async stat(path: string): Promise<SandboxInfo | undefined> {
    if (path === "/") {
      return { kind: "directory", size: 0, modified: 0 };
    }
    const entry = (await this.#entries(parentPath(path))).find(({ name }) => name === baseOf(path));
    return entry && { kind: entry.kind, size: entry.size ?? 0, modified: entry.modified ?? 0 };
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
    return (await this.#entries(path)).map((entry) => ({ ...entry, link: false }));
  }

  read(path: string, size: number): Promise<Uint8Array> {
    return this.#calls.read(path, size);
  }

  async replace(path: string, bytes: Uint8Array): Promise<void> {
    await this.#calls.write(path, bytes);
    const size = (await this.stat(path))?.size;
    if (size !== bytes.length) {
      throw new ToolError("io_error", `${path}: the sandbox kept ${size ?? 0} of ${bytes.length} bytes.`);
    }
  }

  async create(path: string, bytes: Uint8Array): Promise<void> {
    if ((await this.stat(path)) !== undefined) {
      throw alreadyThere(path);
    }
    await this.replace(path, bytes);
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
    await this.#remove(from);
  }

  makeFolder(): Promise<void> {
    return Promise.resolve();
  }

  async removeEmpty(path: string): Promise<boolean> {
    return (await this.stat(path)) === undefined;
  }

  setEntry(path: string): Promise<void> {
    return Promise.reject(
      new ToolError("unsupported", `${path}: this sandbox has neither links nor permission bits. Nothing was changed.`),
    );
  }

  async #remove(path: string): Promise<void> {
    await this.#calls.ask(path, async (client) => client.remove?.(path));
  }

  async #entries(path: string): Promise<readonly SandboxEntry[]> {
    return this.#calls.ask(path, async (client) => (await client.list?.(path)) ?? []);
  }
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
