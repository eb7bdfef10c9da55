import { execFile } from "node:child_process";
import { existsSync, lstatSync, realpathSync, statfsSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { ToolError } from "../../../../core/errors.js";
import type {
  CommandCall,
  Effect,
  Fetches,
  FileEffect,
  Rehearsal,
  ViewWatch,
  Views,
} from "../../../../ports/effects.js";
import type { MayChange } from "../../../../ports/processes.js";
import { oneLine, shorten } from "../../../../text/clip.js";
import { messageOf } from "../../../../text/words.js";
import { mountPoints } from "../../mountPoints.js";
import {
  changesIn,
  publishable,
  setTimes,
  type InView,
  type Publishable,
  type ViewRoot,
  type ViewedChange,
} from "./inView.js";
import { isPlainPath } from "./overlay.js";
import { removeLeftViews, View } from "./view.js";

/** Changes that were not made, or why they cannot be. */
type Shown = { changes: FileEffect[]; diff: string } | { dropped: string };

export interface ViewsHost {
  /** Whether the user wants it. */
  isOn: () => boolean;
  /** Whether commands are contained on this machine. */
  isContained: () => Promise<boolean>;
  /** The folders on this machine's disk, none in another. */
  roots: () => readonly ViewRoot[];
  /** Whether the workspace has only such folders. */
  isWhole: () => boolean;
  /** The absolute path of the folder of Toolhost's state. */
  stateFolder: () => string;
  /**
   * Makes changes in the workspace, all or none, and records them for undo.
   *
   * @param newFolder the mode of new folders
   * @param untouched called when everything was read: returns what others changed meanwhile
   * @returns the changes, or why none was made
   */
  publish: (
    call: CommandCall,
    changes: readonly Publishable[],
    newFolder: number,
    untouched: () => string | undefined,
  ) => Promise<{ changes: FileEffect[] } | { dropped: string }>;
  /** Returns the changes that `publish` would make, and their diff, or why it would make none. Changes nothing. */
  shown: (changes: readonly Publishable[], newFolder: number) => Promise<Shown>;
  /** Called once with the reason why there are none for a workspace, as a sentence. */
  onMissing: (why: string) => void;
}

/** A view, and whose it is. */
interface Opened {
  view: View;
  roots: readonly ViewRoot[];
  call: CommandCall;
  mayChange: MayChange;
}

/** How long the test whether a view works may take, in ms. */
const PROBE_TIME = 10_000;
/** Maximum characters of the reason why there is none. */
const MAX_REASON = 200;
/** Maximum number of changes listed that were made. */
const MAX_LISTED = 200;

/** File systems of this machine that tell when something was changed: ext, XFS, Btrfs, tmpfs, F2FS, ZFS, overlayfs. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0x794c7630,
]);

/** Views of a workspace by the kernel's overlayfs, on Linux. */
export class NodeViews implements Views {
  readonly #host: ViewsHost;
  /** Why there are none, by the folders; undefined where there are. */
  readonly #missing = new Map<string, Promise<string | undefined>>();

  constructor(host: ViewsHost) {
    this.#host = host;
  }

  /** Whether a command can have a view of the workspace as it is now. */
  async canOpen(): Promise<boolean> {
    if (process.platform !== "linux" || !this.#host.isOn() || !(await this.#host.isContained())) {
      return false;
    }
    const folders = this.#folders();
    const key = folders.join("\n");
    let missing = this.#missing.get(key);
    if (missing === undefined) {
      missing = this.#whyMissing(folders).then((why) => {
        if (why !== undefined) {
          this.#host.onMissing(`Commands that change files are not contained: ${why}`);
        }
        return why;
      });
      this.#missing.set(key, missing);
    }
    // A mount can come and go: what is in it would be missing in the view.
    return (await missing) === undefined && !hasMounts(folders);
  }

  async open(call: CommandCall, mayChange: MayChange, fetches?: Fetches): Promise<ViewWatch> {
    if (!(await this.canOpen())) {
      throw new ToolError(
        "unavailable",
        "The command was not run: it can no longer be contained.",
        "Call it again: the user is asked then.",
      );
    }
    const roots = this.#host.roots().map(({ folder, prefix }) => ({ folder: realpathSync(folder), prefix }));
    const view = await View.open(
      roots.map(({ folder }) => folder),
      this.#place(),
      fetches ?? "own",
    ).catch((error: unknown): never => {
      throw new ToolError(
        "unavailable",
        `The command was not run: ${messageOf(error)}.`,
        "Try again, or call exec with outside: true, which asks the user.",
      );
    });
    const opened: Opened = { view, roots, call, mayChange };
    return {
      mounted: view.mounted,
      end: async (isWhole = false) => {
        try {
          const made = await this.#make(opened, await changesIn(view, roots, isWhole));
          const apart = view.changedCaches().map((path) => shownPlace(path, roots));
          const inTmp = await view.inTmp();
          return { ...made, ...(apart.length > 0 && { apart }), ...(inTmp.length > 0 && { inTmp }) };
        } catch (error) {
          return dropped(`${messageOf(error)}.`);
        } finally {
          await view.drop();
        }
      },
      rehearsed: async (isWhole) => {
        const found = await changesIn(view, roots, isWhole).catch((error: unknown) => ({
          dropped: `${messageOf(error)}.`,
        }));
        await view.drop();
        return this.#rehearsal(opened, found);
      },
    };
  }

  /** @param found held in memory: the view is gone */
  async #rehearsal(opened: Opened, found: InView): Promise<Rehearsal> {
    let resolve: (made: Effect) => void = () => undefined;
    const published = new Promise<Effect>((done) => (resolve = done));
    const shown = "dropped" in found ? found : await this.#shown(opened, found.changes);
    return {
      effect: "dropped" in shown ? dropped(shown.dropped) : effectOf(shown.changes),
      diff: "dropped" in shown ? "" : shown.diff,
      published,
      publish: async () => {
        const made = await this.#make(opened, found).catch((error: unknown) => dropped(`${messageOf(error)}.`));
        resolve(made);
        return made;
      },
    };
  }

  async #shown({ mayChange }: Opened, changes: readonly ViewedChange[]): Promise<Shown> {
    try {
      const why = changes.length === 0 ? undefined : await mayChange(changes.map(({ path }) => path));
      return why === undefined ? await this.#host.shown(publishable(changes), newFolderMode()) : { dropped: why };
    } catch (error) {
      return { dropped: `${messageOf(error)}.` };
    }
  }

  /** Makes what a command changed in the workspace, if it may. */
  async #make({ view, call, mayChange }: Opened, found: InView): Promise<Effect> {
    if ("dropped" in found) {
      return dropped(found.dropped);
    }
    const { changes } = found;
    const why = changes.length === 0 ? undefined : await mayChange(changes.map(({ path }) => path));
    if (why !== undefined) {
      return dropped(why);
    }
    const made = await this.#host.publish(call, publishable(changes), newFolderMode(), () => {
      const other = view.changedSince(changes.map(({ absolute }) => absolute));
      return other && `${other}.`;
    });
    if ("dropped" in made) {
      return dropped(made.dropped);
    }
    await setTimes(changes);
    return effectOf(made.changes);
  }

  async #whyMissing(folders: readonly string[]): Promise<string | undefined> {
    const place = this.#place();
    const kept = [homedir(), this.#host.stateFolder()];
    if (folders.length === 0 || !this.#host.isWhole()) {
      return "the workspace has folders that are not on this machine's disk.";
    }
    if (![...folders, place].every(isPlainPath)) {
      return "a folder's name has a comma, a colon or a backslash.";
    }
    if (folders.some((folder) => kept.some((path) => isIn(path, folder) || isIn(folder, this.#host.stateFolder())))) {
      return "the workspace holds the home or Toolhost's state.";
    }
    if (!folders.every((folder) => LOCAL.has(statfsSync(folder).type))) {
      return "the workspace is on a file system that is not this machine's own.";
    }
    try {
      await removeLeftViews(place);
      await probe(folders, place);
      return undefined;
    } catch (error) {
      const said = (error as { stderr?: string }).stderr?.trim() ?? "";
      return `${shorten(oneLine(said === "" ? messageOf(error) : said), MAX_REASON)}.`;
    }
  }

  #folders(): string[] {
    try {
      return this.#host.roots().map(({ folder }) => realpathSync(folder));
    } catch {
      return [];
    }
  }

  #place(): string {
    return join(this.#host.stateFolder(), "views");
  }
}

function shownPlace(path: string, roots: readonly ViewRoot[]): string {
  const root = roots.find(({ folder }) => isIn(path, folder));
  return root === undefined ? path : `${root.prefix}${relative(root.folder, path)}/`;
}

function newFolderMode(): number {
  return 0o777 & ~process.umask();
}

/** Creates a file in a view of each folder, and checks that it is there and not in the folder itself. */
async function probe(folders: readonly string[], place: string): Promise<void> {
  const isNew = !existsSync(place);
  const view = await View.open(folders, place);
  const name = basename(place) + String(process.pid);
  try {
    const [file = "", ...args] = [
      ...view.mounted.before,
      ...["/bin/sh", "-c", 'for folder; do mkdir "$folder" && : > "$folder/file" || exit 1; done', "sh"],
      ...folders.map((folder) => join(folder, name)),
    ];
    await promisify(execFile)(file, args, {
      timeout: PROBE_TIME,
      cwd: "/",
      env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
    });
    const found = await view.changes();
    const isKept = found.every(
      ({ changes, refused }) =>
        refused.length === 0 && changes.map(({ path }) => path).join(" ") === `${name} ${name}/file`,
    );
    if (!isKept || folders.some((folder) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined)) {
      throw new Error("the kernel does not keep changes aside");
    }
  } finally {
    await view.drop();
    // Whoever only asks whether there are views leaves nothing; another view may have been opened meanwhile.
    await (isNew ? rmdir(place).catch(() => undefined) : undefined);
  }
}

/** Whether something is mounted in a folder, or cannot be known to be. */
function hasMounts(folders: readonly string[]): boolean {
  try {
    return mountPoints().some(({ path }) => folders.some((folder) => path !== folder && isIn(path, folder)));
  } catch {
    return true;
  }
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function dropped(why: string): Effect {
  return { ...effectOf([]), dropped: oneLine(why) };
}

function effectOf(changes: readonly FileEffect[]): Effect {
  return {
    changes: changes.slice(0, MAX_LISTED),
    more: Math.max(0, changes.length - MAX_LISTED),
    ...{ ignored: 0, notCovered: [], moreNotCovered: 0, git: [], moreGit: 0, notUndone: [], moreNotUndone: 0 },
    ...{ isPartial: false, isShared: false, mayBeOthers: false },
  };
}
