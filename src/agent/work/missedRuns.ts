// Messages about runs that were missed or skipped.
import { MAX_COUNTED, timeInZone, type DueTimes } from "../../features/documents/scheduleTimes.js";

/** Maximum number of schedules named in a notice. */
const MAX_NAMED = 5;

/** Runs of a schedule that were missed. */
export interface Missed {
  name: string;
  due: DueTimes;
  zone: string;
  /** Number of missed runs, without the last due one if it can still be started in time. */
  count: number;
}

/** Formats one notice for all missed runs. */
export function tellMissed(missed: readonly Missed[]): string {
  const named = missed
    .slice(0, MAX_NAMED)
    .map(
      ({ name, count, due, zone }) =>
        `${name} (${count > MAX_COUNTED ? `more than ${MAX_COUNTED}` : count}, the last run due ${timeInZone(due.last, zone)})`,
    );
  const rest = missed.length - named.length;
  return `Schedules were due while Toolhost was not running here; missed runs are skipped: ${named.join("; ")}${rest > 0 ? `; and ${rest} more schedules` : ""}.`;
}

/** Says how many runs were, to be followed by what became of them. */
export function tellCount(count: number): string {
  return count === 1 ? "one run was" : `${count > MAX_COUNTED ? `more than ${MAX_COUNTED}` : count} runs were`;
}
