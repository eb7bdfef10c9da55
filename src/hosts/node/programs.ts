import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import type { Programs } from "../../ports/programs.js";

/** Maximum links, and interpreters of scripts, that are followed. Linux follows 40 and 5. */
const MAX_LINKS = 40;
const MAX_INTERPRETERS = 5;
/** Endings of the programs that Windows runs for a name without one, in any case (PATHEXT may name more). */
const USUAL_ENDINGS = [".com", ".exe", ".bat", ".cmd"];
/** Maximum bytes of a script's first line that Linux reads. */
const MAX_SHEBANG = 256;

/**
 * Finds programs as a shell does (execvp(3)), without waiting for another thread at each of a dozen steps: the command
 * that was asked about would wait for a slow folder of the PATH, too.
 */
export class NodePrograms implements Programs {
  readonly #path: () => string;
  readonly #endings: (() => string | undefined) | undefined;

  /**
   * @param path the PATH that commands get; an empty entry means their working directory
   * @param endings the PATHEXT that commands get on Windows; undefined elsewhere
   */
  constructor(path: () => string, endings = process.platform === "win32" ? () => process.env["PATHEXT"] : undefined) {
    this.#path = path;
    this.#endings = endings;
  }

  async find(name: string, folder: string): Promise<readonly string[]> {
    const found: string[] = [];
    this.#follow(name, folder, found, 0);
    return found;
  }

  #follow(name: string, folder: string, found: string[], depth: number): void {
    const file = depth > MAX_INTERPRETERS ? undefined : this.#locate(name, folder);
    if (file === undefined) {
      return;
    }
    const links = linksOf(file);
    found.push(...links);
    const words = interpreterOf(links.at(-1) ?? file);
    const [program] = words;
    if (program !== undefined) {
      this.#follow(program, folder, found, depth + 1);
    }
    // There is no need to know which of its words are option values: those lead to no program, or to one too many.
    const started =
      basename(program ?? "") === "env"
        ? words.slice(1).filter((word) => !word.startsWith("-") && !word.includes("="))
        : [];
    for (const word of started) {
      this.#follow(word, folder, found, depth + 1);
    }
  }

  /** Returns the first executable file with a name. */
  #locate(name: string, folder: string): string | undefined {
    const places = name.includes("/")
      ? [resolve(folder, name)]
      : this.#path()
          .split(delimiter)
          .map((entry) => resolve(folder, entry, name));
    return places.flatMap((place) => this.#withEndings(place)).find(mayRun);
  }

  /** Returns the files that a name may lead to in a folder: on Windows with each ending that a shell adds to it. */
  #withEndings(place: string): readonly string[] {
    if (this.#endings === undefined || /\.(?:com|exe|bat|cmd|ps1|vb[se]|jse?|ws[fh]|msc|cpl)$/i.test(place)) {
      return [place];
    }
    const own = (this.#endings() ?? "").split(";").filter((ending) => /^\.[^\\/:]+$/.test(ending));
    const endings = new Set([...USUAL_ENDINGS, ...own.map((ending) => ending.toLowerCase())]);
    return [place, ...[...endings].map((ending) => place + ending)];
  }
}

function mayRun(place: string): boolean {
  try {
    if (statSync(place, { throwIfNoEntry: false })?.isFile() !== true) {
      return false;
    }
    accessSync(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns a file and, while it is a link, its target; each with its folder's real path. */
function linksOf(file: string): readonly string[] {
  const links: string[] = [];
  for (let next: string | undefined = file; next !== undefined && links.length < MAX_LINKS;) {
    const at = join(realpathSync.native(dirname(next)), basename(next));
    links.push(at);
    next = lstatSync(at).isSymbolicLink() ? resolve(dirname(at), readlinkSync(at)) : undefined;
  }
  return links;
}

/** Returns the words after `#!` in a script's first line; empty for other files and those that cannot be read. */
function interpreterOf(file: string): readonly string[] {
  try {
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(MAX_SHEBANG);
      const line = /^#![ \t]*([^\n]*)/.exec(
        buffer.toString("latin1", 0, readSync(handle, buffer, 0, MAX_SHEBANG, 0)),
      )?.[1];
      return line?.split(/[ \t]+/).filter((word) => word !== "") ?? [];
    } finally {
      closeSync(handle);
    }
  } catch {
    return [];
  }
}
