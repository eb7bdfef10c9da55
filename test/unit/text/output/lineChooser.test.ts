import { expect, test } from "vitest";
import type { HeldLine } from "../../../../src/text/output/heldLine.js";
import { LineChooser } from "../../../../src/text/output/lineChooser.js";

test("lines are grouped by their failures once, in however many rooms they are tried", () => {
  let looks = 0;
  const lines = Array.from({ length: 3_000 }, (_, number): HeldLine => ({
    number,
    text: `${number} ${"x".repeat(60)}`,
    role: number % 2 === 0 ? "name" : "message",
    form: 0,
    get failure() {
      looks++;
      return Math.floor(number / 2);
    },
    isLead: false,
  }));
  const chooser = new LineChooser({
    lines,
    others: [],
    elsewhere: new Set(),
    head: [],
    tail: [],
    count: lines.length,
    enough: 6_000,
  });
  const before = looks;
  const sizes = [20_000, 10_000, 5_000, 100, 0].map((room) => chooser.choose(room).shown.size);
  expect(looks).toBe(before);
  expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
  expect(sizes[0]).toBeGreaterThan(200);
});
