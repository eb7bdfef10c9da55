import { isOfChange } from "../hosts/node/disk/temporaries.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import { CommandEffects } from "../features/effects/effects.js";
import { ThreadSnapshots } from "../hosts/node/effects/threadSnapshots.js";
import type { Door } from "../core/pipeline/activity.js";
import type { Files } from "../ports/files.js";

/**
 * Creates what tells which files commands change.
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
    changedByTools: async (since) => (await changes.journal()).changedSince(since),
    record: (call, files_) => changes.recordCommand({ ...call, door: call.door as Door }, files_, files),
    now: Date.now,
  });
}
