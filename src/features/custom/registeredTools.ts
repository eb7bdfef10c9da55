import type { Disposable, Registry } from "../../core/registry.js";
import type { Tool } from "../../core/contract.js";
import { messageOf } from "../../text/words.js";
import { waitingTools, type ToolFile } from "./toolFiles.js";

/** Keeps the tools of approved files in the registry. */
export class RegisteredTools {
  readonly #registry: Registry;
  readonly #read: () => Promise<ToolFile[]>;
  readonly #approveBy: string;
  readonly #registered = new Map<string, { version: string; tools: Map<Tool, Disposable> }>();
  #files: readonly ToolFile[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param read reads the files as they are now
   * @param approveBy how a person approves here, as they read it
   */
  constructor(registry: Registry, read: () => Promise<ToolFile[]>, approveBy: string) {
    this.#registry = registry;
    this.#read = read;
    this.#approveBy = approveBy;
  }

  /** Whether it put a tool there. */
  has(tool: Tool): boolean {
    return [...this.#registered.values()].some(({ tools }) => tools.has(tool));
  }

  /** The files as last read. */
  get files(): readonly ToolFile[] {
    return this.#files;
  }

  /**
   * Reads the files, and replaces the tools of those that have changed. One refresh runs after the other.
   *
   * @returns the files; a name that another tool has is a problem of its file
   */
  refresh(): Promise<readonly ToolFile[]> {
    const done = this.#last.then(async () => {
      const read = await this.#read();
      this.#registry.batch(() => (this.#files = this.#replace(read)));
      this.#registry.waiting = new Map(
        read.flatMap(waitingTools).map(({ tool, why }) => [tool.name, { why, approveBy: this.#approveBy }]),
      );
      return this.#files;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Removes all tools. */
  clear(): void {
    this.#registry.batch(() => [...this.#registered.keys()].forEach((path) => this.#remove(path)));
    this.#registry.waiting = new Map();
    this.#files = [];
  }

  #replace(files: readonly ToolFile[]): ToolFile[] {
    for (const path of [...this.#registered.keys()]) {
      if (!files.some((file) => file.path === path && versionOf(file) === this.#registered.get(path)?.version)) {
        this.#remove(path);
      }
    }
    return files.map((file) => {
      if (!file.isApproved || this.#registered.has(file.path)) {
        return file;
      }
      const tools = new Map<Tool, Disposable>();
      const problems = [...file.problems];
      for (const [index, tool] of file.tools.entries()) {
        try {
          tools.set(tool, this.#registry.register(tool));
        } catch (error) {
          const { line = 1, column = 1 } = file.entries[index] ?? {};
          problems.push({ line, column, tool: tool.name, message: messageOf(error) });
        }
      }
      this.#registered.set(file.path, { version: versionOf(file), tools });
      return { ...file, problems };
    });
  }

  #remove(path: string): void {
    this.#registered.get(path)?.tools.forEach((tool) => tool.dispose());
    this.#registered.delete(path);
  }
}

/** Only what is approved is registered. */
function versionOf({ isApproved, text, services, tools }: ToolFile): string {
  const described = services.map((service) => (service.isApproved ? service.version : ""));
  const behindSearch = tools.filter(({ expose }) => expose === "search").length;
  return isApproved ? JSON.stringify([text, described, behindSearch]) : "";
}
