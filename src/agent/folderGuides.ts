import { readFrontMatter } from "../features/documents/frontMatter.js";
import { globMatcher } from "../core/paths/globMatcher.js";
import { joinPath } from "../core/paths/pathShape.js";
import type { Files } from "../ports/files.js";
import { guidesIn, readNote, type WorkspaceNote } from "./workspaceNotes.js";

/** Maximum code units of a file: the model gets it in the middle of its work, and can read the rest. */
const MAX_GUIDE = 8_000;
/** Maximum files for a call; the others come with the next one. */
const MAX_AT_ONCE = 4;
/** Maximum files with instructions that are looked at. */
const MAX_INSTRUCTIONS = 100;
const INSTRUCTIONS = ".github/instructions";
const ENDING = ".instructions.md";

/** Where a file is below its top folder. */
interface Place {
  top: string;
  segments: string[];
}

/** Instructions for the files that some globs match. */
interface Scoped {
  note: WorkspaceNote;
  matches: readonly ((path: string) => boolean)[];
}

/**
 * Guides of a workspace for agents on some of its files: `AGENTS.md` and `CLAUDE.md` in the folders above a file, and
 * `.github/instructions/*.instructions.md` whose `applyTo` matches it. Files of the top folder itself are in the system
 * prompt (`workspaceNotes`). Reads each of them once.
 */
export class FolderGuides {
  readonly #files: Files;
  readonly #ofFolder = new Map<string, Promise<WorkspaceNote[]>>();
  readonly #scoped = new Map<string, Promise<Scoped[]>>();
  /** By the path as a caller wrote it. A file stays where it is for as long as notes matter. */
  readonly #places = new Map<string, Place>();

  constructor(files: Files) {
    this.#files = files;
  }

  /**
   * Returns the notes about a file, outermost folder first; none for a folder and for anything outside the workspace.
   *
   * @param path as a caller wrote it
   * @param isGiven whether the model has the note of a path already
   */
  async of(path: string, isGiven: (path: string) => boolean, signal: AbortSignal): Promise<WorkspaceNote[]> {
    const place = this.#places.get(path) ?? (await this.#placeOf(path));
    if (place === undefined) {
      return [];
    }
    this.#places.set(path, place);
    const { top, segments } = place;
    const folders = segments.slice(1).map((_, index) => top + segments.slice(0, index + 1).join("/"));
    const notes = await Promise.all(folders.map((folder) => this.#inFolder(folder, signal)));
    const scoped = await this.#scopedBelow(top, signal);
    const relative = segments.join("/");
    const matching = scoped.filter(({ matches }) => matches.some((match) => match(relative)));
    return [...notes.flat(), ...matching.map(({ note }) => note)]
      .filter((note) => note.path !== top + relative && !isGiven(note.path))
      .slice(0, MAX_AT_ONCE);
  }

  /** Returns a file's place below its top folder; undefined if it is not a file of the workspace. */
  async #placeOf(path: string): Promise<Place | undefined> {
    try {
      const at = await this.#files.resolve(path);
      if (at.root === undefined || at.root.beside === true || at.outside === true) {
        return undefined;
      }
      if ((await this.#files.stat(at)).kind !== "file") {
        return undefined;
      }
      const hasSeveral = this.#files.roots().filter(({ beside }) => beside !== true).length > 1;
      const segments = at.path.split("/");
      return hasSeveral ? { top: `${at.root.name}/`, segments: segments.slice(1) } : { top: "", segments };
    } catch {
      return undefined;
    }
  }

  #inFolder(folder: string, signal: AbortSignal): Promise<WorkspaceNote[]> {
    const known = this.#ofFolder.get(folder) ?? guidesIn(this.#files, `${folder}/`, signal, MAX_GUIDE);
    this.#ofFolder.set(folder, known);
    return known;
  }

  #scopedBelow(top: string, signal: AbortSignal): Promise<Scoped[]> {
    const known = this.#scoped.get(top) ?? this.#readScoped(top, signal);
    this.#scoped.set(top, known);
    return known;
  }

  async #readScoped(top: string, signal: AbortSignal): Promise<Scoped[]> {
    try {
      const folder = await this.#files.resolve(top + INSTRUCTIONS);
      const names = (await this.#files.list(folder)).flatMap(({ name }) => (name.endsWith(ENDING) ? [name] : []));
      const read = names
        .sort()
        .slice(0, MAX_INSTRUCTIONS)
        .map((name) => readNote(this.#files, joinPath(top + INSTRUCTIONS, name), signal, MAX_GUIDE));
      return (await Promise.all(read)).flatMap((note) => (note === undefined ? [] : scopedNote(note)));
    } catch {
      signal.throwIfAborted();
      return [];
    }
  }
}

/** Returns instructions with the files they apply to; none if they name no files: then people attach them by hand. */
function scopedNote(note: WorkspaceNote): Scoped[] {
  const parts = readFrontMatter(note.text);
  const globs = parts.ok ? parts.fields["applyTo"] : undefined;
  if (!parts.ok || typeof globs !== "string") {
    return [];
  }
  // Commas within braces belong to a glob.
  const matches = globs.split(/,(?![^{]*\})/).flatMap((glob) => matcherOf(glob.trim()));
  return matches.length === 0 ? [] : [{ note: { ...note, text: parts.body }, matches }];
}

function matcherOf(glob: string): ((path: string) => boolean)[] {
  try {
    return [globMatcher(glob)];
  } catch {
    return [];
  }
}
