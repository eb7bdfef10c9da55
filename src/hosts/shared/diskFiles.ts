import { contentVersion, textVersion } from "../../text/contentVersion.js";
import { NotTakenBack, ToolError } from "../../core/errors.js";
import { PathGate } from "../../core/paths/pathGate.js";
import { joinPath, pathBelow } from "../../core/paths/pathShape.js";
import type {
  ChangeKeep,
  ChangeReport,
  DecodedContent,
  FileChange,
  FileWriter,
  NewContent,
  Snapshot,
} from "../../ports/changes.js";
import type { DirectoryEntry, EntryState, FileInfo, Files, GatedPath, Root, TextSnapshot } from "../../ports/files.js";
import { decodeChunks, isPlain, looksBinary } from "../../text/encoding.js";
import { shownName } from "../../text/shownName.js";
import type { Disk, Step } from "./disk.js";
import { decodeContent, decodeFile, encodeFile, type DiskCodec, type Encodings } from "./encoding.js";
import { binaryFile, changeName, notExact, staleFile, topEntries } from "./fileAnswers.js";
import { countMissing } from "./missingFolders.js";
import { commitAll, releaseAll } from "./steps.js";
import { swapsOf, topOf } from "./swaps.js";

/** Hints on what a person can do if the gate refuses a path. */
export interface GateHints {
  outside: string;
  noRoot: string;
}

/** How a person changes a file's encoding. */
const CHANGE = "with a program such as iconv; files.encoding in .vscode/settings.json says which one files have";

/** Files of a disk, without an editor in between. */
export class DiskFiles implements Files, FileWriter {
  readonly #disk: Disk;
  readonly #encodings: Encodings | undefined;
  readonly #roots: readonly Root[];
  readonly #gate: PathGate;

  /**
   * @param roots folders that tools may work in; each exists
   * @param encodings beyond UTF-8, and UTF-16 with a byte order mark; default: none
   */
  constructor(disk: Disk, roots: readonly Root[], hints: GateHints, encodings?: Encodings) {
    this.#disk = disk;
    this.#encodings = encodings;
    this.#roots = roots;
    this.#gate = new PathGate({
      roots: () => roots,
      realPath: (root, path) => namedAs(this.#nameOf(root, path), path, disk.realPath(path)),
      isMissing: (path) => disk.isMissing(path),
      windows: disk.windows,
      foldCase: disk.foldCase,
      // All roots are on this disk, so the rest of it is outside the workspace.
      disk: roots[0]?.scheme ?? "file",
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

  outside(path: string, within?: GatedPath): Promise<GatedPath> {
    return this.#gate.outside(path, within);
  }

  resolveEntry(path: string): Promise<GatedPath> {
    return this.#gate.resolveEntry(path);
  }

  resolvePlace(path: string): Promise<GatedPath> {
    return this.#gate.resolvePlace(path);
  }

  async entry(at: GatedPath, large?: number): Promise<EntryState | undefined> {
    return at.root === undefined ? undefined : this.#disk.entry(at.absolute, large);
  }

  async stat(at: GatedPath): Promise<FileInfo> {
    if (at.root === undefined) {
      return { kind: "directory", size: 0, modified: 0, unsaved: false };
    }
    return { ...(await named(at, this.#disk.stat(at.absolute))), unsaved: false };
  }

  isMissing(path: string): boolean {
    return this.#disk.isMissing(path);
  }

  async *readChunks(at: GatedPath, signal: AbortSignal): AsyncGenerator<string> {
    const { codec } = await this.#encodingOf(at);
    yield* decodeChunks(
      namedChunks(at, this.#disk.chunks(at.absolute, signal)),
      () => {
        throw binaryFile(at);
      },
      codec?.stream(),
    );
  }

  readBytes(at: GatedPath, maxBytes: number): Promise<Uint8Array> {
    return named(at, this.#disk.readAll(at.absolute, maxBytes));
  }

  async readSnapshot(at: GatedPath, maxBytes: number): Promise<TextSnapshot> {
    const [bytes, { name, codec }] = await Promise.all([this.readBytes(at, maxBytes), this.#encodingOf(at)]);
    if (looksBinary(bytes)) {
      throw binaryFile(at);
    }
    const { text, encoding, exact } = await decodeFile(bytes, name, codec);
    if (!exact) {
      throw notExact(at, encoding);
    }
    return { text, encoding, unsaved: false, version: await textVersion(text) };
  }

  async apply(changes: readonly FileChange[], signal: AbortSignal, keep?: ChangeKeep): Promise<ChangeReport[]> {
    const staged: StagedChange[] = [];
    try {
      const swaps = swapsOf(changes);
      for (const change of changes) {
        staged.push(await this.stage(change, changes.length > 1, topOf(change, swaps)));
        keep?.ready?.(staged.length);
      }
    } catch (error) {
      await releaseAll(staged);
      throw error;
    }
    const reports = staged.map(({ report }) => report);
    await commitAll(staged, signal, keep, reports);
    return reports;
  }

  async decode(at: GatedPath, bytes: Uint8Array): Promise<DecodedContent> {
    const { name, codec } = await this.#encodingOf(at);
    return decodeContent(bytes, (all) => decodeFile(all, name, codec));
  }

  missingFolders(at: GatedPath): Promise<number> {
    return countMissing(at, (folder) => this.#disk.stat(folder));
  }

  /**
   * Prepares a change.
   *
   * @param isChecked whether to check its file already now, before others are changed; its turn checks it in any case
   * @param top the folder above it that takes, or gives, its place in the same call; see `swapsOf`
   */
  protected async stage(change: FileChange, isChecked: boolean, top?: string): Promise<StagedChange> {
    const { at } = change;
    const unchanged = async (): Promise<void> => {
      if (
        "before" in change &&
        change.kind !== "entry" &&
        (await this.#versionNow(at, change.before)) !== change.before.version
      ) {
        throw staleFile(at);
      }
    };
    if (isChecked) {
      await unchanged();
    }
    const staged = (step: Step, text: string | undefined, foldersMade = 0): StagedChange => ({
      name: changeName(change),
      step: namedStep(at, step),
      report: { saved: true, text, foldersMade },
    });
    switch (change.kind) {
      case "create": {
        const step = await named(
          at,
          this.#disk.stageCreate(at.absolute, await this.#newBytes(at, change.content), change.mode, top),
        );
        return staged(step, textOf(change.content), step.foldersMade);
      }
      case "replace": {
        const bytes = await this.#bytesOf(at, change.text, change.before.encoding, change.before.text);
        return staged(await named(at, this.#disk.stageReplace(at.absolute, bytes, unchanged)), change.text);
      }
      case "overwrite": {
        const bytes = await this.#newBytes(at, change.content);
        return staged(await named(at, this.#disk.stageReplace(at.absolute, bytes, unchanged)), textOf(change.content));
      }
      case "delete":
        return staged(
          await named(at, this.#disk.stageRemove(at.absolute, change.folders ?? 0, unchanged, top)),
          undefined,
        );
      case "move": {
        const bytes =
          change.text === undefined || !("encoding" in change.before)
            ? undefined
            : await this.#bytesOf(at, change.text, change.before.encoding, change.before.text);
        const step = await named(
          at,
          named(
            change.to,
            this.#disk.stageMove(at.absolute, change.to.absolute, bytes, change.folders ?? 0, unchanged),
          ),
        );
        return { ...staged(namedStep(change.to, step), change.text ?? textOf(change.before), step.foldersMade) };
      }
      case "entry": {
        const { before, after, folders = 0 } = change;
        const step = await named(at, this.#disk.stageEntry(at.absolute, before, after, folders, top));
        return staged(step, undefined, step.foldersMade);
      }
    }
  }

  async list(at: GatedPath, sized = 0): Promise<DirectoryEntry[]> {
    if (at.root === undefined) {
      return topEntries(this.#roots.filter(({ beside }) => !beside));
    }
    const entries = await named(at, this.#disk.list(at.absolute, sized));
    return Promise.all(entries.map((entry) => onlyInside(this.#gate, at, entry)));
  }

  /** Returns the encoding for a file without a byte order mark. One that is not known counts as UTF-8, as in VS Code. */
  async #encodingOf(at: GatedPath): Promise<{ name: string; codec?: DiskCodec }> {
    const name = at.root === undefined ? undefined : await this.#encodings?.of(at.root);
    const codec = name === undefined || isPlain(name) ? undefined : await this.#encodings?.codec(name);
    return name === undefined || codec === undefined ? { name: "utf8" } : { name, codec };
  }

  /** Returns the bytes of a new file. */
  async #newBytes(at: GatedPath, content: NewContent): Promise<Uint8Array> {
    return "bytes" in content
      ? content.bytes
      : this.#bytesOf(at, content.text, content.encoding ?? (await this.#encodingOf(at)).name);
  }

  async #bytesOf(at: GatedPath, text: string, encoding: string, before?: string): Promise<Uint8Array> {
    const codec = isPlain(encoding) ? undefined : await this.#encodings?.codec(encoding);
    if (codec === undefined && !isPlain(encoding)) {
      throw new ToolError(
        "unsupported",
        `${shownName(at.path)} is written in the encoding ${encoding}, which the command line does not know. Nothing was changed.`,
        "Let the user do it in VS Code.",
      );
    }
    return encodeFile(at, text, encoding, codec, CHANGE, before);
  }

  /** Returns the version of a file's bytes, computed as for `before`. For a text, only the text counts. */
  async #versionNow(at: GatedPath, before: Snapshot): Promise<string> {
    const bytes = await this.readBytes(at, Number.POSITIVE_INFINITY);
    if ("bytes" in before) {
      return contentVersion(bytes);
    }
    const { name, codec } = await this.#encodingOf(at);
    return textVersion((await decodeFile(bytes, name, codec)).text);
  }

  /** Returns the name people know for a path that has not passed the gate yet. */
  #nameOf(root: Root, path: string): string {
    const below = root.beside ? undefined : pathBelow(root.path, path, this.#disk.foldCase);
    const isOneOfSeveral = this.#roots.filter(({ beside }) => !beside).length > 1;
    return below === undefined ? path : isOneOfSeveral ? joinPath(root.name, below) : below;
  }
}

/** A prepared change and its outcome once it is made. */
export interface StagedChange {
  name: string;
  step: Step;
  report: ChangeReport;
}

function textOf(content: Snapshot | NewContent): string | undefined {
  return "text" in content ? content.text : undefined;
}

function namedStep(at: GatedPath, step: Step): Step {
  return {
    ...step,
    flushed: () => named(at, Promise.resolve(step.flushed?.())),
    commit: () => named(at, step.commit()),
    undo: () => named(at, step.undo()),
  };
}

/**
 * Hides a link's target if that is outside the workspace, or outside the listed folder if that folder is itself
 * outside: it is listed as a link without details.
 */
async function onlyInside(gate: PathGate, at: GatedPath, entry: DirectoryEntry): Promise<DirectoryEntry> {
  if (!entry.link || entry.kind === "other") {
    return entry;
  }
  const inside = await gate.admit(joinPath(at.lexical, entry.name), at);
  return inside === undefined ? { ...entry, kind: "other", size: undefined } : entry;
}

/** Makes errors name the file as the caller does, not by the host's path. */
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
  if (error instanceof NotTakenBack) {
    return new NotTakenBack(error.message.replaceAll(absolute, shownName(name)), error.hint ?? "");
  }
  if (error instanceof ToolError && error.message.startsWith(absolute)) {
    return new ToolError(error.type, shownName(name) + error.message.slice(absolute.length), error.hint);
  }
  return error;
}
