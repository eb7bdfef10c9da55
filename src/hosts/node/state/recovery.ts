import { dirname } from "node:path";
import { Journal } from "../../../features/changes/journal/journal.js";
import type { JournalHost, Recovered } from "../../../features/changes/journal/types.js";
import { parentPath } from "../../../core/paths/pathShape.js";
import type { Store } from "../../../ports/store.js";
import type { StepNote } from "../../shared/disk.js";
import { isOnDisk } from "../disk/isOnDisk.js";
import { livenessOf, thisProcess } from "./owner.js";
import { parentsOf, removeEmpty } from "../disk/parentFolders.js";
import { openStore } from "./store.js";
import { clearUp, takeAllBack } from "./takeBack.js";
import { sweepTemporaries } from "../disk/temporaries.js";

/** The parts of a journal's host that all journals on this machine have in common. */
export type JournalWorld = Pick<JournalHost, "look" | "foldCase" | "takeBackOpen">;

/** Opens the journal in a store. It rolls back changes that killed processes left half done on this machine's disk. */
export function journalIn(store: Store, { look, foldCase, takeBackOpen }: JournalWorld): Journal {
  return new Journal({
    ...{ store, owner: thisProcess(), now: Date.now, ...(foldCase === undefined ? {} : { foldCase }) },
    // A process that cannot be seen from here may still be making its change.
    isAlive: (owner) => livenessOf(owner) !== "gone",
    look: (key) => sweepBeside(key).then(() => look(key)),
    rollBack: (notes) => takeAllBack(notes.map(parsed)),
    takeBackOpen,
    clearUp: async (notes) => {
      for (const note of notes.map(parsed)) {
        await clearUp(note, true);
        await sweepTemporaries(parentPath(note.path));
      }
    },
  });
}

/**
 * Rolls back the changes that killed processes left half done, and removes folders that they made for files that do not
 * exist.
 */
export async function recover(store: Store, journal: Journal): Promise<Recovered[]> {
  const planned = store.all<PlannedFolders>(PLANNED_FOLDERS);
  const recovered = await journal.recover();
  await removeUnused(planned.filter(({ id }) => recovered.some(({ call }) => call.id === id)));
  return recovered;
}

/**
 * Does the same in another workspace's journal whose changes are in the way. Returns whether no half-done changes are
 * left there.
 */
export async function recoverElsewhere(
  path: string,
  world: JournalWorld,
  onRecovered: (recovered: readonly Recovered[]) => void,
): Promise<boolean> {
  const { store } = await openStore({ folders: [], folder: dirname(path) });
  if (store === undefined) {
    return false;
  }
  try {
    const recovered = await recover(store, journalIn(store, world));
    if (recovered.length > 0) {
      onRecovered(recovered);
    }
    return !hasLeft(store);
  } finally {
    store.close();
  }
}

/**
 * Whether a journal has changes of processes that are gone, or changes of this process, which makes none in that
 * journal.
 */
function hasLeft(store: Store): boolean {
  const { pid, started } = thisProcess();
  return store
    .all<{ pid: number; started: string }>(
      "SELECT owner_pid AS pid, owner_started AS started FROM calls WHERE pending = 1",
    )
    .some((owner) => livenessOf(owner) === "gone" || (owner.pid === pid && owner.started === started));
}

/** Parses a note, which was written by one of our own writers: nobody else writes to the state. */
function parsed(note: string): StepNote {
  return JSON.parse(note) as StepNote;
}

/** The folders needed for a file that a pending call was about to create or move. */
interface PlannedFolders {
  /** `RecordedCall.id`. */
  id: number;
  path: string;
  folders: number;
}

const PLANNED_FOLDERS =
  "SELECT call AS id, coalesce(to_absolute, absolute) AS path, folders_made AS folders FROM changes JOIN calls ON calls.id = call WHERE pending = 1 AND folders_made > 0";

/** Removes the folders that a killed process made and put nothing into. */
async function removeUnused(planned: readonly PlannedFolders[]): Promise<void> {
  for (const { path, folders } of planned) {
    if (isOnDisk(path)) {
      await removeEmpty(parentsOf(path, folders).reverse());
    }
  }
}

/** Sweeps temporary files next to a file: a killed process that left the file in doubt also left those. */
async function sweepBeside(key: string): Promise<void> {
  if (isOnDisk(key)) {
    await sweepTemporaries(parentPath(key));
  }
}
