import { textVersion } from "../../src/text/contentVersion.js";
import type { FileChange, Snapshot } from "../../src/ports/changes.js";
import type { FileInfo, GatedPath, Root, TextSnapshot } from "../../src/ports/files.js";
import { decodeText } from "../../src/text/encoding.js";
import { utf8Length } from "../../src/text/page.js";
import { DiskFiles, type StagedChange } from "../../src/hosts/shared/diskFiles.js";
import { staleFile, unsavedFile } from "../../src/hosts/shared/fileAnswers.js";
import type { MemoryDisk } from "./disk.js";

/**
 * Files in memory: the gate, encodings, conflicts and all else of a disk's, and an editor's unsaved texts
 * before them. For tests.
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
      this.#unsaved.delete(at.absolute);
      await this.apply([{ kind: "replace", at, before, text }], new AbortController().signal);
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

  protected override async stage(change: FileChange, isChecked: boolean): Promise<StagedChange> {
    const { at } = change;
    const shown = this.unsavedText(at);
    if (shown === undefined && (change.kind === "create" || change.kind === "entry" || !isUnsaved(change.before))) {
      return super.stage(change, isChecked);
    }
    if (change.kind !== "replace") {
      throw unsavedFile(at);
    }
    const { before, text } = change;
    const unchanged = (): void => {
      if (shown === undefined || !before.unsaved || shown !== before.text || this.unsavedText(at) !== shown) {
        throw staleFile(at);
      }
    };
    unchanged();
    return {
      name: at.path,
      step: {
        commit: async () => {
          unchanged();
          this.#unsaved.set(at.absolute, text);
        },
        undo: async () => void this.#unsaved.set(at.absolute, before.text),
        release: () => Promise.resolve(),
      },
      report: { saved: false, text, foldersMade: 0 },
    };
  }
}

function isUnsaved(snapshot: Snapshot): boolean {
  return "unsaved" in snapshot && snapshot.unsaved;
}
