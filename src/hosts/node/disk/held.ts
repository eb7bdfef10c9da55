import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./diskErrors.js";

/** What Windows says of a file that a program has open without sharing it. Elsewhere, waiting would change nothing. */
const HELD = ["EBUSY", "EPERM", "EACCES"];
/** Between the tries, in ms: virus scanners and indexers look at a file this long after it was written. */
const WAITS = [10, 20, 50, 100, 200, 400];

/**
 * Does what needs a file that no other program holds, such as renaming it; again, for less than a second, while one does.
 *
 * @param work must leave everything as it was if it throws
 * @param then what follows once `work` has succeeded, without a pause; not done again
 * @throws what `work` threw last, or `then`
 */
export async function whileHeld<Done>(
  work: () => void,
  then: () => Done | Promise<Done>,
  { windows = process.platform === "win32", wait = delay }: { windows?: boolean; wait?: (ms: number) => unknown } = {},
): Promise<Done> {
  for (const waits = windows ? [...WAITS] : []; ;) {
    try {
      work();
      break;
    } catch (error) {
      const ms = waits.shift();
      if (ms === undefined || !HELD.includes(errorCode(error) ?? "")) {
        throw error;
      }
      await wait(ms);
    }
  }
  return then();
}
