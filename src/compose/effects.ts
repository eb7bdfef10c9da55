import { cpSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOfChange } from "../hosts/node/disk/temporaries.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import { CommandEffects } from "../features/effects/effects.js";
import { ThreadSnapshots } from "../hosts/node/effects/threadSnapshots.js";
import { stateRoot } from "../hosts/node/state/stateFolder.js";
import { readRegular } from "../hosts/node/effects/readRegular.js";
import type { Door } from "../core/pipeline/activity.js";
import type { Files } from "../ports/files.js";

/** Maximum bytes of a file that is kept when the user saves it while a command runs. */
const MAX_SAVED = 2_000_000;

/** Moves a file into a folder of its own in the state, with what it is called: nothing is lost. */
function moveAway(absolute: string): string | undefined {
  try {
    const folder = join(stateRoot(), "sandbox", "removed");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const to = join(mkdtempSync(join(folder, "file-")), basename(absolute));
    // The state may be on another disk.
    cpSync(absolute, to, { verbatimSymlinks: true });
    rmSync(absolute);
    removeEmpty(dirname(absolute));
    return to;
  } catch {
    return undefined;
  }
}

/** Removes a folder and those above it, as far as they are empty. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  removeEmpty(dirname(folder));
}

/**
 * Creates the watcher that reports which files commands change.
 *
 * @param folder the bundle's folder, for the program that looks at the workspace
 */
export function watchCommands(folder: string, files: Files, changes: ChangeKeeper): CommandEffects {
  return new CommandEffects({
    snapshots: new ThreadSnapshots(folder),
    roots: () => {
      const all = files.roots().filter(({ beside }) => beside !== true);
      return all
        .filter(({ scheme }) => scheme === "file")
        .map(({ name, path }) => ({ folder: path, prefix: all.length === 1 ? "" : `${name}/` }));
    },
    isOfChange,
    hasChanged: async (since) => (await changes.journal()).hasChanged(since),
    record: (call, changed, meanwhile, notes) =>
      changes.recordCommand({ ...call, door: call.door as Door }, changed, meanwhile, files, notes),
    moveAway,
    read: (absolute) => readRegular(absolute, MAX_SAVED)?.bytes,
    now: Date.now,
  });
}
