import { describe, expect, test } from "vitest";
import { ALONE } from "../../../../src/features/effects/authorship.js";
import { undoNotes, type RootMove } from "../../../../src/features/effects/undoNotes.js";

const CHANGED = { before: new Uint8Array(), after: new Uint8Array(), perhapsOthers: false };
const DELETED = { before: new Uint8Array(), perhapsOthers: false };
const root = { folder: "/w", prefix: "" };

function notes(ran: number, more: Partial<Parameters<typeof undoNotes>[0]> = {}, inBackground = false): string[] {
  const period = { started: 1_000_000, ended: 1_000_000 + ran, inBackground, alone: ALONE };
  return undoNotes({ left: [], files: [CHANGED], moves: [], period, ...more });
}

describe("people who undo a command are told", () => {
  const own = (seconds: number): string =>
    `What others changed outside of Toolhost in its first ${seconds} s counts as its changes, too.`;
  test.each<[what: string, told: string[], expected: string[]]>([
    ["nothing of one that took no time", notes(900), []],
    ["that others' changes count as those of one that took longer", notes(1_000), [own(1)]],
    ["for how long that is so, at most", notes(60_000), [own(5)]],
    [
      "nothing of that where it changed nothing by itself",
      notes(60_000, { files: [{ ...CHANGED, perhapsOthers: true }] }),
      [],
    ],
    ["nothing of that of one in the background, whose changes are all perhaps others'", notes(60_000, {}, true), []],
    ["what comes back of deleted files", notes(4_000, { files: [DELETED] }), []],
    [
      "what comes back of files that a long one deleted",
      notes(5_000, { files: [DELETED] }),
      [
        "What the command deleted comes back as it was when the command began, without what others wrote into it meanwhile.",
      ],
    ],
  ])("%s", (_what, told, expected) => expect(told).toEqual(expected));

  test.each<[move: Omit<RootMove, "path" | "root">, expected: string]>([
    [{ what: "tag v1 is new", back: "tag -d v1" }, "tag v1 is new (git tag -d v1 takes that back)."],
    [
      { what: "HEAD of main moved", back: "reset abc", leavesCommits: true },
      "HEAD of main moved (git reset abc takes that back). Look at git log first: commits made since are left behind.",
    ],
    [
      { what: "branch reset 1 is gone", back: "branch 'git reset a' abc" },
      "branch reset 1 is gone (git branch 'git reset a' abc takes that back).",
    ],
  ])("what takes back %j", (move, expected) => {
    expect(notes(0, { moves: [{ ...move, path: "", root }] })).toEqual([
      `Undo does not take back what else Git did: ${expected}`,
    ]);
  });

  test("of many moves, how many more there are", () => {
    const moves = Array.from({ length: 10 }, (_, at) => ({ what: `m${at}`, path: "", root }));
    expect(notes(0, { moves })[0]).toMatch(/: m0, m1, m2, m3, m4, m5, m6, m7, 2 more\.$/);
  });
});
