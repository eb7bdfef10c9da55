/** How a command runs in a sandbox. */
export interface SandboxRunOptions {
  /** Milliseconds; the client's own limit if absent. */
  timeoutMs?: number;
  /** Absolute, in the sandbox. */
  workingDirectory?: string;
}

/** How a command ended. */
export interface SandboxRunResult {
  stdout: string;
  stderr?: string;
  exitCode: number;
}

/**
 * A place where tools work that is not this machine's disk: its commands and its files. All paths are absolute, with `/`.
 *
 * What else files need is done by `run`, for which the place needs a POSIX shell with GNU's or BusyBox's tools. Every
 * method may reject with any error; its message is shown.
 */
export interface SandboxClient {
  run(command: string, options?: SandboxRunOptions): Promise<SandboxRunResult>;
  /** Runs a short script that reads or changes files, as `run` does; by `run` if absent. */
  script?(script: string, options?: SandboxRunOptions): Promise<SandboxRunResult>;
  /** Returns a file's bytes, or its text if it is UTF-8. */
  readFile(path: string): Promise<string | Uint8Array>;
  /** Creates a file or replaces it. Its folder exists. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
}
