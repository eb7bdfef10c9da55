import { ToolError } from "../../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../../core/largestFile.js";
import { resolveFrom } from "../../../core/paths/resolveFrom.js";
import { sourceText } from "../../../features/code/sourceText.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import { shorten } from "../../../text/clip.js";
import { TextPlaces } from "../../../text/textPlaces.js";

/** Maximum characters of a line that is shown. */
const MAX_LINE = 200;

/** Maximum number of files held in memory. */
const MAX_HELD = 20;

/** The lines of files that answers name, each file read once while its lines are asked for. */
export class SourceLines {
  readonly #files: Files;
  readonly #signal: AbortSignal;
  readonly #texts = new Map<string, Promise<TextPlaces | undefined>>();

  constructor(files: Files, signal: AbortSignal) {
    this.#files = files;
    this.#signal = signal;
  }

  /** Returns a file's lines; undefined if the call may not read it, or it cannot be read. @param path workspace path */
  async of(path: string): Promise<TextPlaces | undefined> {
    const known = this.#texts.get(path);
    if (known !== undefined) {
      return known;
    }
    const read = this.#read(path);
    this.#texts.set(path, read);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_HELD && oldest !== undefined) {
      this.#texts.delete(oldest);
    }
    return read;
  }

  /** Returns a line for a list, without its indentation; empty if it cannot be read. */
  async shown(path: string, line: number): Promise<string> {
    return shorten((await this.of(path))?.line(line)?.trim() ?? "", MAX_LINE);
  }

  async #read(path: string): Promise<TextPlaces | undefined> {
    try {
      return new TextPlaces(await textOf(this.#files, await this.#open(path), this.#signal));
    } catch (error) {
      if (error instanceof ToolError) {
        return undefined;
      }
      throw error;
    }
  }

  async #open(path: string): Promise<GatedPath> {
    return path.startsWith("/")
      ? this.#files.resolve(path)
      : resolveFrom(this.#files, await this.#files.resolve("."), path);
  }
}

/** @throws ToolError `too_large`, and those of `Files.readChunks` */
export async function textOf(files: Files, at: GatedPath, signal: AbortSignal): Promise<string> {
  const text = await sourceText(files, at, LARGEST_CHANGED_FILE, signal);
  if (text === undefined) {
    throw new ToolError("too_large", `${at.path} is too large for this tool.`, "Use grep and read.");
  }
  return text;
}
