import { ToolError } from "../../core/errors.js";
import { newId } from "../../core/pipeline/newId.js";
import type { EntryState } from "../../ports/files.js";
import type { SandboxClient } from "../../ports/sandbox.js";
import type { CreateStep, Disk, DiskEntry, DiskInfo, Step } from "../shared/disk.js";
import { replacedMeanwhile } from "../shared/fileAnswers.js";
import { ClientCalls } from "./clientCalls.js";

/** Characters of the longest id that a snapshot may have. */
const MAX_ID = 1_000;

/** A client that keeps states of its place. */
export type KeepingClient = SandboxClient & Required<Pick<SandboxClient, "snapshot" | "restore">>;

/**
 * A sandbox's disk with one file more, which no listing shows. It has the label of a state of the place; to replace it by
 * another label returns to the snapshot of that state, so that the undo journal, which knows files alone, can. Labels
 * cannot be guessed: no tool writes one.
 */
export class SnapshotDisk implements Disk {
  readonly windows = false;
  readonly foldCase = false;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #calls: ClientCalls;
  readonly #name: string;
  /** The ids of snapshots by the labels of their states. */
  readonly #ids = new Map<string, string>();
  #at = "";
  #taken: string | undefined;

  /** @param path of the file @param limit ms for one call of the client */
  constructor(disk: Disk, path: string, client: KeepingClient, name: string, limit?: number) {
    this.#disk = disk;
    this.#path = path;
    this.#name = name;
    this.#calls = new ClientCalls(client, name, limit);
  }

  /** The label of the state that the place is in, or was in before what has changed since. Empty before the first. */
  get at(): string {
    return this.#at;
  }

  /** Returns the id of the snapshot of a state. */
  idOf(label: string): string | undefined {
    return this.#ids.get(label);
  }

  /** Takes a snapshot, and returns the label of a new state, which the file has once it is written there, or at once if it is the first. */
  async take(): Promise<string> {
    const id = await this.#snapshot();
    const label = `${id} ${newId()}`;
    this.#ids.set(label, id);
    if (this.#at === "") {
      this.#at = label;
    } else {
      this.#taken = label;
    }
    return label;
  }

  /** Takes a snapshot of the present state again: what others have changed since the last one is in it. */
  async renew(): Promise<void> {
    this.#ids.set(this.#at, await this.#snapshot());
  }

  /** Forgets all states: nothing returns to one of them any more. */
  forget(): void {
    this.#ids.clear();
    this.#at = "";
    this.#taken = undefined;
  }

  async #snapshot(): Promise<string> {
    const id: unknown = await this.#calls.ask(this.#name, async (client) => client.snapshot?.());
    if (typeof id !== "string" || id === "" || id.length > MAX_ID || /\p{Cc}/u.test(id)) {
      throw new ToolError("io_error", `${this.#name} took a snapshot, and did not return an id of it.`);
    }
    return id;
  }

  async realPath(path: string): Promise<string | undefined> {
    return this.#is(path) ? path : this.#disk.realPath(path);
  }

  isMissing(path: string): boolean {
    return !this.#is(path) && this.#disk.isMissing(path);
  }

  async stat(path: string): Promise<DiskInfo> {
    return this.#is(path) ? { kind: "file", size: this.#bytes().length, modified: 0 } : this.#disk.stat(path);
  }

  async entry(path: string): Promise<EntryState | undefined> {
    return this.#is(path) ? undefined : this.#disk.entry(path);
  }

  async *chunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (this.#is(path)) {
      yield this.#bytes();
    } else {
      yield* this.#disk.chunks(path, signal);
    }
  }

  async readAll(path: string, maxBytes: number): Promise<Uint8Array> {
    return this.#is(path) ? this.#bytes() : this.#disk.readAll(path, maxBytes);
  }

  list(path: string, sized?: number): Promise<DiskEntry[]> {
    return this.#disk.list(path, sized);
  }

  async stageReplace(path: string, bytes: Uint8Array, unchanged: () => Promise<void>): Promise<Step> {
    if (!this.#is(path)) {
      return this.#disk.stageReplace(path, bytes, unchanged);
    }
    const old = this.#at;
    const label = new TextDecoder().decode(bytes);
    if (!this.#ids.has(label)) {
      throw notAFile(path);
    }
    return {
      commit: async () => {
        await unchanged();
        await this.#go(label);
      },
      undo: async () => {
        if (this.#at !== label) {
          throw replacedMeanwhile(path);
        }
        await this.#go(old);
      },
      release: () => Promise.resolve(),
    };
  }

  async stageCreate(...given: Parameters<Disk["stageCreate"]>): Promise<CreateStep> {
    this.#refuse(given[0]);
    return this.#disk.stageCreate(...given);
  }

  async stageRemove(...given: Parameters<Disk["stageRemove"]>): Promise<Step> {
    this.#refuse(given[0]);
    return this.#disk.stageRemove(...given);
  }

  async stageMove(...given: Parameters<Disk["stageMove"]>): Promise<CreateStep> {
    given.slice(0, 2).forEach((path) => this.#refuse(String(path)));
    return this.#disk.stageMove(...given);
  }

  async stageEntry(...given: Parameters<Disk["stageEntry"]>): Promise<CreateStep> {
    this.#refuse(given[0]);
    return this.#disk.stageEntry(...given);
  }

  stageBySave(path: string, bytes: Uint8Array): Promise<Step> {
    return this.#disk.stageBySave(path, bytes);
  }

  sweep(path: string): Promise<void> {
    return this.#disk.sweep(path);
  }

  async #go(label: string): Promise<void> {
    const id = this.#ids.get(label) ?? "";
    if (label !== this.#taken && label !== this.#at) {
      await this.#calls
        .ask(this.#name, async (client) => client.restore?.(id))
        .catch((error: unknown) => {
          throw new ToolError(
            "io_error",
            `${this.#name} did not return to its snapshot ${id}: ${error instanceof Error ? error.message : String(error)}`,
            "Undo single files instead, if the sandbox has lost it.",
          );
        });
    }
    this.#taken = undefined;
    this.#at = label;
  }

  #refuse(path: string): void {
    if (this.#is(path)) {
      throw notAFile(path);
    }
  }

  #is(path: string): boolean {
    return this.#at !== "" && path === this.#path;
  }

  #bytes(): Uint8Array {
    return new TextEncoder().encode(this.#at);
  }
}

function notAFile(path: string): ToolError {
  return new ToolError(
    "unsupported",
    `${path} is not a file: it represents the whole sandbox in the list of changes.`,
    "Use another name.",
  );
}
