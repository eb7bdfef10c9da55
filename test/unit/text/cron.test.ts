import { describe, expect, test } from "vitest";
import { cronProblem } from "../../../src/text/cron.js";

describe("cron expressions", () => {
  test.each([
    "* * * * *",
    "30 14 * * *",
    "*/5 * * * *",
    "1-5 * * * *",
    "0,15,30,45 * * * *",
    "0 9 * * 1-5",
    "0 0 1 JAN sun",
    "0 0 * * 7",
    "5/10 * * * *",
    "0-30/10 8-18/2 1,15 */3 mon-fri",
    " 0\t0  29 2 * ",
    "0 0 31 2 1",
  ])("%j is one", (expression) => {
    expect(cronProblem(expression)).toBeUndefined();
  });

  test.each<[string, RegExp]>([
    ["", /has 0 fields; it needs 5/],
    ["* * *", /has 3 fields/],
    ["* * * * * *", /has 6 fields/],
    ["@daily", /has 1 fields/],
    ["60 * * * *", /^minute: "60" is not 0 to 59/],
    ["* 24 * * *", /^hour/],
    ["* * 0 * *", /^day of month/],
    ["* * * 13 *", /^month/],
    ["* * * * 8", /^day of week/],
    ["*/0 * * * *", /step of 0/],
    ["5-1 * * * *", /ends before it begins/],
    ["1,,2 * * * *", /^minute: ""/],
    ["-1 * * * *", /^minute/],
    ["1.5 * * * *", /^minute/],
    ["* * L * *", /^day of month/],
    ["* * * * fri#2", /^day of week/],
    ["0 0 30 2 *", /never matches/],
    ["0 0 31 4,6 *", /never matches/],
    [`${"1,".repeat(500)}1 * * * *`, /characters; 200 at most/],
  ])("%j is none", (expression, why) => {
    expect(cronProblem(expression)).toMatch(why);
  });
});
