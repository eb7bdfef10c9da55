import { isInForce, type JournalQueries } from "../../features/changes/journal/queries.js";
import { fileNames } from "./calls.js";

/** Changes that removed messages left in files. */
export interface Standing {
  /** Ids in the journal. */
  calls: number[];
  /** Number of changes. */
  changes: number;
  /** `src/a.ts and 2 more`. */
  files: string;
}

/** Finds the changes of calls that are still in files; undefined if all are undone or no longer in the journal. */
export function standingOf(
  journal: Pick<JournalQueries, "changes" | "files">,
  calls: readonly number[],
): Standing | undefined {
  const changes = journal.changes(calls).filter((change) => isInForce(change) && change.undoneBy === undefined);
  return changes.length === 0
    ? undefined
    : {
        calls: [...new Set(changes.map(({ call }) => call))],
        changes: changes.length,
        files: fileNames(journal.files(changes)),
      };
}
