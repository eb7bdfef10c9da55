// What `npm run agents` reports.
import { expect, test } from "vitest";
import { pageOf } from "../../agents/report.js";

test("the table tells what worked, what did not, and what was not measured", () => {
  const times = { read: [30, 10, 20], edit: [] };
  const rows = [
    { name: "A", version: "1", revision: "2026-07-28", worked: ["read", "edit"], inWindow: ["undo"], times },
    { name: "B", version: "2", revision: undefined, worked: [], inWindow: [], times, problem: "in a window:\n1 | 2" },
  ];
  expect(
    pageOf(rows, { rounds: 3, machine: "x", date: "2026-11-24" })
      .split("\n")
      .filter((line) => /^\| [AB]/.test(line) && !line.includes("Agent")),
  ).toEqual([
    "| A 1 | 2026-07-28 | read, edit | undo | 20 | – |",
    "| B 2 | not seen | nothing | nothing; it ended in a window: 1 \\| 2 | 20 | – |",
  ]);
});
