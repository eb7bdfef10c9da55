import { expect, test } from "vitest";
import { cronWords } from "../../../src/text/cronWords.js";

test.each([
  ["* * * * *", "every minute"],
  ["*/1 * * * *", "every minute"],
  ["*/15 * * * *", "every 15 minutes"],
  ["*/60 * * * *", "every hour"],
  ["0 * * * *", "every hour"],
  ["05 * * * *", "every hour, at minute 5"],
  ["0 9 * * *", "every day at 09:00"],
  ["30 17 * * 0-6", "every day at 17:30"],
  ["0 9 * * 1-5", "weekdays at 09:00"],
  ["0 9 * * mon-fri", "weekdays at 09:00"],
  ["0 9 * * 6,7", "weekends at 09:00"],
  ["0 9 * * 0,7", "Sundays at 09:00"],
  ["0 9 * * wed,mon", "Mondays, Wednesdays at 09:00"],
  ["0 9 1 * *", "day 1 of each month at 09:00"],
])("%s is %s", (expression, words) => {
  expect(cronWords(expression)).toBe(words);
});

test.each([
  // The pause between two hours is shorter than the step.
  "*/7 * * * *",
  // Either of the two days.
  "0 9 1 * 1",
  "0 9 1,15 * *",
  "0 9,17 * * *",
  "0 */2 * * *",
  "0,30 9 * * *",
  "*/15 9 * * *",
  "0 9 * 6 *",
  "0 9 * * */2 x",
  "61 * * * *",
  "",
])("%s has no words that are short and true", (expression) => {
  expect(cronWords(expression)).toBeUndefined();
});
