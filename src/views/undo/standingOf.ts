import { isInForce, type JournalQueries } from "../../features/changes/journal/queries.js";
import { fileNames } from "./calls.js";

/** What taken-back messages left in files. */
export interface Standing {
  /** Ids of the journal. */
  calls: number[];
  /** Changes as a person counts them. */
  changes: number;
  /** `src/a.ts and 2 more`. */
  files: string;
}

/** What of some calls still stands; undefined when all of it is undone, or no longer kept. */
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
