import { ToolError } from "../../core/errors.js";
import { errorText, failure } from "../../core/outcome.js";
import { messageOf } from "../../text/words.js";
import type { OfferAnswer, OfferRequest } from "./offerTypes.js";
import { callOwnProcess } from "./ownProcesses.js";
import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "./toolSource.js";
import type { WindowTools } from "./window/windowTools.js";

export interface NearestToolsHost {
  /**
   * Connects to the window that has the folder open now.
   *
   * @param onClosed called when the window goes
   * @throws Error that says why a window cannot be reached, if there may be one
   */
  window(onClosed: () => void): Promise<WindowTools | undefined>;
  /** Opens the folder without a window. Absent if only a window may serve it. */
  alone?: () => Promise<ToolSource>;
  log(message: string): void;
}

/** The tools of the window that has the folder open, or of this process as long as there is none. */
export class NearestTools implements ToolSource {
  readonly #host: NearestToolsHost;
  readonly #listeners = new Set<() => void>();
  #window: WindowTools | undefined;
  #alone: Promise<ToolSource> | undefined;
  #looking: Promise<ToolSource> | undefined;
  /** Where calls run, as last reported. */
  #told: string | undefined;

  constructor(host: NearestToolsHost) {
    this.#host = host;
  }

  async list(client: string): Promise<ListedTool[]> {
    const source = await this.#source();
    try {
      return await source.list(client);
    } catch (error) {
      const now = await this.#source();
      if (now === source) {
        throw error;
      }
      // The window was closed just now.
      return now.list(client);
    }
  }

  async call(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer> {
    let source: ToolSource;
    try {
      source = await this.#source();
    } catch (error) {
      return { ok: false, text: errorText(failure(name, error).error) };
    }
    const own = source === this.#window ? await this.#alone : undefined;
    return (
      (own && (await callOwnProcess({ own, window: source }, name, input, options))) ??
      source.call(name, input, options)
    );
  }

  async offer(request: OfferRequest, options: Pick<CallOptions, "client" | "signal">): Promise<OfferAnswer> {
    return (await this.#source()).offer(request, options);
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Says where calls run now, as a clause. */
  async where(): Promise<string> {
    if (this.#window === undefined) {
      await this.#find();
    }
    return this.#told ?? "";
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

  /** Connects to the window, if there is one now. */
  async #find(): Promise<WindowTools | undefined> {
    let where =
      this.#host.alone === undefined
        ? "not serving the folders of a window of VS Code, which cannot be reached"
        : "serving the folder without a window of VS Code";
    const lose = (): void => {
      this.#window = undefined;
      this.#change();
    };
    const found = await this.#host.window(lose).catch((error: unknown) => {
      where += `: ${messageOf(error)}`;
      return undefined;
    });
    if (found !== undefined) {
      where =
        this.#host.alone === undefined
          ? "serving the folders of a window of VS Code"
          : "serving the folder in the window of VS Code that has it open";
      found.onDidChange(() => this.#change());
    }
    this.#window = found;
    const told = this.#told;
    if (told !== where) {
      this.#told = where;
      this.#host.log(`${where}.`);
      if (told !== undefined) {
        this.#change();
      }
      // The window, or this process after it, goes on with the session.
      await this.#alone?.then((source) => source.release?.()).catch(() => undefined);
    }
    return found;
  }

  async #look(): Promise<ToolSource> {
    const { alone } = this.#host;
    const found = await this.#find();
    if (found !== undefined) {
      return found;
    }
    if (alone === undefined) {
      throw new ToolError(
        "io_error",
        "The window of VS Code that this server belongs to does not answer. Nothing was done.",
        "Reload the window, or try again if it is busy.",
      );
    }
    this.#alone ??= alone().then(
      (source) => {
        source.onDidChange(() => this.#change());
        return source;
      },
      (error: unknown) => {
        // The next call tries again.
        this.#alone = undefined;
        throw error;
      },
    );
    return this.#alone;
  }

  #change(): void {
    this.#listeners.forEach((listener) => listener());
  }
}
