import type { Cron } from "croner";
import { readCron } from "../../text/cron.js";
import type { ScheduleFields } from "./schedule.js";

/** Maximum times of one schedule that are counted; beyond that, only "more" is reported. */
export const MAX_COUNTED = 1_000;

/** Returns this computer's time zone by its IANA name. */
export function localZone(): string {
  return new Intl.DateTimeFormat("en").resolvedOptions().timeZone;
}

/** Times that were due in a period. */
export interface DueTimes {
  /** The last one, in milliseconds since 1970. */
  last: number;
  /** How many there were, up to `MAX_COUNTED`; `MAX_COUNTED + 1` if there were more. */
  count: number;
}

/**
 * The times of a schedule. For the hour that clocks skip in spring: a time due once a day comes right after the change;
 * one due more often is skipped. For the hour that occurs twice in autumn: once, or both times (as in Vixie's cron(8);
 * `croner` does this).
 */
export class ScheduleTimes {
  readonly zone: string;
  readonly #cron: Cron;

  private constructor(zone: string, cron: Cron) {
    this.zone = zone;
    this.#cron = cron;
  }

  /**
   * Loads `croner` with the first schedule: most windows have none.
   *
   * @throws RangeError for what `SCHEDULE` rejects
   */
  static async of({ schedule, time_zone }: Pick<ScheduleFields, "schedule" | "time_zone">): Promise<ScheduleTimes> {
    const read = readCron(schedule);
    if (typeof read === "string") {
      throw new RangeError(`the expression ${read}`);
    }
    // Pass plain values instead of ranges, steps and names, so that only `readCron` decides what an expression means.
    const fields = read.values.map((values) => [...new Set(values)].join(","));
    const zone = time_zone ?? localZone();
    const { Cron } = await import("croner");
    const options = { timezone: zone, mode: "5-part", domAndDow: read.bothDays, paused: true } as const;
    return new ScheduleTimes(zone, new Cron(fields.join(" "), options));
  }

  /** Returns the next times after a given time. @param after milliseconds since 1970, like the result */
  next(after: number, count: number): number[] {
    return this.#cron.nextRuns(count, new Date(after)).map((time) => time.getTime());
  }

  /** Returns what was due after `since` and not later than `now`; undefined if nothing was. */
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

/** Formats a time in a zone: `Mon, 30 Mar 2026, 09:00 UTC+2`. */
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
