import * as vscode from "vscode";

/** Watches single files, wherever in the workspace they are. */
export class FileWatchers implements vscode.Disposable {
  readonly #onChange: () => void;
  readonly #watchers = new Map<string, vscode.Disposable>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Watches these files and no others from now on. */
  watch(files: readonly vscode.Uri[]): void {
    const wanted = new Map(files.map((uri) => [uri.toString(), uri]));
    for (const [key, watcher] of this.#watchers) {
      if (!wanted.has(key)) {
        watcher.dispose();
        this.#watchers.delete(key);
      }
    }
    for (const [key, uri] of wanted) {
      if (!this.#watchers.has(key)) {
        this.#watchers.set(key, this.#watchOne(uri));
      }
    }
  }

  dispose(): void {
    this.watch([]);
  }

  /** A file's name may have characters that mean something in a pattern, so its folder is watched. */
  #watchOne(uri: vscode.Uri): vscode.Disposable {
    const folder = new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), "*");
    const watcher = vscode.workspace.createFileSystemWatcher(folder);
    const tell = (changed: vscode.Uri): void => (changed.toString() === uri.toString() ? this.#onChange() : undefined);
    return vscode.Disposable.from(
      ...[watcher, watcher.onDidChange(tell), watcher.onDidCreate(tell), watcher.onDidDelete(tell)],
    );
  }
}
