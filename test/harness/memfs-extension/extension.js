// The file system memfs:, in memory, filled from the folder that TOOLHOST_MEMFS names. Plain JavaScript: loaded as it is.
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

/** @typedef {{ type: vscode.FileType, ctime: number, mtime: number, bytes?: Uint8Array, entries?: Map<string, Node> }} Node */

/** @returns {Node} */
const folder = () => ({ type: vscode.FileType.Directory, ctime: Date.now(), mtime: Date.now(), entries: new Map() });
/** @param {Uint8Array} bytes @returns {Node} */
const file = (bytes) => ({ type: vscode.FileType.File, ctime: Date.now(), mtime: Date.now(), bytes });

/** @implements {vscode.FileSystemProvider} */
class MemoryFileSystem {
  constructor() {
    this.top = folder();
    this.changed = new vscode.EventEmitter();
    this.onDidChangeFile = this.changed.event;
    /** How often files were read: what a test asserts of bounds. */
    this.reads = 0;
    /** How often something was looked at. */
    this.looks = 0;
    /** Paths that may be looked at, but neither opened nor changed: what a system answers whose permissions say so. @type {Set<string>} */
    this.locked = new Set();
  }

  watch() {
    return new vscode.Disposable(() => undefined);
  }

  /** @param {vscode.Uri} uri */
  stat(uri) {
    this.looks++;
    const { type, ctime, mtime, bytes } = this.existing(uri);
    return { type, ctime, mtime, size: bytes?.length ?? 0 };
  }

  /** @param {vscode.Uri} uri @returns {[string, vscode.FileType][]} */
  readDirectory(uri) {
    const { entries } = this.existing(uri);
    if (entries === undefined) throw vscode.FileSystemError.FileNotADirectory(uri);
    this.permit(uri.path);
    return [...entries].map(([name, { type }]) => [name, type]);
  }

  /** @param {vscode.Uri} uri */
  readFile(uri) {
    this.reads++;
    const { bytes } = this.existing(uri);
    if (bytes === undefined) throw vscode.FileSystemError.FileIsADirectory(uri);
    this.permit(uri.path);
    return bytes;
  }

  /** @param {vscode.Uri} uri @param {Uint8Array} bytes @param {{ create: boolean, overwrite: boolean }} options */
  writeFile(uri, bytes, options) {
    const { parent, name } = this.place(uri);
    const before = parent.entries?.get(name);
    if (before?.entries !== undefined) throw vscode.FileSystemError.FileIsADirectory(uri);
    this.permit(uri.path);
    if (before === undefined && !options.create) throw vscode.FileSystemError.FileNotFound(uri);
    if (before !== undefined && !options.overwrite) throw vscode.FileSystemError.FileExists(uri);
    parent.entries?.set(name, file(bytes));
    this.changed.fire([{ type: before === undefined ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed, uri }]);
  }

  /** @param {vscode.Uri} uri */
  createDirectory(uri) {
    const { parent, name } = this.place(uri);
    this.permit(uri.path);
    parent.entries?.set(name, folder());
  }

  /** @param {vscode.Uri} uri */
  delete(uri) {
    this.existing(uri);
    const { parent, name } = this.place(uri);
    parent.entries?.delete(name);
    this.changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  /** @param {vscode.Uri} from @param {vscode.Uri} to */
  rename(from, to) {
    const node = this.existing(from);
    const { parent, name } = this.place(to);
    parent.entries?.set(name, node);
    this.delete(from);
  }

  /** @param {vscode.Uri} uri @returns {Node} */
  existing(uri) {
    let node = this.top;
    let path = "";
    for (const name of uri.path.split("/").filter(Boolean)) {
      // What lies in a locked folder cannot even be looked at.
      this.permit(path);
      path += `/${name}`;
      const next = node.entries?.get(name);
      if (next === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      node = next;
    }
    return node;
  }

  /** @param {vscode.Uri} uri @returns {{ parent: Node, name: string }} */
  place(uri) {
    const parent = this.existing(uri.with({ path: uri.path.replace(/\/[^/]*$/, "") || "/" }));
    if (parent.entries === undefined) throw vscode.FileSystemError.FileNotADirectory(uri);
    this.permit(uri.path.replace(/\/[^/]*$/, ""));
    return { parent, name: uri.path.slice(uri.path.lastIndexOf("/") + 1) };
  }

  /** @param {string} path */
  permit(path) {
    if (this.locked.has(path)) throw vscode.FileSystemError.NoPermissions(path);
  }

  /** Copies a folder of the disk into a folder. @param {Node} into @param {string} from */
  load(into, from) {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const path = join(from, entry.name);
      const node = entry.isDirectory() ? folder() : file(readFileSync(path));
      into.entries?.set(entry.name, node);
      if (entry.isDirectory()) this.load(node, path);
    }
  }
}

/** @param {vscode.ExtensionContext} context */
exports.activate = (context) => {
  const files = new MemoryFileSystem();
  const project = folder();
  files.top.entries?.set("proj", project);
  files.top.entries?.set("outside.txt", file(new TextEncoder().encode("outside of the workspace\n")));
  const source = process.env.TOOLHOST_MEMFS;
  if (source !== undefined) files.load(project, source);
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider("memfs", files, { isCaseSensitive: true }));
  return { files };
};
