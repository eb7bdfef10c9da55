import { isNow, largeOf } from "./images.js";
import type { ChangeState, Image, Look, RecordedChange } from "./types.js";

type Outcome = Exclude<ChangeState, "pending">;
type ImageOf = (change: RecordedChange, side: "before" | "after") => Image | undefined;

/**
 * Returns the outcomes of a call's changes, judging by what the files contain now. Several may be of one place, one after
 * the other: a file that goes, and a folder that comes.
 */
export async function statesNow(changes: readonly RecordedChange[], imageOf: ImageOf, look: Look): Promise<Outcome[]> {
  const states = new Map<RecordedChange, Outcome>();
  const isMode = ({ before }: RecordedChange): boolean => before?.form === "mode";
  const chains = new Map<string, RecordedChange[]>();
  for (const change of changes) {
    if (change.toAbsolute === undefined && !isMode(change)) {
      chains.set(change.absolute, [...(chains.get(change.absolute) ?? []), change]);
    }
  }
  for (const change of changes) {
    const chain = chains.get(change.absolute) ?? [];
    if (states.has(change)) {
      continue;
    }
    if (chain.length < 2 || change.toAbsolute !== undefined) {
      const made = chain[0] === undefined ? "applied" : states.get(chain[0]);
      // What is not there yet has no mode to change.
      const isTooEarly = isMode(change) && made === "not_applied";
      states.set(change, isTooEarly ? made : await stateNow(change, (side) => imageOf(change, side), look));
      continue;
    }
    const reached = await stageNow(chain, imageOf, look);
    chain.forEach((each, index) =>
      states.set(each, reached === undefined ? "unknown" : index < reached ? "applied" : "not_applied"),
    );
    if (isMode(change)) {
      const isMade = reached === undefined || reached === chain.length;
      states.set(change, isMade ? await stateNow(change, (side) => imageOf(change, side), look) : "not_applied");
    }
  }
  return changes.map((change) => states.get(change) ?? "unknown");
}

/** Returns how many of the changes of one place have been made; undefined if that is not known. */
async function stageNow(chain: readonly RecordedChange[], imageOf: ImageOf, look: Look): Promise<number | undefined> {
  const [first] = chain;
  if (first === undefined) {
    return undefined;
  }
  try {
    const here = await look(first.absolute, largeOf(...chain));
    const stages = [imageOf(first, "before"), ...chain.map((change) => imageOf(change, "after"))];
    return [stages.length - 1, ...stages.keys()].find((stage) => isNow(stages[stage], here));
  } catch {
    return undefined;
  }
}

/** Returns a change's outcome, judging by what its files contain now. */
async function stateNow(
  change: RecordedChange,
  imageOf: (side: "before" | "after") => Image | undefined,
  look: Look,
): Promise<Outcome> {
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
