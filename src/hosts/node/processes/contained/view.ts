import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Unpublished } from "../../../../ports/processes.js";
import { publish } from "./publish.js";

/** What the system needs to give a command a view: programs of util-linux and mount, by their usual places. */
const PLACES = ["/usr/bin", "/bin"];

/** Mounts a view over each folder, then becomes the program behind `--`. Paths are arguments, so none is code. */
const MOUNT = `mount=$1; shift
while [ "$1" != -- ]; do
  "$mount" -t overlay overlay -o "lowerdir=$1,upperdir=$2,workdir=$3,userxattr,index=off" "$1" || exit 126
  shift 3
done
shift
exec "$@"`;

/** How old the folder of a view is, in ms, before another process takes it for left behind: no command runs longer. */
const LEFT_BEHIND = 7 * 24 * 60 * 60 * 1000;

/**
 * A view of folders in which a command may change everything: what it changes is kept aside by the kernel (overlayfs),
 * and nothing of the folders changes until it is published. If this process is killed, nothing has happened.
 */
export class View {
  readonly #place: string;
  readonly #parts: readonly { folder: string; upper: string; work: string }[];
  #started = 0;

  private constructor(place: string, folders: readonly string[]) {
    this.#place = place;
    this.#parts = folders.map((folder, at) => ({
      folder,
      upper: join(place, `${at}-changes`),
      work: join(place, `${at}-work`),
    }));
  }

  /**
   * Prepares a view.
   *
   * @param folders absolute real paths; none in another
   * @param place a folder of the state for what is kept aside, on a disk that the kernel takes for that
   */
  static async of(folders: readonly string[], place: string): Promise<View> {
    await mkdir(place, { recursive: true, mode: 0o700 });
    const view = new View(await mkdtemp(join(place, `${Date.now()}-`)), folders);
    for (const { upper, work } of view.#parts) {
      await Promise.all([mkdir(upper), mkdir(work)]);
    }
    return view;
  }

  /** Whether folders can have a view: the kernel reads these characters in them as its own. */
  static canHave(folders: readonly string[]): boolean {
    return folders.length > 0 && folders.every((folder) => !/[,:\\]/.test(folder));
  }

  /** Returns the words before a program's that start it with the view in place, in a namespace of users of its own. */
  words(): string[] {
    this.#started = Date.now();
    return [
      ...[program("unshare"), "--user", "--map-root-user", "--mount", "--propagation", "private"],
      ...["/bin/sh", "-c", MOUNT, "sh", program("mount")],
      ...this.#parts.flatMap(({ folder, upper, work }) => [folder, upper, work]),
      "--",
    ];
  }

  /**
   * Makes the changes of the command in the folders themselves, once it and all that it started has ended. What nobody
   * may change unasked, and what others changed meanwhile, stays as it is.
   *
   * @returns what was not changed, each with the reason
   */
  async publish(): Promise<Unpublished[]> {
    try {
      const left: Unpublished[] = [];
      for (const { folder, upper } of this.#parts) {
        left.push(...(await publish(upper, folder, this.#started)));
      }
      return left;
    } finally {
      await this.drop();
    }
  }

  /** Forgets the changes. */
  async drop(): Promise<void> {
    // The kernel's own folder in `work` has no rights.
    for (const { work } of this.#parts) {
      await chmod(join(work, "work"), 0o700).catch(() => undefined);
    }
    await rm(this.#place, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Removes the views that killed processes left behind. */
export async function removeOldViews(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const made = Number(/^\d+/.exec(name)?.[0] ?? Number.NaN);
    if (Date.now() - made > LEFT_BEHIND) {
      await rm(join(place, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

function program(name: string): string {
  return PLACES.map((place) => join(place, name)).find((path) => existsSync(path)) ?? name;
}
