import { constants } from "node:fs";
import { access, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import type { Programs } from "../../ports/programs.js";

/** Maximum links, and interpreters of scripts, that are followed. Linux follows 40 and 5. */
const MAX_LINKS = 40;
const MAX_INTERPRETERS = 5;
/** Maximum bytes of a script's first line that Linux reads. */
const MAX_SHEBANG = 256;

/** Finds programs as a shell does (execvp(3)). */
export class NodePrograms implements Programs {
  readonly #path: () => string;

  /** @param path the PATH that commands get; an empty entry means their working directory */
  constructor(path: () => string) {
    this.#path = path;
  }

  async find(name: string, folder: string): Promise<readonly string[]> {
    const found: string[] = [];
    await this.#follow(name, folder, found, 0);
    return found;
  }

  async #follow(name: string, folder: string, found: string[], depth: number): Promise<void> {
    const file = depth > MAX_INTERPRETERS ? undefined : await this.#locate(name, folder);
    if (file === undefined) {
      return;
    }
    const links = await linksOf(file);
    found.push(...links);
    const words = await interpreterOf(links.at(-1) ?? file);
    const [program] = words;
    if (program !== undefined) {
      await this.#follow(program, folder, found, depth + 1);
    }
    // There is no need to know which of its words are option values: those lead to no program, or to one too many.
    const started =
      basename(program ?? "") === "env"
        ? words.slice(1).filter((word) => !word.startsWith("-") && !word.includes("="))
        : [];
    for (const word of started) {
      await this.#follow(word, folder, found, depth + 1);
    }
  }

  /** Returns the first executable file with a name. */
  async #locate(name: string, folder: string): Promise<string | undefined> {
    const places = name.includes("/")
      ? [resolve(folder, name)]
      : this.#path()
          .split(delimiter)
          .map((entry) => resolve(folder, entry, name));
    for (const place of places.flatMap(withEndings)) {
      if (await mayRun(place)) {
        return place;
      }
    }
    return undefined;
  }
}

function withEndings(place: string): readonly string[] {
  return process.platform === "win32" ? [place, `${place}.exe`, `${place}.cmd`] : [place];
}

async function mayRun(place: string): Promise<boolean> {
  try {
    await access(place, constants.X_OK);
    return (await stat(place)).isFile();
  } catch {
    return false;
  }
}

/** Returns a file and, while it is a link, its target; each with its folder's real path. */
async function linksOf(file: string): Promise<readonly string[]> {
  const links: string[] = [];
  for (let next: string | undefined = file; next !== undefined && links.length < MAX_LINKS;) {
    const at = join(await realpath(dirname(next)), basename(next));
    links.push(at);
    next = (await lstat(at)).isSymbolicLink() ? resolve(dirname(at), await readlink(at)) : undefined;
  }
  return links;
}

/** Returns the words after `#!` in a script's first line; empty for other files and those that cannot be read. */
async function interpreterOf(file: string): Promise<readonly string[]> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_SHEBANG), 0, MAX_SHEBANG, 0);
      const line = /^#![ \t]*([^\n]*)/.exec(buffer.toString("latin1", 0, bytesRead))?.[1];
      return line?.split(/[ \t]+/).filter((word) => word !== "") ?? [];
    } finally {
      await handle.close();
    }
  } catch {
    return [];
  }
}
