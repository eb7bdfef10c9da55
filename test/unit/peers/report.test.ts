// What `npm run peers` concludes from what it measured.
import { expect, test } from "vitest";
import { pageOf, verdicts, type Row } from "../../peers/report.js";

const all = (time: number): Row["times"] => ({
  start: [time],
  read: [time],
  search: [time],
  run: [time],
  edit: [time],
});
const own = (more: Partial<Row> = {}): Row => ({
  ...{ name: "Toolhost", version: "1", times: all(11), first: { characters: 16_000, tools: 14 }, keepsFailure: true },
  ...more,
});
const other: Row = { name: "other", version: "2", times: all(10) };

test.each<[found: string, row: Row, missed: string[]]>([
  ["everything at its bound", own(), []],
  ["a median over the bound", own({ times: { ...all(11), edit: [11, 12, 13] } }), ["edit: at most 1.1× the first"]],
  [
    "nothing",
    { name: "Toolhost", version: "1", times: {}, problem: "it ended with 1" },
    [
      ...["start", "read", "search", "run", "edit"].map((kind) => `${kind}: at most 1.1× the first`),
      "first request: at most 4,000 tokens",
      "the failing line of a long output is kept",
    ],
  ],
  [
    "a long request, and the failing line lost",
    own({ first: { characters: 16_004, tools: 14 }, keepsFailure: false }),
    ["first request: at most 4,000 tokens", "the failing line of a long output is kept"],
  ],
])("the goals missed with %s", (_found, row, missed) => {
  const titles = verdicts([row, other]).flatMap(({ title, isHeld }) => (isHeld ? [] : [title]));
  expect(titles).toEqual(missed);
});

test("an agent that cannot run has a row, and the page says why", () => {
  const broken: Row = { name: "absent", version: "3", times: {}, problem: "not installed: no such version" };
  const page = pageOf([own(), other, broken], { rounds: 1, starts: 1, machine: "a machine", parts: undefined });
  expect(page).toContain("| absent 3 | – | – | – | – | – | – | – |");
  expect(page).toContain("- absent: not installed: no such version");
});

test("what permission and undo take is told apart from the rest", () => {
  const parts = {
    read: { permission: [1, 3, 2], undo: [0, 0, 0] },
    run: { permission: [2], undo: [0] },
    edit: { permission: [1.5], undo: [4] },
  };
  const page = pageOf([own(), other], { rounds: 1, starts: 1, machine: "a machine", parts });
  expect(page).toContain("- read: 11.0 ms, of which permission 2.0; without them 9.0; other, without either, 10.0");
  expect(page).toContain(
    "- edit: 11.0 ms, of which permission 1.5, undo 4.0; without them 5.5; other, without either, 10.0",
  );
});
