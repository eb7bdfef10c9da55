import { NotTakenBack, ToolError } from "../../core/errors.js";
import { joinPath, parentPath } from "../../core/paths/pathShape.js";
import type { EntryState } from "../../ports/files.js";
import type { SandboxClient } from "../../ports/sandbox.js";
import { compareCodeUnits } from "../../text/nearest.js";

import type { CreateStep, Disk, DiskEntry, DiskInfo, Step } from "../shared/disk.js";
import { sameBytes } from "../shared/encoding.js";
import {
  alreadyThere,
  missing,
  notAFile,
  notRegular,
  replacedMeanwhile,
  tooLarge,
  underFile,
} from "../shared/fileAnswers.js";
import { isTemporaryName } from "../shared/temporaryNames.js";
import { ClientCalls } from "./clientCalls.js";
import { ListedFiles } from "./listedFiles.js";
import type { SandboxFiles, SandboxInfo } from "./sandboxFiles.js";
import { ShellFiles } from "./shellFiles.js";

/** Bytes of the largest file that is read: a client gives it whole, and it is held whole. */
const MAX_READ = 100_000_000;

/** The disk of a sandbox, through its client. */
export class ClientDisk implements Disk {
  readonly windows = false;
  readonly foldCase = false;
  readonly #files: SandboxFiles;

  /**
   * @param name of the sandbox, as people know it
   * @param limit ms for one call of the client; tests use their own
   * @param folder that is there even where the client knows no empty folders
   */
  constructor(client: SandboxClient, name: string, limit?: number, folder?: string) {
    const calls = new ClientCalls(client, name, limit);
    this.#files =
      client.list === undefined || client.remove === undefined ? new ShellFiles(calls) : new ListedFiles(calls, folder);
  }

  realPath(path: string): Promise<string | undefined> {
    return this.#files.realPath(path);
  }

  /** What is not known without waiting counts as there. */
  isMissing(): boolean {
    return false;
  }

  async stat(path: string): Promise<DiskInfo> {
    const info = await this.#files.stat(path);
    if (info === undefined) {
      throw missing(path);
    }
    return info;
  }

  entry(path: string): Promise<EntryState | undefined> {
    return this.#files.entry(path);
  }

  async *chunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    signal.throwIfAborted();
    yield await this.readAll(path, MAX_READ);
  }

  async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
    const { size } = await this.#file(path);
    const most = Math.min(maxBytes, MAX_READ);
    if (size > most) {
      throw tooLarge(path, size, most);
    }
    const bytes = await this.#files.read(path, size);
    // What came belongs to the file that the gate saw only if that is still there.
    await this.#file(path);
    return bytes;
  }

  async list(path: string, sized = 0): Promise<DiskEntry[]> {
    const entries = (await this.#files.list(path)).filter(({ name }) => isName(name) && !isTemporaryName(name));
    return entries
      .sort((a, b) => compareCodeUnits(a.name, b.name))
      .map(({ name, kind, link, size, modified }, index) => ({
        ...{ name, kind, link },
        size: kind === "file" && (link || index < sized) ? size : undefined,
        ...(modified !== undefined && index < sized && { modified }),
      }));
  }

  async stageReplace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step> {
    const old = await this.readAll(path, MAX_READ);
    return step({
      commit: async () => {
        await unchanged();
        await this.#files.replace(path, bytes);
      },
      undo: async () => {
        await this.#checkMine(path, bytes);
        await this.#files.replace(path, old);
      },
    });
  }

  async stageCreate(path: string, bytes: Uint8Array, mode?: number): Promise<CreateStep> {
    await this.#refuseTaken(path);
    return this.#below(path, {
      commit: () => this.#files.create(path, bytes, mode),
      undo: async () => {
        await this.#checkMine(path, bytes);
        await this.#files.remove(path);
      },
    });
  }

  async stageRemove(path: string, folders: number, unchanged: () => Promise<void>): Promise<Step> {
    const old = await this.readAll(path, MAX_READ);
    const state = await this.#files.entry(path);
    return step({
      commit: async () => {
        await unchanged();
        await this.#files.remove(path);
        await this.#removeEmpty(parentsOf(path, folders));
      },
      undo: async () => {
        await this.#make((await this.#missingFolders(path)).toReversed(), path);
        await this.#files.create(path, old, state !== undefined && "mode" in state ? state.mode : undefined);
      },
    });
  }

  async stageMove(
    from: string,
    to: string,
    bytes: Uint8Array | undefined,
    folders: number,
    unchanged: () => Promise<void>,
  ): Promise<CreateStep> {
    const old = await this.readAll(from, MAX_READ);
    await this.#refuseTaken(to);
    return this.#below(to, {
      commit: async () => {
        await unchanged();
        await this.#files.rename(from, to);
        if (bytes !== undefined) {
          await this.#files.replace(to, bytes).catch((error: unknown) => this.#back(to, from, error));
        }
        await this.#removeEmpty(parentsOf(from, folders));
      },
      undo: async () => {
        await this.#checkMine(to, bytes ?? old);
        await this.#make((await this.#missingFolders(from)).toReversed(), from);
        await this.#files.rename(to, from);
        if (bytes !== undefined) {
          await this.#files.replace(from, old);
        }
      },
    });
  }

  async stageEntry(
    path: string,
    before: EntryState | undefined,
    after: EntryState | undefined,
    folders: number,
  ): Promise<CreateStep> {
    const change = async (was: EntryState | undefined, then: EntryState | undefined): Promise<void> => {
      if (JSON.stringify(await this.#files.entry(path)) !== JSON.stringify(was)) {
        throw replacedMeanwhile(path);
      }
      if (was !== undefined && "link" in was) {
        await this.#files.remove(path);
      } else if (was !== undefined && "folder" in was && then === undefined) {
        await this.#files.removeEmpty(path);
      }
      if (then === undefined) {
        return;
      }
      if ("folder" in then) {
        await this.#files.makeFolder(path);
        await this.#files.setEntry(path, { mode: then.folder });
      } else if ("large" in then) {
        throw new ToolError("unsupported", `${path} is too large to be restored in a sandbox.`);
      } else {
        await this.#files.setEntry(path, then);
      }
    };
    return this.#below(path, {
      commit: async () => {
        await change(before, after);
        await this.#removeEmpty(parentsOf(path, folders));
      },
      undo: () => change(after, before),
    });
  }

  stageBySave(path: string): Promise<Step> {
    return Promise.reject(new ToolError("unsupported", `${path}: no editor saves files of a sandbox.`));
  }

  /** A client's files are replaced by it alone: what a killed process left has no name that anybody lists. */
  sweep(): Promise<void> {
    return Promise.resolve();
  }

  async #file(path: string): Promise<SandboxInfo> {
    const info = await this.#files.stat(path);
    if (info?.kind !== "file") {
      throw info === undefined ? missing(path) : info.kind === "directory" ? notAFile(path) : notRegular(path);
    }
    return info;
  }

  async #refuseTaken(path: string): Promise<void> {
    if ((await this.#files.stat(path)) !== undefined) {
      throw alreadyThere(path);
    }
  }

  /** Makes a change at a path, with the folders that it needs; they go again if it fails or is undone. */
  async #below(path: string, { commit, undo }: Pick<Step, "commit" | "undo">): Promise<CreateStep> {
    const folders = await this.#missingFolders(path);
    return {
      foldersMade: folders.length,
      ...step({
        commit: async () => {
          await this.#make(folders.toReversed(), path);
          try {
            await commit();
          } catch (error) {
            await this.#removeEmpty(folders);
            throw error;
          }
        },
        undo: async () => {
          await undo();
          await this.#removeEmpty(folders);
        },
      }),
    };
  }

  /** Returns the missing folders above a path, nearest first. @throws ToolError `path_conflict` if one of them is a file */
  async #missingFolders(path: string): Promise<string[]> {
    const folders: string[] = [];
    for (let folder = parentPath(path); parentPath(folder) !== folder; folder = parentPath(folder)) {
      const info = await this.#files.stat(folder);
      if (info !== undefined && info.kind !== "directory") {
        throw underFile(path);
      }
      if (info !== undefined) {
        break;
      }
      folders.push(folder);
    }
    return folders;
  }

  /** Makes folders for a file, all or none. An error names the file, as the caller knows it. */
  async #make(folders: readonly string[], file: string): Promise<void> {
    for (const [index, folder] of folders.entries()) {
      try {
        await this.#files.makeFolder(folder);
      } catch (error) {
        await this.#removeEmpty(folders.slice(0, index).toReversed());
        throw error instanceof ToolError
          ? new ToolError(
              error.type,
              error.message.replace(folder, () => file),
              error.hint,
            )
          : error;
      }
    }
  }

  /** Removes folders that are empty, in the order given. */
  async #removeEmpty(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      if (!(await this.#files.removeEmpty(folder).catch(() => false))) {
        return;
      }
    }
  }

  /** Checks that a file to be undone still has the content that was put there. */
  async #checkMine(path: string, bytes: Uint8Array): Promise<void> {
    if (!sameBytes(await this.readAll(path, MAX_READ), bytes)) {
      throw replacedMeanwhile(path);
    }
  }

  /** Moves a file back that could not get its new text. */
  async #back(to: string, from: string, error: unknown): Promise<never> {
    await this.#files.rename(to, from).catch(() => {
      throw new NotTakenBack(
        `${to} was moved from ${from}, and could neither get its new text nor be moved back.`,
        "Read both before going on.",
      );
    });
    throw error;
  }
}

function step({ commit, undo }: Pick<Step, "commit" | "undo">): Step {
  return { commit, undo, release: () => Promise.resolve() };
}

function parentsOf(path: string, count: number): string[] {
  const folders: string[] = [];
  for (let folder = parentPath(path); folders.length < count; folder = parentPath(folder)) {
    folders.push(folder);
  }
  return folders;
}

/** Whether a sandbox may be believed that a folder has an entry of this name. */
function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && joinPath("/", name) === `/${name}`;
}
