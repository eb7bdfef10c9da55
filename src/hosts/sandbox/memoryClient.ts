import type { SandboxClient, SandboxEntry, SandboxRunOptions, SandboxRunResult } from "../../ports/sandbox.js";

export interface InMemorySandboxOptions {
  /** The files that are there at first, by their absolute paths; one that ends with `/` is an empty folder. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** Runs commands; if absent, each ends with exit code 0 and no output. @param files by their absolute paths */
  runHandler?: (
    command: string,
    options: SandboxRunOptions | undefined,
    files: Map<string, string | Uint8Array>,
  ) => SandboxRunResult | Promise<SandboxRunResult>;
}

/** A sandbox in this process's memory, for tests and for trying things out. It has no shell. */
export class InMemorySandboxClient implements SandboxClient {
  #files: Map<string, string | Uint8Array>;
  readonly #runHandler: InMemorySandboxOptions["runHandler"];
  /** When files were written, in ms since 1970. */
  readonly #times = new Map<string, number>();
  readonly #snapshots = new Map<string, Map<string, string | Uint8Array>>();

  constructor({ files = {}, runHandler }: InMemorySandboxOptions = {}) {
    this.#files = new Map(Object.entries(files));
    this.#runHandler = runHandler;
  }

  async run(command: string, options?: SandboxRunOptions): Promise<SandboxRunResult> {
    return this.#runHandler === undefined
      ? { stdout: "", exitCode: 0 }
      : this.#runHandler(command, options, this.#files);
  }

  readFile(path: string): Promise<string | Uint8Array> {
    const content = this.#files.get(path);
    return content === undefined
      ? Promise.reject(new Error(`Sandbox file not found: ${path}`))
      : Promise.resolve(content);
  }

  writeFile(path: string, content: string | Uint8Array): Promise<void> {
    this.#files.set(path, content);
    this.#times.set(path, Date.now());
    return Promise.resolve();
  }

  list(path: string): Promise<SandboxEntry[]> {
    const entries = new Map<string, SandboxEntry>();
    const below = path === "/" ? "/" : `${path}/`;
    for (const [file, content] of this.#files) {
      const [name = "", ...rest] = file.startsWith(below) ? file.slice(below.length).split("/") : [];
      if (name !== "") {
        entries.set(
          name,
          rest.length === 0
            ? { name, kind: "file", size: sizeOf(content), modified: this.#times.get(file) ?? 0 }
            : { name, kind: "directory" },
        );
      }
    }
    return Promise.resolve([...entries.values()]);
  }

  remove(path: string): Promise<void> {
    return this.#files.delete(path) ? Promise.resolve() : Promise.reject(new Error(`Sandbox file not found: ${path}`));
  }

  snapshot(): Promise<string> {
    const id = `snapshot-${this.#snapshots.size + 1}`;
    this.#snapshots.set(id, new Map(this.#files));
    return Promise.resolve(id);
  }

  restore(id: string): Promise<void> {
    const kept = this.#snapshots.get(id);
    if (kept === undefined) {
      return Promise.reject(new Error(`Sandbox snapshot not found: ${id}`));
    }
    this.#files = new Map(kept);
    return Promise.resolve();
  }

  /** Returns a file's content; undefined if it is not there. */
  getFile(path: string): string | Uint8Array | undefined {
    return this.#files.get(path);
  }
}

function sizeOf(content: string | Uint8Array): number {
  return typeof content === "string" ? new TextEncoder().encode(content).length : content.length;
}
