import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "./toolSource.js";
import type { WindowTools } from "./window/windowTools.js";

export interface NearestToolsHost {
  /** Connects to the window that has the folder open now. @param onClosed called when the window goes */
  window(onClosed: () => void): Promise<WindowTools | undefined>;
  /** Opens the folder without a window. */
  alone(): Promise<ToolSource>;
  log(message: string): void;
}

/** The tools of the window that has the folder open, or of this process as long as there is none. */
export class NearestTools implements ToolSource {
  readonly #host: NearestToolsHost;
  readonly #listeners = new Set<() => void>();
  #window: WindowTools | undefined;
  #alone: Promise<ToolSource> | undefined;
  #looking: Promise<ToolSource> | undefined;
  #told: boolean | undefined;

  constructor(host: NearestToolsHost) {
    this.#host = host;
  }

  async list(): Promise<ListedTool[]> {
    const source = await this.#source();
    try {
      return await source.list();
    } catch {
      // The window was closed just now.
      return (await this.#source()).list();
    }
  }

  async call(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer> {
    return (await this.#source()).call(name, input, options);
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Ends the connection to a window. */
  close(): void {
    this.#window?.close();
  }

  #source(): Promise<ToolSource> {
    if (this.#window !== undefined) {
      return Promise.resolve(this.#window);
    }
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(): Promise<ToolSource> {
    const found = await this.#host.window(() => {
      this.#window = undefined;
      this.#change();
    });
    found?.onDidChange(() => this.#change());
    this.#window = found;
    const isInWindow = found !== undefined;
    if (this.#told !== isInWindow) {
      const where = isInWindow ? "in the window of VS Code that has it open" : "without a window of VS Code";
      this.#host.log(`serving the folder ${where}.`);
      if (this.#told !== undefined) {
        this.#change();
      }
      this.#told = isInWindow;
    }
    if (found !== undefined) {
      return found;
    }
    this.#alone ??= this.#host.alone().then((source) => {
      source.onDidChange(() => this.#change());
      return source;
    });
    return this.#alone;
  }

  #change(): void {
    this.#listeners.forEach((listener) => listener());
  }
}
