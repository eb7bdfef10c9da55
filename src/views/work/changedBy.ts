import type { ChangeKeeper } from "../../features/changes/changes.js";
import type { TurnKey } from "../../features/changes/journal/queries.js";

/** Returns the latest turn of a session with changes that are still in files; undefined if there is none. */
export async function changedBy(
  { changes }: { changes: Pick<ChangeKeeper, "journal"> },
  session: string,
): Promise<TurnKey | undefined> {
  try {
    return (await changes.journal()).lastTurn(session);
  } catch {
    // Without a journal there is nothing to review.
    return undefined;
  }
}
