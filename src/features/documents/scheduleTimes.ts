import { Cron } from "croner";
import { readCron } from "../../text/cron.js";
import type { ScheduleFields } from "./schedule.js";

/** Times of one schedule that are counted; of more it is said that there were more. */
export const MAX_COUNTED = 1_000;

/** The zone of this computer, as the IANA database names it. */
export function localZone(): string {
  return new Intl.DateTimeFormat("en").resolvedOptions().timeZone;
}

/** Moments that were due in some time. */
export interface DueTimes {
  /** The last one, in milliseconds since 1970. */
  last: number;
  /** How many there were, up to `MAX_COUNTED`; one more than that when there were more. */
  count: number;
}

/**
 * The times of a schedule. An hour that the clocks leave out in spring: what is due at one time of day comes when they
 * have gone forward, what is due more often leaves it out. An hour that they have twice in autumn: once, or both times
 * (cron(8) of Vixie; `croner` does it).
 */
export class ScheduleTimes {
  readonly zone: string;
  readonly #cron: Cron;

  /** @param zone where the schedule names none. Throws a RangeError for what `SCHEDULE` refuses. */
  constructor({ schedule, time_zone }: Pick<ScheduleFields, "schedule" | "time_zone">, zone: string = localZone()) {
    this.zone = time_zone ?? zone;
    const read = readCron(schedule);
    if (typeof read === "string") {
      throw new RangeError(`the expression ${read}`);
    }
    // Values in place of ranges, steps and names: what an expression means is decided in one place.
    const fields = read.values.map((values) => [...new Set(values)].join(","));
    this.#cron = new Cron(fields.join(" "), {
      timezone: this.zone,
      mode: "5-part",
      domAndDow: read.bothDays,
      paused: true,
    });
  }

  /** The next times after a moment. @param after milliseconds since 1970, as what it gives */
  next(after: number, count: number): number[] {
    return this.#cron.nextRuns(count, new Date(after)).map((time) => time.getTime());
  }

  /** What was due after `since` and is not later than `now`; undefined when nothing was. */
  due(since: number, now: number): DueTimes | undefined {
    let last: number | undefined;
    let count = 0;
    for (let next = this.next(since, 1)[0]; next !== undefined && next <= now; next = this.next(next, 1)[0]) {
      [last, count] = [next, count + 1];
      if (count > MAX_COUNTED) {
        return {
          last:
            this.#cron
              .previousRuns(1, new Date(now + 1))
              .at(0)
              ?.getTime() ?? next,
          count,
        };
      }
    }
    return last === undefined ? undefined : { last, count };
  }
}

/** A moment in a zone: `Mon, 30 Mar 2026, 09:00 UTC+2`. */
export function timeInZone(at: number, zone: string): string {
  const options = {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "shortOffset",
  } as const;
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone })
    .format(new Date(at))
    .replace(/GMT(?:\+0)?$/, "UTC")
    .replace("GMT", "UTC");
}
