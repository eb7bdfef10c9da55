import * as vscode from "vscode";
import { textVersion } from "../../../text/contentVersion.js";
import { ToolError } from "../../../core/errors.js";
import { PathGate } from "../../../core/paths/pathGate.js";
import { lookAt, placeOf } from "../../../features/changes/journal/look.js";
import type { Image } from "../../../features/changes/journal/types.js";
import { joinPath, pathBelow } from "../../../core/paths/pathShape.js";
import type {
  DirectoryEntry,
  EntryState,
  FileInfo,
  Files,
  GatedPath,
  Root,
  TextSnapshot,
} from "../../../ports/files.js";
import { excerpt } from "../../../text/clip.js";
import { decodeChunks, looksBinary } from "../../../text/encoding.js";
import { utf8Length } from "../../../text/page.js";
import type { Disk } from "../../shared/disk.js";
import { binaryFile, notExact, topEntries } from "../../shared/fileAnswers.js";
import type { UnsavedText } from "../../ripgrep/host.js";
import { decodeFile } from "./encoding.js";
import { ioError } from "./fileErrors.js";
import { hostPath, WorkspaceRoots, type FolderRoot } from "../roots.js";
import { isShown } from "../shown.js";
import { kindOf, listVirtual } from "./virtualFolder.js";
import { untitledDocument, untitledDocuments, untitledName, untitledPlace } from "./untitled.js";

/**
 * A file up to this size, in bytes, is read whole with the user's encoding settings; a larger local one is streamed.
 */
const WHOLE_BYTES = 8_000_000;
/** The largest file read from a virtual file system, in bytes: its API only returns whole files. */
const MAX_VIRTUAL_BYTES = 100_000_000;

/** A file's text at one moment. */
export interface CurrentText {
  text: string;
  encoding: string;
  unsaved: boolean;
  document: vscode.TextDocument | undefined;
}

/**
 * The window's files, with the editor's text for open documents that have been changed.
 *
 * A local file is read through the disk: each call of VS Code's file system API is a round trip to its main thread (3
 * ms measured, `node:fs` 0.02 ms), and follows a link that took the file's place after the gate checked it. The API
 * serves all other file systems.
 */
export class VscodeFiles implements Files {
  readonly #roots: WorkspaceRoots;
  readonly #gate: PathGate;
  readonly #disk: Disk | undefined;

  /**
   * @param disk the local disk; absent in a browser
   * @param only the path of the window's folder that is seen, as if it were the only one; all of them if absent
   */
  constructor(disk?: Disk, only?: string) {
    this.#disk = disk;
    this.#roots = new WorkspaceRoots(only);
    this.#gate = new PathGate({
      roots: () => this.#roots.current(),
      realPath: (root, path) => this.#realPath(root, path),
      windows: disk?.windows ?? false,
      foldCase: disk?.foldCase ?? false,
      document: untitledPlace,
      disk: "file",
      outsideHint:
        only === undefined
          ? "Tools work inside the workspace only. The user can add a folder (File > Add Folder to Workspace)."
          : `Tools work inside ${only} only.`,
      noRootHint: "The user must open a folder first (File > Open Folder).",
    });
  }

  roots(): readonly FolderRoot[] {
    return this.#roots.current();
  }

  resolve(path: string): Promise<GatedPath> {
    return this.#gate.resolve(path);
  }

  async outside(path: string, within?: GatedPath): Promise<GatedPath> {
    const at = await this.#gate.outside(path, within);
    const other = at.outside === true ? await this.#unseen(at) : undefined;
    if (other !== undefined) {
      throw new ToolError(
        "outside_workspace",
        `${excerpt(path)} leads to ${other.path}, another folder of this window. Only agents that work in that folder can reach it.`,
      );
    }
    return at;
  }

  resolveEntry(path: string): Promise<GatedPath> {
    return this.#gate.resolveEntry(path);
  }

  resolvePlace(path: string): Promise<GatedPath> {
    return this.#gate.resolvePlace(path);
  }

  async entry(at: GatedPath, large?: number): Promise<EntryState | undefined> {
    return at.root === undefined ? undefined : this.diskOf(at)?.entry(at.absolute, large);
  }

  async stat(at: GatedPath): Promise<FileInfo> {
    if (at.root === undefined) {
      return { kind: "directory", size: 0, modified: 0, unsaved: false };
    }
    const document = await this.unsavedDocument(at);
    if (document !== undefined) {
      return { kind: "file", size: utf8Length(document.getText()), modified: Date.now(), unsaved: true };
    }
    return { ...(await this.#look(at)), unsaved: false };
  }

  isMissing(path: string): boolean {
    // A path alone may be ambiguous between file systems.
    return this.#roots.current().every(({ scheme }) => scheme === "file") && this.#disk?.isMissing(path) === true;
  }

  async *readChunks(at: GatedPath, signal: AbortSignal): AsyncGenerator<string> {
    const document = await this.unsavedDocument(at);
    if (document !== undefined) {
      yield document.getText();
      return;
    }
    const disk = this.diskOf(at);
    if (disk !== undefined && (await this.#look(at)).size > WHOLE_BYTES) {
      yield* decodeChunks(disk.chunks(at.absolute, signal), () => {
        throw binaryFile(at);
      });
      return;
    }
    const bytes = await this.readBytes(at, MAX_VIRTUAL_BYTES);
    if (looksBinary(bytes)) {
      throw binaryFile(at);
    }
    yield (await decodeFile(bytes, this.uriOf(at))).text;
  }

  async readBytes(at: GatedPath, maxBytes: number): Promise<Uint8Array> {
    const disk = this.diskOf(at);
    if (disk !== undefined) {
      return this.#try(at, disk.readAll(at.absolute, maxBytes));
    }
    const { size } = await this.#look(at);
    if (size > maxBytes) {
      throw new ToolError(
        "too_large",
        `${at.path} has ${size} bytes; at most ${maxBytes} can be read whole.`,
        "Use grep, or read with offset and limit.",
      );
    }
    return this.#try(at, vscode.workspace.fs.readFile(this.uriOf(at)));
  }

  async readSnapshot(at: GatedPath, maxBytes: number): Promise<TextSnapshot> {
    const { text, encoding, unsaved } = await this.current(at, maxBytes);
    return { text, encoding, unsaved, version: await textVersion(text) };
  }

  async list(at: GatedPath, sized = 0): Promise<DirectoryEntry[]> {
    if (at.root === undefined) {
      return topEntries(this.#roots.current());
    }
    const disk = this.diskOf(at);
    if (disk !== undefined) {
      const entries = await this.#try(at, disk.list(at.absolute, sized));
      return Promise.all(entries.map((entry) => this.#onlyInside(at, entry)));
    }
    return this.#try(at, listVirtual(this.uriOf(at), sized));
  }

  /** Returns local documents with unsaved text, wherever they are: a search picks those in the folders it searches. */
  async unsaved(): Promise<UnsavedText[]> {
    const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === "file");
    const texts = await Promise.all(
      dirty.map(async (document) => {
        const at = await this.outside(hostPath(document.uri)).catch(() => undefined);
        return at === undefined ? [] : [{ path: at.path, absolute: at.absolute, text: document.getText() }];
      }),
    );
    return texts.flat();
  }

  /** Returns documents that were never saved, by the names used to read them. */
  untitled(): { path: string; text: string }[] {
    return untitledDocuments().map((document) => ({ path: untitledName(document), text: document.getText() }));
  }

  /**
   * Returns a file's current content, for the undo journal.
   *
   * @param key the file's `fileKey`
   * @param large see `Files.entry`
   */
  look(key: string, large?: number): Promise<Image | undefined> {
    return lookAt(this, this.#named(key), large);
  }

  /** Returns a path as people write it who see all of the window's folders. */
  wholePath(at: GatedPath): string {
    const { root, path, outside } = at;
    const isOne = this.#roots.current().length === 1 && this.#roots.all().length > 1;
    return isOne && root !== undefined && root.beside !== true && outside !== true ? joinPath(root.name, path) : path;
  }

  /** Returns the folder of the window that is not seen here and contains a path, or is in it. */
  async #unseen(at: GatedPath): Promise<FolderRoot | undefined> {
    const seen = this.#roots.current();
    for (const root of this.#roots.all()) {
      if (!seen.includes(root) && root.scheme === "file") {
        const real = (await this.#disk?.realPath(root.path)) ?? root.path;
        const foldCase = this.#disk?.foldCase ?? false;
        if (
          [root.path, real].some((folder) => [at.lexical, at.absolute].some((path) => meet(folder, path, foldCase)))
        ) {
          return root;
        }
      }
    }
    return undefined;
  }

  /** Returns the document with unsaved text of a file, by the file's `fileKey`. */
  async dirtyDocument(key: string): Promise<{ at: GatedPath; document: vscode.TextDocument } | undefined> {
    const at = await placeOf(this, this.#named(key));
    const document = await this.unsavedDocument(at);
    return document?.isDirty === true && !document.isUntitled ? { at, document } : undefined;
  }

  #named(key: string): string {
    const [, scheme = "", path = ""] = /^([\w+.-]{2,}):(\/.*)$/.exec(key) ?? [];
    const root = this.#roots
      .current()
      .find((candidate) => candidate.scheme === scheme && pathBelow(candidate.path, path, false) !== undefined);
    // A path alone may be ambiguous between file systems: its folder's name decides.
    const below = root && (pathBelow(root.path, path, false) ?? "");
    return root === undefined || below === undefined
      ? key
      : this.#roots.current().length > 1
        ? joinPath(root.name, below)
        : below;
  }

  /** Returns the workspace path of a URI; undefined if it is outside the workspace. */
  async pathOf(uri: vscode.Uri): Promise<string | undefined> {
    const root = this.#roots
      .current()
      .find(
        (candidate) => candidate.scheme === uri.scheme && pathBelow(candidate.path, hostPath(uri), false) !== undefined,
      );
    return root && (await this.#gate.admit(hostPath(uri)))?.path;
  }

  /** Returns the address that VS Code opens for a workspace path; undefined if it leads nowhere. */
  async addressOf(path: string): Promise<vscode.Uri | undefined> {
    const at = await this.#gate.admit(path);
    return at?.root && this.#roots.uriOf(at, at.lexical);
  }

  /**
   * Returns a file's current text. `document` is set if the file should be changed in the editor: the document has
   * unsaved text, or exactly the disk's. A clean document that differs from the disk has not caught up with it, or
   * shows one line ending where the file has several: then the disk's text counts, and an edit must not rewrite the
   * rest.
   */
  async current(at: GatedPath, maxBytes: number): Promise<CurrentText> {
    const unsaved = await this.unsavedDocument(at);
    if (unsaved !== undefined) {
      return { text: unsaved.getText(), encoding: unsaved.encoding, unsaved: true, document: unsaved };
    }
    const document = await this.#document(at);
    const bytes = await this.readBytes(at, maxBytes);
    if (looksBinary(bytes)) {
      throw binaryFile(at);
    }
    const { text, encoding, exact } = await decodeFile(bytes, this.uriOf(at), document?.encoding);
    if (!exact) {
      throw notExact(at, encoding);
    }
    return { text, encoding, unsaved: false, document: document?.getText() === text ? document : undefined };
  }

  /**
   * Hides a link's target if that is outside the workspace, or outside the listed folder if that folder is itself
   * outside: it is listed as a link without details.
   */
  async #onlyInside(at: GatedPath, entry: DirectoryEntry): Promise<DirectoryEntry> {
    const leadsOut =
      entry.link &&
      entry.kind !== "other" &&
      (await this.#gate.admit(joinPath(at.lexical, entry.name), at)) === undefined;
    return leadsOut ? { ...entry, kind: "other", size: undefined } : entry;
  }

  async #realPath(root: Root, path: string): Promise<string | undefined> {
    if (root.scheme === "file" && this.#disk !== undefined) {
      return this.#disk.realPath(path);
    }
    // A virtual file system does not report links: if something exists at a path, it is really there.
    const folder = this.#roots.current().find((candidate) => candidate === root);
    if (folder === undefined || path === root.path) {
      return folder && path;
    }
    return vscode.workspace.fs.stat(folder.uri.with({ path })).then(
      () => path,
      () => undefined,
    );
  }

  /** Returns the document whose text is not on disk: unsaved, never saved, or still shown though its file is gone. */
  async unsavedDocument(at: GatedPath): Promise<vscode.TextDocument | undefined> {
    const document = await this.#document(at);
    if (document === undefined || document.isDirty || document.isUntitled) {
      return document;
    }
    return isShown(document) && (await this.#isGone(at)) ? document : undefined;
  }

  async #isGone(at: GatedPath): Promise<boolean> {
    return this.#look(at).then(
      () => false,
      (error: unknown) => error instanceof ToolError && error.type === "not_found",
    );
  }

  /**
   * Returns a file's open document: one with unsaved text, whatever name it was opened under, otherwise a clean one
   * under either of its names.
   */
  async #document(at: GatedPath): Promise<vscode.TextDocument | undefined> {
    const untitled = untitledDocument(at);
    if (at.root === undefined || untitled !== undefined) {
      return untitled;
    }
    const names = new Set([at.lexical, at.absolute].map((path) => this.#roots.uriOf(at, path).toString()));
    const named = vscode.workspace.textDocuments.filter(({ uri }) => names.has(uri.toString()));
    const typedIn = named.find(({ isDirty }) => isDirty);
    const disk = this.diskOf(at);
    if (typedIn !== undefined || disk === undefined) {
      return typedIn ?? named[0];
    }
    // A link and its target may both be open, each with its own text.
    for (const document of vscode.workspace.textDocuments) {
      const other =
        document.isDirty &&
        document.uri.scheme === "file" &&
        (await disk.realPath(hostPath(document.uri)).catch(() => undefined));
      if (other === at.absolute) {
        return document;
      }
    }
    return named[0];
  }

  /** Returns what exists at a path, without opening it. */
  async #look(at: GatedPath): Promise<Omit<FileInfo, "unsaved">> {
    const disk = this.diskOf(at);
    if (disk !== undefined) {
      return this.#try(at, disk.stat(at.absolute));
    }
    const { type, size, mtime } = await this.#try(at, vscode.workspace.fs.stat(this.uriOf(at)));
    return { kind: kindOf(type), size, modified: mtime };
  }

  /** Returns a path's disk; undefined if only VS Code's API can reach it. */
  diskOf(at: GatedPath): Disk | undefined {
    return at.root?.scheme === "file" ? this.#disk : undefined;
  }

  /** Returns the address of a gated path, links resolved. */
  uriOf(at: GatedPath): vscode.Uri {
    return this.#roots.uriOf(at);
  }

  async #try<T>(at: GatedPath, work: Thenable<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw ioError(at, error);
    }
  }
}

/** Whether one of two paths contains the other. */
function meet(one: string, other: string, foldCase: boolean): boolean {
  return pathBelow(one, other, foldCase) !== undefined || pathBelow(other, one, foldCase) !== undefined;
}
