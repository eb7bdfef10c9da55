import ignore, { type Ignore } from "ignore";
import type { DirectoryEntry, Files, GatedPath } from "../../ports/files.js";
import { decodeText } from "../../text/encoding.js";
import { ToolError } from "../errors.js";
import { resolveFrom } from "./resolveFrom.js";
import { baseName, joinPath, parentPath } from "./pathShape.js";

/** Size limit in bytes; a larger file is not a list of names. */
const MAX_RULES_BYTES = 1_000_000;

/** Rule files by precedence: each overrides those after it, whatever folder they are in (ripgrep's order). */
const SOURCES = [
  { file: ".rgignore", isGit: false },
  { file: ".ignore", isGit: false },
  { file: ".gitignore", isGit: true },
  { file: ".git/info/exclude", isGit: true },
] as const;

type Source = (typeof SOURCES)[number]["file"];

/** The rules of one folder. */
interface Level {
  /** Relative to the root of the rules; `.` for the root itself. */
  folder: string;
  rules: ReadonlyMap<Source, Ignore>;
  /** Whether a Git repository begins here: Git's rules from parent folders do not apply in it. */
  isRepository: boolean;
}

/**
 * The rules by which .gitignore and .ignore exclude entries of one folder: its own and those of its parent folders.
 * They apply outside Git repositories too, as in grep and glob; `.git` is always excluded.
 */
export class IgnoreRules {
  /** From the deepest folder up. */
  readonly #levels: readonly Level[];
  /** Whether the folder itself, and everything in it, is excluded. */
  readonly everything: boolean;

  private constructor(levels: readonly Level[], everything: boolean) {
    this.#levels = levels;
    this.everything = everything;
  }

  static readonly none = new IgnoreRules([], false);

  /** Returns the same rules for a folder that was named explicitly, even if it is excluded. */
  asNamed(): IgnoreRules {
    return new IgnoreRules(this.#levels, false);
  }

  /**
   * Returns the rules of a child of the folder that these rules are for.
   * @param folder relative to the root of the rules, `.` for the root itself
   * @param texts the contents of its rule files
   * @param isRepository whether it contains `.git`
   */
  below(folder: string, texts: ReadonlyMap<Source, string>, isRepository: boolean): IgnoreRules {
    const everything = folder !== "." && this.ignores(folder, true);
    const rules = new Map(
      [...texts].map(
        ([source, text]) => [source, ignore({ ignorecase: false, allowRelativePaths: true }).add(text)] as const,
      ),
    );
    return new IgnoreRules(
      rules.size > 0 || isRepository ? [{ folder, rules, isRepository }, ...this.#levels] : this.#levels,
      everything,
    );
  }

  /**
   * Whether an entry of the folder is excluded.
   * @param path relative to where the rules begin
   */
  ignores(path: string, isFolder: boolean): boolean {
    if (this.everything || baseName(path) === ".git") {
      return true;
    }
    for (const { file, isGit } of SOURCES) {
      for (const level of this.#levels) {
        const said = verdict(level.rules.get(file), relativeTo(level.folder, path), isFolder);
        if (said !== undefined) {
          return said;
        }
        if (isGit && level.isRepository) {
          break;
        }
      }
    }
    return false;
  }
}

/** Returns what one rule file says about a path below it; undefined if it says nothing. */
function verdict(rules: Ignore | undefined, path: string, isFolder: boolean): boolean | undefined {
  if (rules === undefined) {
    return undefined;
  }
  const { ignored, unignored } = rules.test(isFolder ? `${path}/` : path);
  if (unignored) {
    return false;
  }
  // If these rules exclude a parent folder that stronger rules let in, they do not apply to its contents.
  const above = parentPath(path);
  return ignored && (above === "." || !rules.test(`${above}/`).ignored) ? true : undefined;
}

function relativeTo(folder: string, path: string): string {
  return folder === "." ? path : path.slice(folder.length + 1);
}

/**
 * Returns the rules for a folder's entries: from its root down, its own included.
 * @param entries the folder's entries, if known, which saves looking for files that do not exist
 */
export async function loadIgnoreRules(
  files: Files,
  at: GatedPath,
  entries?: readonly DirectoryEntry[],
): Promise<IgnoreRules> {
  if (at.root === undefined) {
    return IgnoreRules.none;
  }
  const below = belowRoot(at);
  const names = below === "." ? [] : below.split("/");
  let folder = at.path;
  const above: string[] = [];
  for (const _ of names) {
    folder = parentPath(folder);
    above.unshift(folder);
  }
  // In parallel: a deep folder has many parents, and most have no rules.
  const holdings = await Promise.all([
    ...above.map((path) => holdingOf(files, path, at)),
    holdingOf(files, at.path, at, entries),
  ]);
  return holdings.reduce(
    (rules, { texts, isRepository }, index) => rules.below(names.slice(0, index).join("/") || ".", texts, isRepository),
    IgnoreRules.none,
  );
}

/** Returns the rules for the entries of a child of a folder whose rules are known. */
export async function addIgnoreRules(
  rules: IgnoreRules,
  files: Files,
  at: GatedPath,
  entries: readonly DirectoryEntry[],
): Promise<IgnoreRules> {
  const { texts, isRepository } = await holdingOf(files, at.path, at, entries);
  return rules.below(belowRoot(at), texts, isRepository);
}

/** Returns a path relative to its root, as the rules expect it. */
export function belowRoot({ root, lexical }: GatedPath): string {
  return root === undefined ? "." : lexical.slice(root.path.length).replace(/^\//, "") || ".";
}

/** A folder's contents that decide which entries are excluded. */
interface Holding {
  texts: ReadonlyMap<Source, string>;
  isRepository: boolean;
}

async function holdingOf(
  files: Files,
  path: string,
  at: GatedPath,
  entries?: readonly DirectoryEntry[],
): Promise<Holding> {
  const known = entries && new Set(entries.map(({ name }) => name));
  const resolve = (name: string): Promise<GatedPath> => resolveFrom(files, at, joinPath(path, name));
  const sources = SOURCES.filter(({ file }) => known === undefined || known.has(file.split("/")[0] ?? file));
  const [isRepository, ...texts] = await Promise.all([
    known === undefined ? exists(files, resolve(".git")) : known.has(".git"),
    ...sources.map(async ({ file }) => [file, await readRules(files, resolve(file))] as const),
  ]);
  return {
    texts: new Map(texts.flatMap(([file, text]) => (text === undefined ? [] : [[file, text] as const]))),
    isRepository,
  };
}

/** Rules that cannot be read, such as a link to outside or a folder with that name, count as none. */
async function readRules(files: Files, place: Promise<GatedPath>): Promise<string | undefined> {
  try {
    const at = await place;
    return (await files.stat(at)).kind === "file"
      ? decodeText(await files.readBytes(at, MAX_RULES_BYTES)).text
      : undefined;
  } catch (error) {
    if (error instanceof ToolError) {
      return undefined;
    }
    throw error;
  }
}

async function exists(files: Files, place: Promise<GatedPath>): Promise<boolean> {
  try {
    await files.stat(await place);
    return true;
  } catch (error) {
    if (error instanceof ToolError) {
      return false;
    }
    throw error;
  }
}
