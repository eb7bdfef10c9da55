import { isNow, largeOf } from "./images.js";
import type { ChangeState, Image, Look, RecordedChange } from "./types.js";

/** Returns a change's outcome, judging by what its files contain now. */
export async function stateNow(
  change: RecordedChange,
  imageOf: (side: "before" | "after") => Image | undefined,
  look: Look,
): Promise<Exclude<ChangeState, "pending">> {
  try {
    const large = largeOf(change);
    const here = await look(change.absolute, large);
    const before = imageOf("before");
    const after = imageOf("after");
    if (change.toAbsolute === undefined) {
      // A change without effect counts as made.
      return isNow(after, here) ? "applied" : isNow(before, here) ? "not_applied" : "unknown";
    }
    const there = await look(change.toAbsolute, large);
    // Both exist if the process was killed between giving the file its new name and removing the old one: neither
    // state.
    if (here === undefined && there !== undefined) {
      return isNow(after, there) ? "applied" : "unknown";
    }
    return there === undefined && isNow(before, here) ? "not_applied" : "unknown";
  } catch {
    return "unknown";
  }
}
