import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseGitIndex, type IndexEntry } from "../../../../shell/gitIndex.js";
import type { Entry, Snapshot } from "../../../../features/effects/snapshot.js";
import { below } from "../../../../features/effects/snapshot.js";
import { placeOf, topAbove, type GitPlace } from "../../gitTree.js";
import { readRegular } from "../readRegular.js";

/** Maximum bytes of an index: 200,000 files. */
const MAX_INDEX = 30_000_000;
/** Maximum number of indexes kept in memory. */
const MAX_INDEXES = 8;
/** Maximum bytes of other files of Git. */
const MAX_FILE = 1_000_000;
/** Length of SHA-1 in bytes. Repositories with SHA-256 are rare, and their files are copied. */
const NAME_BYTES = 20;
/** Attributes by which Git may store other contents than the file has, which a size does not show (gitattributes(5)). */
const CONVERTS = /(?:^|[\s!-])(?:filter|ident|working-tree-encoding)\b/m;
const ATTRIBUTES = ".gitattributes";

/** The files of a working tree that Git keeps, as it last saw them. */
export interface GitFiles {
  /** The folder with the repository's objects. */
  objects: string;
  /** By their absolute paths. */
  entries: ReadonlyMap<string, IndexEntry>;
  /** When the index was written, in ms since 1970: Git itself does not trust a file that changed later. */
  written: number;
}

/** Reads what Git keeps of a root's files: its own repository or one it is in, and those below it. */
export class GitIndexes {
  readonly #read = new Map<string, { identity: string; files: GitFiles | undefined }>();
  readonly #configs: string;

  /** @param configs the folder of the user's configuration files (`XDG_CONFIG_HOME`) */
  constructor(configs = join(homedir(), ".config")) {
    this.#configs = configs;
  }

  /** @param root its real path */
  of(root: string, snapshot: Snapshot): GitFiles[] {
    const tops = [...(snapshot.repositories ?? [])].map((path) => join(root, path));
    const own = tops.includes(root) ? undefined : topAbove(root);
    const all = [...tops, ...(own === undefined ? [] : [own])].flatMap((top) => this.#ofTop(top) ?? []);
    return all.length > 0 && isConverted(root, snapshot) ? [] : all;
  }

  #ofTop(top: string): GitFiles | undefined {
    const place = placeOf(join(top, ".git"));
    if (place === undefined || mayConvert(place, this.#configs)) {
      return undefined;
    }
    const index = join(place.own, "index");
    const stats = statSync(index, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) {
      return undefined;
    }
    const identity = [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");
    const known = this.#read.get(index);
    if (known?.identity === identity) {
      return known.files;
    }
    const bytes = readRegular(index, MAX_INDEX)?.bytes;
    const parsed = bytes && parseGitIndex(bytes, NAME_BYTES);
    const files =
      parsed === undefined || parsed.sharedBy !== undefined
        ? undefined
        : {
            objects: join(place.common, "objects"),
            entries: new Map(parsed.entries.map((entry) => [`${top}/${entry.path}`, entry])),
            written: stats.mtimeMs,
          };
    if (this.#read.size >= MAX_INDEXES) {
      this.#read.clear();
    }
    this.#read.set(index, { identity, files });
    return files;
  }
}

/**
 * Returns the name of the object that has a file's contents; undefined if Git has not seen this state of the file.
 *
 * Whoever asks compares the sizes of object and file: Git may have stored other line endings.
 */
export function objectOf(files: readonly GitFiles[], path: string, entry: Entry): string | undefined {
  for (const { entries, written } of files) {
    const known = entries.get(path);
    if (
      known !== undefined &&
      !known.isRepository &&
      known.size === entry.size &&
      isSameTime(known.modified, entry.modified) &&
      isSameTime(known.changed, entry.changed) &&
      known.number === entry.number % 2 ** 32 &&
      // Git may have read the file before its last change within the same moment.
      entry.modified < written
    ) {
      return known.object;
    }
  }
  return undefined;
}

/** Whether Git keeps the same: an index that is read again is another object. */
export function isSameGit(one: readonly GitFiles[], other: readonly GitFiles[]): boolean {
  return one.length === other.length && one.every((files, at) => files === other[at]);
}

/** Times in milliseconds with fractions that were computed in two ways. */
function isSameTime(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.001;
}

function textOf(file: string): string {
  return readRegular(file, MAX_FILE)?.bytes.toString("latin1") ?? "";
}

/** Whether attributes outside the working tree may convert contents. */
function mayConvert({ own, common }: GitPlace, home: string): boolean {
  const configs = [join(own, "config.worktree"), join(common, "config"), "/etc/gitconfig"];
  const users = [join(homedir(), ".gitconfig"), join(home, "git/config")];
  const attributes = ["/etc/gitattributes", join(home, "git/attributes"), join(common, "info/attributes")];
  return (
    [...configs, ...users].some((file) => /attributesfile/i.test(textOf(file))) ||
    /objectformat/i.test(textOf(join(common, "config"))) ||
    attributes.some((file) => CONVERTS.test(textOf(file)))
  );
}

/** Whether attributes of the working tree convert contents. */
function isConverted(root: string, { folders }: Snapshot): boolean {
  for (const [path, { entries }] of folders) {
    if (entries.get(ATTRIBUTES)?.kind === "file" && CONVERTS.test(textOf(join(root, below(path, ATTRIBUTES))))) {
      return true;
    }
  }
  return false;
}
