import { lstatSync, statfsSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, opendir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Fetches, MountedView } from "../../../../ports/effects.js";
import { removeAll } from "../../disk/removeAll.js";
import { isFull, STATE_IS_FULL } from "../../disk/room.js";
import { hasEnded, temporaryTag } from "../../state/owner.js";
import { isChanged, ownCaches, useCache, type OwnCache } from "./caches.js";
import { collect, type Found } from "./collect.js";
import { changingWords, type Layer } from "./overlay.js";
import { changedSince, momentOf, topOf, type Moment, type Top } from "./untouched.js";

/** A step of the file systems' clock is at most this long, in ms; and how often to look for the next one. */
const STEPS = 100;
const STEP = 1;

/** Maximum number of names told of the command's own /tmp. */
const MAX_IN_TMP = 200;

/** The name of a view's folder begins with the tag of its process. */
const NAME = /^(\d+)-(\w+)-([0-9a-f]{8})-/;

/** None, those that commands have, or these of a command that fetches packages. */
type Caches = "none" | "own" | Fetches;

/**
 * A view of folders in which one command may change everything: the kernel keeps aside what it changes (overlayfs), and
 * nothing of the folders changes. If this process is killed, nothing has happened.
 */
export class View {
  readonly #place: string;
  readonly #layers: readonly Layer[];
  readonly #tops: ReadonlyMap<string, Top>;
  readonly #opened: Moment;
  /** What commands keep for themselves, if they are to. */
  readonly #caches: ReturnType<typeof ownCaches> | undefined;

  private constructor(place: string, layers: readonly Layer[], opened: Moment, caches: Caches) {
    this.#place = place;
    this.#layers = layers;
    this.#tops = new Map(layers.map(({ folder }) => [folder, topOf(folder)]));
    this.#opened = opened;
    this.#caches =
      caches === "none"
        ? undefined
        : ownCaches(
            layers.map(({ folder }) => folder),
            caches === "own" ? undefined : caches,
          );
    for (const kept of [
      this.#caches?.home,
      ...[...this.#ofFolders, ...(this.#caches?.ofHome ?? [])].map((cache) => cache.kept),
    ]) {
      if (kept !== undefined) {
        useCache(kept);
      }
    }
  }

  get #tmp(): string {
    return join(this.#place, "tmp");
  }

  get #ofFolders(): readonly OwnCache[] {
    return this.#caches?.ofFolders ?? [];
  }

  /**
   * @param folders absolute real paths; none in another
   * @param place a folder for what is kept aside, on a disk that the kernel takes for that
   * @param caches which caches of their own commands have in it
   */
  static async open(folders: readonly string[], place: string, caches: Caches = "none"): Promise<View> {
    await mkdir(place, { recursive: true, mode: 0o700 });
    if (isFull(place)) {
      throw new Error(STATE_IS_FULL);
    }
    const own = await newFolder(place);
    try {
      const opened = momentOf(await lstat(own, { bigint: true }));
      await passed(opened, join(own, "time"));
      const layers = folders.map((folder, at) => ({
        folder,
        upper: join(own, `${at}-changes`),
        work: join(own, `${at}-work`),
      }));
      const view = new View(own, layers, opened, caches);
      for (const { folder, upper, work } of layers) {
        await Promise.all([mkdir(upper), mkdir(work)]);
        // The view of the folder itself has this mode.
        await chmod(upper, lstatSync(folder).mode & 0o7777);
      }
      await mkdir(view.#tmp);
      // As the system's: everybody may create files, and delete their own.
      await chmod(view.#tmp, 0o1777);
      return view;
    } catch (error) {
      await removeAll(own).catch(() => undefined);
      throw error;
    }
  }

  get mounted(): MountedView {
    const free = freeAt(this.#place) ?? 0;
    return {
      folders: this.#layers.map(({ folder }) => folder),
      before: changingWords(this.#layers),
      caches: this.#ofFolders,
      tmp: this.#tmp,
      ...(this.#caches !== undefined && { cacheOfHome: this.#caches.home, cachesOfHome: this.#caches.ofHome }),
      taken: () => {
        const now = freeAt(this.#place);
        return now === undefined ? undefined : free - now;
      },
    };
  }

  /**
   * Reads what the command changed, by folder, once everything that it started has ended.
   *
   * @throws Error if there was no room for more: then a file may be cut off that has room in the workspace
   */
  async changes(): Promise<Found[]> {
    if (isFull(this.#place)) {
      throw new Error(STATE_IS_FULL);
    }
    const found = await Promise.all(this.#layers.map((layer) => collect(layer)));
    // Where a cache is seen in a view, there must be a folder.
    const places = new Set(this.#ofFolders.map(({ path }) => path));
    return found.map(({ changes, refused }, at) => ({
      changes: changes.filter(({ path }) => !places.has(join(this.#layers[at]?.folder ?? "", path))),
      refused,
    }));
  }

  /** The paths of caches that commands keep for themselves and that were changed since the view was opened. */
  changedCaches(): string[] {
    const since = Number(this.#opened.at / 1_000_000n);
    const ofHome = (this.#caches?.ofHome ?? []).map((cache) => ({ ...cache, path: `~/${cache.path}` }));
    return [...this.#ofFolders, ...ofHome].filter((cache) => isChanged(cache, since)).map(({ path }) => path);
  }

  /** Returns the first names in the command's own /tmp that it did not need to see a folder of the view. */
  async inTmp(): Promise<string[]> {
    const names: string[] = [];
    try {
      // A command may have made any number of files there.
      for await (const { name } of await opendir(this.#tmp)) {
        if (names.length === MAX_IN_TMP) {
          break;
        }
        if (this.#layers.every(({ folder }) => !`${folder}/`.startsWith(`/tmp/${name}/`))) {
          names.push(name);
        }
      }
    } catch {
      // The command may have taken the right to look at it.
    }
    return names;
  }

  /** Returns what somebody else changed since the view was opened, as `changedSince` does. */
  changedSince(paths: readonly string[]): string | undefined {
    return changedSince(this.#opened, paths, this.#tops);
  }

  /** Forgets the changes. */
  async drop(): Promise<void> {
    await removeAll(this.#place).catch(() => undefined);
  }
}

/** Creates a folder with a new name in another, which may be removed at the same time if it is empty. */
async function newFolder(place: string): Promise<string> {
  const prefix = join(place, `${temporaryTag()}-`);
  return mkdtemp(prefix).catch(async () => {
    await mkdir(place, { recursive: true, mode: 0o700 });
    return mkdtemp(prefix);
  });
}

/** Removes the views that killed processes left. */
export async function removeLeftViews(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const [, pid = "", ticks = "", where = ""] = NAME.exec(name) ?? [];
    if (pid !== "" && hasEnded(Number(pid), ticks, where)) {
      await removeAll(join(place, name)).catch(() => undefined);
    }
  }
}

/** Resolves when the file systems' clock is past a moment: what has its time was changed before. */
async function passed({ at }: Moment, file: string): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    await writeFile(file, String(step));
    if ((await lstat(file, { bigint: true })).ctimeNs > at) {
      return;
    }
    await setTimeout(STEP);
  }
  throw new Error("the file system's clock stands still");
}

/** Returns the free bytes of a folder's disk. */
function freeAt(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
