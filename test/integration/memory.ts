// Files of memfs:/proj, the file system of test/harness/memfs-extension.
import * as vscode from "vscode";

const root = vscode.Uri.parse("memfs:/proj");

/** Writes a file, parents included, and gives its address. */
export async function put(path: string, content: string | Uint8Array): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(root, path);
  await vscode.workspace.fs.writeFile(uri, typeof content === "string" ? new TextEncoder().encode(content) : content);
  return uri;
}

/** The text of a file as it is stored. */
export async function stored(path: string): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root, path)));
}

interface MemoryFileSystem {
  locked: Set<string>;
  looks: number;
  writeFile(uri: vscode.Uri, bytes: Uint8Array, options: { create: boolean; overwrite: boolean }): void;
}

/** The file system itself. */
export async function fileSystem(): Promise<MemoryFileSystem> {
  const extension = vscode.extensions.getExtension<{ files: MemoryFileSystem }>("toolhost-test.memfs");
  if (extension === undefined) throw new Error("The extension memfs is not installed in this window.");
  return (await extension.activate()).files;
}

/** Runs work while the file system permits nobody to open or change what is at a path. */
export async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { locked } = await fileSystem();
  const place = vscode.Uri.joinPath(root, path).path;
  locked.add(place);
  try {
    return await work();
  } finally {
    locked.delete(place);
  }
}
