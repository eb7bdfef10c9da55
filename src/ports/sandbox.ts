/** How a command runs in a sandbox. */
export interface SandboxRunOptions {
  /** Milliseconds; the client's own limit if absent. */
  timeoutMs?: number;
  /** Absolute, in the sandbox. */
  workingDirectory?: string;
  /** Aborted when nobody waits for the command any more: a client that can, ends it. */
  signal?: AbortSignal;
}

/** How a command ended. */
export interface SandboxRunResult {
  stdout: string;
  stderr?: string;
  exitCode: number;
}

/** An entry of a folder in a sandbox. */
export interface SandboxEntry {
  name: string;
  kind: "file" | "directory" | "other";
  /** Bytes of a file, if they are known. */
  size?: number;
  /** Milliseconds since 1970, if they are known. */
  modified?: number;
}

/**
 * A place where tools work that is not this machine's disk: its commands and its files. All paths are absolute, with `/`.
 *
 * Files need `list` and `remove`, or else a `run` that has a POSIX shell with GNU's or BusyBox's tools, which does what the
 * other methods do not. Every method may reject with any error; its message is shown.
 */
export interface SandboxClient {
  run(command: string, options?: SandboxRunOptions): Promise<SandboxRunResult>;
  /** Runs a short script that reads or changes files, as `run` does; by `run` if absent. */
  script?(script: string, options?: SandboxRunOptions): Promise<SandboxRunResult>;
  /** Returns a file's bytes, or its text if it is UTF-8. */
  readFile(path: string): Promise<string | Uint8Array>;
  /** Creates a file or replaces it. Its folder exists. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  /** Returns a folder's entries in any order. Where there is `remove`, too, the shell is not needed for files. */
  list?(path: string): Promise<readonly SandboxEntry[]>;
  /** Removes a file. */
  remove?(path: string): Promise<void>;
  /** Puts what a workspace manifest lists into the place, for clients with a way of their own; by the other methods if absent. */
  applyManifest?(manifest: unknown, options?: unknown): Promise<unknown>;
  /** Keeps the state of the place, and returns the id to restore it with. */
  snapshot?(): Promise<string>;
  /** Returns to a state that `snapshot` kept. */
  restore?(id: string): Promise<void>;
}
