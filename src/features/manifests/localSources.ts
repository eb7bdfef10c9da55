// Local files and folders that a manifest names, read through the gate of a call.
import { ToolError } from "../../core/errors.js";
import { joinPath } from "../../core/paths/pathShape.js";
import type { Files, GatedPath } from "../../ports/files.js";
import { shownName } from "../../text/shownName.js";
import { asText, sizeOf, type Content } from "./content.js";
import { MAX_DEPTH, MAX_ENTRIES, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "./limits.js";
import type { Manifest } from "./manifest.js";
import type { LocalSources, SourcePart } from "./sandbox.js";

/** A file or folder below a local folder. */
interface Found {
  /** Relative to that folder, with `/`. */
  path: string;
  /** As the call writes it. */
  name: string;
  isFolder: boolean;
}

/** What is in a local folder. */
export interface Walked {
  /** Each folder before what is in it. */
  found: Found[];
  /** Links, pipes and devices, which are not copied. */
  leftOut: string[];
}

/** Returns a source as the gate takes it. @param hostRoot the folder that relative ones are in */
export function sourceName(src: string, hostRoot: string | undefined): string {
  const plain = src.replace(/^file:\/\/(?=\/)/, "");
  return hostRoot === undefined || /^(?:[/\\]|[A-Za-z]:[\\/])/.test(plain) ? plain : joinPath(hostRoot, plain);
}

/** Returns the sources that entries name, as the gate takes them. */
export function sourceNames(
  { entries }: Manifest,
  hostRoot: string | undefined,
): { name: string; isFolder: boolean; path: string }[] {
  return entries.flatMap((entry) =>
    entry.type === "localFile" || entry.type === "localDir"
      ? [{ name: sourceName(entry.src, hostRoot), isFolder: entry.type === "localDir", path: entry.path }]
      : [],
  );
}

/**
 * Lists what is below a local folder, without opening a file. Links are not followed.
 *
 * @throws ToolError `not_found`, `unsupported` if it is no folder, `too_large` with the limit
 */
export async function walkFolder(files: Files, name: string, signal: AbortSignal): Promise<Walked> {
  const top = await files.resolve(name);
  if ((await files.stat(top)).kind !== "directory") {
    throw new ToolError("unsupported", `${shownName(top.path)} is not a folder.`, "Name it as localFile.");
  }
  // Outside of the workspace, what is below a folder is found by its absolute path.
  const base = top.outside === true ? top.path : name;
  const walked: Walked = { found: [], leftOut: [] };
  const walk = async (at: GatedPath, folder: string, depth: number): Promise<void> => {
    signal.throwIfAborted();
    if (depth > MAX_DEPTH) {
      throw new ToolError("too_large", `${shownName(at.path)} is more than ${MAX_DEPTH} folders deep.`);
    }
    for (const entry of await files.list(at)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.link || entry.kind === "other") {
        walked.leftOut.push(path);
        continue;
      }
      const isFolder = entry.kind === "directory";
      walked.found.push({ path, name: joinPath(base, path), isFolder });
      if (walked.found.length > MAX_ENTRIES) {
        throw new ToolError(
          "too_large",
          `${shownName(top.path)} has more than ${MAX_ENTRIES} files and folders. Nothing was done.`,
          "Name the folders in it that are needed.",
        );
      }
      if (isFolder) {
        await walk(await files.resolve(joinPath(base, path)), path, depth + 1);
      }
    }
  };
  await walk(top, "", 1);
  return walked;
}

/** Reads local sources, and counts them against the limits. */
export class SourceReader implements LocalSources {
  readonly #files: Files;
  readonly #signal: AbortSignal;
  readonly #hostRoot: string | undefined;
  readonly #report: (message: string) => void;
  #bytes = 0;
  #count = 0;
  /** What was not copied, by its place in its folder. */
  readonly leftOut: string[] = [];

  constructor(
    files: Files,
    {
      signal,
      hostRoot,
      report,
    }: { signal: AbortSignal; hostRoot: string | undefined; report: (message: string) => void },
  ) {
    [this.#files, this.#signal, this.#hostRoot, this.#report] = [files, signal, hostRoot, report];
  }

  readFile(src: string): Promise<Content> {
    return this.#read(sourceName(src, this.#hostRoot));
  }

  async readFolder(src: string): Promise<SourcePart[]> {
    const { found, leftOut } = await walkFolder(this.#files, sourceName(src, this.#hostRoot), this.#signal);
    this.leftOut.push(...leftOut.map((path) => `${src}/${path}`));
    const parts: SourcePart[] = [];
    for (const { path, name, isFolder } of found) {
      parts.push(isFolder ? { path } : { path, content: await this.#read(name) });
    }
    return parts;
  }

  /** Counts a content. @throws ToolError `too_large` with the limit */
  take(name: string, content: Content): Content {
    const size = sizeOf(content);
    this.#bytes += size;
    if (size > MAX_FILE_BYTES) {
      throw tooLarge(`${shownName(name)} has ${size} bytes; at most ${MAX_FILE_BYTES} are allowed a file`);
    }
    if (this.#bytes > MAX_TOTAL_BYTES) {
      throw tooLarge(`the files of the manifest have more than ${MAX_TOTAL_BYTES} bytes together`);
    }
    if (++this.#count > MAX_ENTRIES) {
      throw tooLarge(`the manifest makes more than ${MAX_ENTRIES} files`);
    }
    return content;
  }

  async #read(name: string): Promise<Content> {
    this.#signal.throwIfAborted();
    if (this.#count % 1_000 === 999) {
      this.#report(`${this.#count + 1} files read`);
    }
    const at = await this.#files.resolve(name);
    return this.take(at.path, asText(await this.#files.readBytes(at, MAX_FILE_BYTES)));
  }
}

function tooLarge(problem: string): ToolError {
  return new ToolError(
    "too_large",
    `workspace manifest: ${problem}. Nothing was done.`,
    "Split the manifest, or let a command copy such files.",
  );
}
