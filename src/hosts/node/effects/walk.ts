import { constants, lstatSync, readdirSync, type Stats } from "node:fs";
import { IgnoreRules } from "../../../core/paths/ignoreRules.js";
import {
  below,
  folderOf,
  type Entry,
  type Folder,
  type RulesFile,
  type Snapshot,
  type Uncovered,
} from "../../../features/effects/snapshot.js";
import { decodeText } from "../../../text/encoding.js";
import { targetOf } from "../disk/entries.js";
import { readRegular } from "./readRegular.js";

/** Maximum number of entries in a snapshot, for the sake of memory. */
const MAX_ENTRIES = 200_000;
/** Maximum bytes of a file of ignore rules. */
const MAX_RULES = 1_000_000;
/** Entries between two looks at the clock. */
const LOOK = 256;
/** So many entries may take so many times longer: the time is for folders that are large, not for machines that are busy. */
const ALWAYS = 25_000;
const SLOW = 3;
const RULES: readonly RulesFile[] = [".rgignore", ".ignore", ".gitignore"];
/** What Node puts in place of bytes of a name that are not UTF-8. */
const UNDECODED = "\uFFFD";
/** Which bits of a mode say what something is, and their values. */
const { S_IFMT: FORMAT, S_IFDIR: FOLDER, S_IFREG: FILE, S_IFLNK: LINK } = constants;
/** The rules by which `ignores` of a folder answers, and those of the folder above it. */
const rulesOf = new WeakMap<Folder, { own: IgnoreRules; above: IgnoreRules }>();

/** A folder that is to be read. */
interface Next {
  path: string;
  /** Where it is: bytes if its path is not UTF-8. */
  at: string | Buffer;
  rules: IgnoreRules;
  isIgnored: boolean;
}

interface WalkOptions {
  /**
   * A snapshot with which to share what has not changed, as most of it; by default the earlier one. Each entry is looked
   * at all the same, but nothing is made that stays in memory, which takes as long as half of the looking.
   */
  known?: Snapshot | undefined;
  /** The folders to begin with, and when to stop with them. */
  first?: { leadsTo: (path: string) => boolean; until: number };
}

/**
 * Takes a snapshot of a root, by its real path. It stays on the root's file system, follows no links, and leaves out
 * `.git`, whose contents are Git's own. Folders that are not ignored come first.
 *
 * @param until when to stop, as `performance.now()` counts
 * @param most maximum number of entries, at most `MAX_ENTRIES`
 * @param earlier an earlier snapshot: only what that covers is covered, and what is in new folders
 */
export function takeSnapshot(
  root: string,
  until: number,
  most: number,
  earlier?: Snapshot,
  options: WalkOptions = {},
): Snapshot {
  const walk = new Walk(until, Math.min(most, MAX_ENTRIES), earlier, options);
  walk.run(root);
  const { folders, uncovered, repositories } = walk;
  return { folders, uncovered, repositories };
}

class Walk {
  readonly folders = new Map<string, Folder>();
  readonly uncovered = new Map<string, Uncovered>();
  readonly repositories = new Set<string>();
  readonly #until: number;
  readonly #most: number;
  readonly #earlier: Snapshot | undefined;
  readonly #known: Snapshot | undefined;
  readonly #first: WalkOptions["first"];
  /** When to stop if few entries were looked at. */
  readonly #latest: number;
  #entries = 0;
  #isNamed = false;
  #device: number | undefined;

  constructor(until: number, most: number, earlier: Snapshot | undefined, { known = earlier, first }: WalkOptions) {
    const now = performance.now();
    this.#until = until;
    this.#latest = until === Infinity ? until : now + (until - now) * SLOW;
    this.#most = most;
    this.#earlier = earlier;
    this.#known = known;
    this.#first = first;
  }

  run(root: string): void {
    const first: Next = { path: "", at: root, rules: IgnoreRules.none, isIgnored: false };
    if (this.#earlier?.uncovered.has("") === true) {
      return;
    }
    try {
      this.#device = lstatSync(root).dev;
    } catch (error) {
      if (this.#earlier === undefined || codeOf(error) !== "ENOENT") {
        this.#leave(first, "it cannot be read");
      }
      return;
    }
    // Folders that the command names, others, and ignored ones.
    const queues: [Next[], Next[], Next[]] = [[], [], []];
    const queueOf = ({ path, isIgnored }: Next): Next[] =>
      queues[this.#first?.leadsTo(path) === true ? 0 : isIgnored ? 2 : 1];
    queueOf(first).push(first);
    for (const queue of queues) {
      this.#isNamed = queue === queues[0];
      for (const next of queue) {
        if (this.#isOver()) {
          this.#leave(next, "too many files");
          continue;
        }
        for (const child of this.#read(next)) {
          queueOf(child).push(child);
        }
      }
    }
  }

  #isOver(): boolean {
    const until = this.#isNamed ? this.#first?.until : this.#entries < ALWAYS ? this.#latest : this.#until;
    return this.#entries >= this.#most || performance.now() > (until ?? this.#until);
  }

  #leave({ path, isIgnored }: Pick<Next, "path" | "isIgnored">, why: string): void {
    this.uncovered.set(path, { path, why, isIgnored });
  }

  /** Reads a folder, and returns those in it. */
  #read(next: Next): Next[] {
    const { path, at, isIgnored } = next;
    let names: (string | Buffer)[];
    try {
      names = readdirSync(at);
      if (names.some((name) => name.includes(UNDECODED))) {
        names = readdirSync(at, "buffer");
      }
    } catch (error) {
      if (codeOf(error) !== "ENOENT") {
        this.#leave(next, "it cannot be read");
      }
      return [];
    }
    const known = this.#known?.folders.get(path);
    const entries = new Map<string, Entry>();
    let shared = 0;
    const folders: { name: string; at: string | Buffer }[] = [];
    for (const name of names) {
      const shown = shownName(name);
      if (shown === ".git") {
        this.repositories.add(path);
        continue;
      }
      if (entries.has(shown)) {
        this.#leave({ path: below(path, shown), isIgnored }, "another name looks the same");
        continue;
      }
      const place = join(at, name);
      let stats: Stats | undefined;
      try {
        stats = lstatSync(place, { throwIfNoEntry: false });
      } catch {
        this.#leave({ path: below(path, shown), isIgnored }, "it cannot be read");
      }
      if (stats === undefined) {
        continue;
      }
      const target = (stats.mode & FORMAT) === LINK ? readTarget(place) : undefined;
      const old = known?.entries.get(shown);
      if (old !== undefined && isEntryOf(old, stats) && old.target === target) {
        entries.set(shown, old);
        shared++;
      } else {
        entries.set(shown, { ...entryOf(stats), ...(target !== undefined && { target }) });
      }
      if (kindOf(stats.mode) === "folder") {
        if (stats.dev === this.#device) {
          folders.push({ name: shown, at: place });
        } else {
          this.#leave({ path: below(path, shown), isIgnored }, "it is another file system");
        }
      }
      this.#entries++;
      if (this.#entries % LOOK === 0 && this.#isOver()) {
        this.#leave(next, "too many files");
        return [];
      }
    }
    const isShared = known !== undefined && shared === entries.size && shared === known.entries.size;
    const rules = this.#add(next, isShared ? known.entries : entries, known);
    return folders.flatMap(({ name, at: place }) => {
      const child = below(path, name);
      if (this.#earlier?.uncovered.has(child) === true) {
        return [];
      }
      return [{ path: child, at: place, rules, isIgnored: isIgnored || rules.ignores(child, true) }];
    });
  }

  /** Adds a folder, and returns its rules. */
  #add(next: Next, entries: Folder["entries"], known: Folder | undefined): IgnoreRules {
    const { path, isIgnored, rules: above } = next;
    const texts = textsOf(next, entries);
    const last = known && rulesOf.get(known);
    const own = known && last?.above === above && isSameTexts(known.rules, texts) ? last.own : rulesBelow(next, texts);
    const earlier = this.#earlier?.folders.get(path);
    const isShared = entries === known?.entries && isIgnored === known.isIgnored && last?.own === own;
    if (isShared && (earlier ?? known) === known) {
      this.folders.set(path, known);
      return own;
    }
    const folder = { entries, isIgnored, rules: texts, ignores: earlier?.ignores ?? ignoresBy(own, isIgnored) };
    this.folders.set(path, folder);
    if (earlier === undefined || rulesOf.get(earlier)?.own === own) {
      rulesOf.set(folder, { own, above });
    }
    return own;
  }
}

/** Whether an entry is what a snapshot keeps of a file, but for a link's target. */
function isEntryOf(entry: Entry, stats: Stats): boolean {
  return (
    entry.changed === stats.ctimeMs &&
    entry.modified === stats.mtimeMs &&
    entry.size === stats.size &&
    entry.number === stats.ino &&
    entry.mode === stats.mode &&
    entry.links === stats.nlink &&
    entry.born === stats.birthtimeMs
  );
}

/** Reads the files of ignore rules of a folder. */
function textsOf({ at, isIgnored }: Next, entries: ReadonlyMap<string, Entry>): Map<RulesFile, string> {
  const texts = (isIgnored ? [] : RULES).flatMap((file) => {
    const text = entries.get(file)?.kind === "file" ? rulesIn(join(at, file)) : undefined;
    return text === undefined ? [] : [[file, text] as const];
  });
  return new Map(texts);
}

/** Returns the rules of a folder for what is in it. */
function rulesBelow(
  { path, rules, isIgnored }: Pick<Next, "path" | "rules" | "isIgnored">,
  texts: Folder["rules"],
): IgnoreRules {
  return isIgnored || texts.size === 0 ? rules : rules.below(path === "" ? "." : path, texts, false);
}

function ignoresBy(rules: IgnoreRules, isIgnored: boolean): Folder["ignores"] {
  return (path, isFolder) => isIgnored || rules.ignores(path, isFolder);
}

function isSameTexts(one: Folder["rules"], other: Folder["rules"]): boolean {
  return one.size === other.size && [...one].every(([file, text]) => other.get(file) === text);
}

/** Restores what a folder of a stored snapshot ignores. Folders come after those that they are in, as in a snapshot. */
export function withRules(folders: ReadonlyMap<string, Omit<Folder, "ignores">>): Map<string, Folder> {
  const known = new Map<string, IgnoreRules>();
  const restored = new Map<string, Folder>();
  for (const [path, folder] of folders) {
    const { isIgnored } = folder;
    const above = path === "" ? undefined : known.get(folderOf(path));
    const rules = rulesBelow({ path, isIgnored, rules: above ?? IgnoreRules.none }, folder.rules);
    known.set(path, rules);
    restored.set(path, { ...folder, ignores: ignoresBy(rules, isIgnored) });
  }
  return restored;
}

/** Returns what a snapshot keeps of a file. */
export function entryOf(stats: Stats): Entry {
  return {
    kind: kindOf(stats.mode),
    mode: stats.mode,
    size: stats.size,
    modified: stats.mtimeMs,
    changed: stats.ctimeMs,
    number: stats.ino,
    born: stats.birthtimeMs,
    links: stats.nlink,
  };
}

/** Returns what a mode says that something is. */
export function kindOf(mode: number): Entry["kind"] {
  const format = mode & FORMAT;
  return format === FOLDER ? "folder" : format === FILE ? "file" : "other";
}

function readTarget(path: string | Buffer): string | undefined {
  try {
    return targetOf(path);
  } catch {
    return undefined;
  }
}

/** Returns the text of a file of ignore rules; undefined if it cannot be read without waiting. */
function rulesIn(path: string | Buffer): string | undefined {
  const bytes = readRegular(path, MAX_RULES)?.bytes;
  return bytes && decodeText(bytes).text;
}

function join(folder: string | Buffer, name: string | Buffer): string | Buffer {
  return typeof folder === "string" && typeof name === "string"
    ? `${folder}/${name}`
    : Buffer.concat([Buffer.from(folder), Buffer.from("/"), Buffer.from(name)]);
}

/** Returns a name as text, with bytes that are not UTF-8 as `\xE9`. */
function shownName(name: string | Buffer): string {
  if (typeof name === "string") {
    return name;
  }
  const text = name.toString("utf8");
  return Buffer.from(text).equals(name)
    ? text
    : name.toString("latin1").replace(/[\x80-\xff]/g, (each) => `\\x${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
