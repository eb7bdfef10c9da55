import { sameImage } from "./images.js";
import type { ChangeState, Image, Look, RecordedChange } from "./types.js";

/** What became of a change, by what stands in its files now. */
export async function stateNow(
  change: RecordedChange,
  imageOf: (side: "before" | "after") => Image | undefined,
  look: Look,
): Promise<Exclude<ChangeState, "pending">> {
  try {
    const here = await look(change.absolute);
    const before = imageOf("before");
    const after = imageOf("after");
    if (change.toAbsolute === undefined) {
      // A change that changes nothing counts as made.
      return sameImage(here, after) ? "applied" : sameImage(here, before) ? "not_applied" : "unknown";
    }
    const there = await look(change.toAbsolute);
    // Both are there when it ended between giving the file its new name and taking the old one away: neither.
    if (here === undefined && there !== undefined) {
      return sameImage(there, after) ? "applied" : "unknown";
    }
    return there === undefined && sameImage(here, before) ? "not_applied" : "unknown";
  } catch {
    return "unknown";
  }
}
