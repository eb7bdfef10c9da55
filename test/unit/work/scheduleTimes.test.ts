import { describe, expect, test } from "vitest";
import { ScheduleTimes } from "../../../src/features/documents/scheduleTimes.js";
import { cronProblem } from "../../../src/text/cron.js";

const next = async (schedule: string, zone: string, after: string, count: number): Promise<string[]> =>
  (await ScheduleTimes.of({ schedule, time_zone: zone }))
    .next(Date.parse(after), count)
    .map((at) => new Date(at).toISOString().replace(":00.000Z", "Z"));

describe("an expression means", () => {
  // The table of seeds.md §2.4.
  test.each([
    ["* * * * *", "2026-03-02T14:30Z", true],
    ["30 14 * * *", "2026-03-02T14:30Z", true],
    ["30 14 * * *", "2026-03-02T14:31Z", false],
    ["30 14 * * *", "2026-03-02T15:30Z", false],
    ["*/5 * * * *", "2026-03-02T10:25Z", true],
    ["*/5 * * * *", "2026-03-02T10:26Z", false],
    ["1-5 * * * *", "2026-03-02T10:05Z", true],
    ["1-5 * * * *", "2026-03-02T10:06Z", false],
    ["0,15,30,45 * * * *", "2026-03-02T10:45Z", true],
    ["0,15,30,45 * * * *", "2026-03-02T10:46Z", false],
    ["5/15 * * * *", "2026-03-02T10:20Z", true],
    ["0 0 * * 7", "2026-03-08T00:00Z", true],
    ["0 0 * mar SUN", "2026-03-08T00:00Z", true],
    // A day of the month or of the week is enough, unless one of both is left free (Vixie cron).
    ["0 0 13 * 5", "2026-03-06T00:00Z", true],
    ["0 0 13 * 5", "2026-04-13T00:00Z", true],
    ["0 0 */2 * 1", "2026-03-03T00:00Z", false],
    ["0 0 */2 * 1", "2026-03-09T00:00Z", true],
    ["0 0 29 2 *", "2028-02-29T00:00Z", true],
  ])("%s at %s: %s", async (expression, at, matches) => {
    expect((await next(expression, "UTC", new Date(Date.parse(at) - 1).toISOString(), 1))[0] === at).toBe(matches);
  });

  test.each(["* * *", "60 * * * *", "*/0 * * * *", "* * * * * *", "", "@daily", "0 0 30 2 *"])(
    "nothing when it is %j",
    async (expression) => {
      expect(cronProblem(expression)).toBeDefined();
      await expect(ScheduleTimes.of({ schedule: expression })).rejects.toThrow("the expression");
    },
  );
});

describe("where clocks change", () => {
  test.each<[string, string, string, string[]]>([
    // Forward: 02:30 is not there; what is due once comes when the clocks have gone forward, what is due often leaves
    // the hour out.
    ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]],
    [
      "*/30 * * * *",
      "Europe/Berlin",
      "2026-03-29T00:00Z",
      ["2026-03-29T00:30Z", "2026-03-29T01:00Z", "2026-03-29T01:30Z"],
    ],
    ["30 2 * * *", "America/New_York", "2026-03-07T12:00Z", ["2026-03-08T07:00Z", "2026-03-09T06:30Z"]],
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", ["2026-10-03T15:30Z", "2026-10-04T15:15Z"]],
    // Back: 02:30 comes twice; what is due once comes once, what is due often comes each time.
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]],
    [
      "*/30 * * * *",
      "Europe/Berlin",
      "2026-10-25T00:00Z",
      ["2026-10-25T00:30Z", "2026-10-25T01:00Z", "2026-10-25T01:30Z", "2026-10-25T02:00Z"],
    ],
    ["30 1 * * *", "America/New_York", "2026-10-31T12:00Z", ["2026-11-01T05:30Z", "2026-11-02T06:30Z"]],
    ["45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00Z", ["2026-04-04T14:45Z", "2026-04-05T15:15Z"]],
    // And where they do not.
    ["0 9 * * 1-5", "Asia/Kolkata", "2026-03-06T12:00Z", ["2026-03-09T03:30Z", "2026-03-10T03:30Z"]],
  ])("%s in %s", async (expression, zone, from, expected) => {
    expect(await next(expression, zone, from, expected.length)).toEqual(expected);
  });

  test.each(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Casablanca"])(
    "no hour of a year is due twice, nor left out, in %s",
    async (zone) => {
      const times = await ScheduleTimes.of({ schedule: "0 * * * *", time_zone: zone });
      let at = Date.parse("2026-01-01T00:00Z");
      for (let hour = 0; hour < 24 * 365; hour++) {
        const [due = 0] = times.next(at, 1);
        // On the half hour of Lord Howe's change an hour is 30 or 90 minutes long.
        expect(due - at).toBeGreaterThan(0);
        expect(due - at).toBeLessThanOrEqual(90 * 60_000);
        at = due;
      }
    },
  );
});

test("what was due in a long time is counted up to a bound", async () => {
  const times = await ScheduleTimes.of({ schedule: "* * * * *", time_zone: "UTC" });
  const from = Date.parse("2026-01-01T00:00Z");
  expect(times.due(from, from + 59_999)).toBeUndefined();
  expect(times.due(from, from + 90_000)).toEqual({ last: from + 60_000, count: 1 });
  expect(times.due(from, from + 365 * 24 * 3_600_000)).toEqual({ last: from + 365 * 24 * 3_600_000, count: 1_001 });
});
