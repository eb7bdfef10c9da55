import type { FileInfo, GatedPath, Root, TextSnapshot, WriteReport } from "../../ports/files.js";
import { decodeText } from "../../text/encoding.js";
import { utf8Length } from "../../text/page.js";
import { contentVersion } from "../contentVersion.js";
import { DiskFiles } from "../diskFiles.js";
import { staleFile } from "../fileAnswers.js";
import type { MemoryDisk } from "./disk.js";

/**
 * Files in memory: the gate, encodings, conflicts and all else of a disk's, and an editor's unsaved texts
 * before them. For tests, and for a sandbox that touches no disk.
 */
export class MemoryFiles extends DiskFiles {
  readonly #disk: MemoryDisk;
  /** Texts on screen that are not on the disk, by real path. */
  readonly #unsaved = new Map<string, string>();

  constructor(disk: MemoryDisk, roots: readonly Root[]) {
    super(disk, roots, { outside: "Tools work inside the workspace only.", noRoot: "Give the workspace a folder." });
    this.#disk = disk;
  }

  /** Types into a file without saving it. The file exists. */
  async type(path: string, text: string): Promise<void> {
    const at = await this.resolve(path);
    await super.stat(at);
    this.#unsaved.set(at.absolute, text);
  }

  /** Saves a file as it is on screen. */
  async save(path: string): Promise<void> {
    const at = await this.resolve(path);
    const text = this.#unsaved.get(at.absolute);
    if (text !== undefined) {
      const before = await super.readSnapshot(at, Number.POSITIVE_INFINITY);
      await super.replaceText(at, before, text, new AbortController().signal);
      this.#unsaved.delete(at.absolute);
    }
  }

  /** The text on screen where it is not what lies on the disk. */
  unsavedText(at: GatedPath): string | undefined {
    return this.#unsaved.get(at.absolute);
  }

  override async stat(at: GatedPath): Promise<FileInfo> {
    const info = await super.stat(at);
    const text = this.unsavedText(at);
    return text === undefined ? info : { ...info, size: utf8Length(text), unsaved: true };
  }

  override async *readChunks(at: GatedPath, signal: AbortSignal): AsyncGenerator<string> {
    const text = this.unsavedText(at);
    if (text === undefined) {
      yield* super.readChunks(at, signal);
    } else {
      yield text;
    }
  }

  override async readSnapshot(at: GatedPath, maxBytes: number): Promise<TextSnapshot> {
    const text = this.unsavedText(at);
    if (text === undefined) {
      return super.readSnapshot(at, maxBytes);
    }
    const { encoding } = decodeText(await this.#disk.readAll(at.absolute, Number.POSITIVE_INFINITY));
    return { text, encoding, unsaved: true, version: await textVersion(text) };
  }

  override async replaceText(at: GatedPath, before: TextSnapshot, text: string, signal: AbortSignal): Promise<WriteReport> {
    const shown = this.unsavedText(at);
    if (shown === undefined && !before.unsaved) {
      return super.replaceText(at, before, text, signal);
    }
    const isSame = shown !== undefined && before.unsaved && (await textVersion(shown)) === before.version;
    // Nothing may be typed between this look and the change: no waiting in between.
    if (!isSame || this.unsavedText(at) !== shown) {
      throw staleFile(at);
    }
    signal.throwIfAborted();
    this.#unsaved.set(at.absolute, text);
    return { saved: false, text };
  }
}

function textVersion(text: string): Promise<string> {
  return contentVersion(new TextEncoder().encode(text));
}
