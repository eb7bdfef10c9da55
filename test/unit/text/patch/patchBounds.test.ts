import { describe, expect, test } from "vitest";
import { processorTime } from "../../../harness/processorTime.js";
import { parsePatch } from "../../../../src/text/patch/parsePatch.js";
import { resultOf } from "./applyPatchText.js";
import { shownPatch } from "./shownPatch.js";

/** Milliseconds of processor time. Generous: what hangs takes minutes. */
const MOMENT_MS = 5000;

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
const BEGIN = "*** Update File: a\n";
const BRACES = "}\n".repeat(100_000);
const WIDE = Array.from({ length: 900 }, (_, at) => `abc ${at} `.repeat(500).slice(0, 3000));

const applied: { what: string; file: string; patch: string; gives: string }[] = [
  {
    what: "10,000 hunks",
    file: lines(30_000, String),
    patch: BEGIN + lines(10_000, (at) => `@@\n-${at * 3}\n+x${at}`),
    gives: lines(30_000, (at) => (at % 3 === 0 ? `x${at / 3}` : String(at))),
  },
  {
    what: "10,000 hunks from the last to the first",
    file: lines(30_000, String),
    patch: BEGIN + lines(10_000, (at) => `@@\n-${(9999 - at) * 3}`),
    gives: lines(20_000, (at) => String(at + Math.floor(at / 2) + 1)),
  },
  {
    what: "10,000 hunks told apart by line numbers in 100,000 equal lines",
    file: BRACES,
    patch: `--- a/a\n+++ b/a\n${lines(10_000, (at) => `@@ -${at * 10 + 1} +${at * 10 + 1} @@\n-}\n+x`)}`,
    gives: `x\n${"}\n".repeat(9)}`.repeat(10_000),
  },
  { what: "} in 100,000 lines of }", file: BRACES, patch: `${BEGIN}@@\n-}\n+x\n`, gives: "error: not_unique" },
  {
    what: "the last } of 100,000",
    file: BRACES,
    patch: `${BEGIN}@@\n-}\n+x\n*** End of File\n`,
    gives: `${"}\n".repeat(99_999)}x\n`,
  },
  {
    what: "headers of } in 100,000 lines of }",
    file: BRACES,
    patch: `${BEGIN}@@ }\n@@ }\n-}\n+x\n`,
    gives: "error: not_unique",
  },
  {
    what: "900 lines of 3,000 characters, one of which nearly matches",
    file: lines(900, (at) => WIDE[at] ?? ""),
    patch: `${BEGIN}@@\n${lines(900, (at) => ` ${at === 450 ? "Z" : ""}${WIDE[at] ?? ""}`)}+x\n`,
    gives: "error: no_match",
  },
  {
    what: "900 equal lines of 3,000 look-alikes",
    file: lines(900, () => "“".repeat(3000)),
    patch: `${BEGIN}@@\n${lines(899, () => ` ${'"'.repeat(3000)}`)}-x\n`,
    gives: "error: no_match",
  },
  {
    what: "a line of 5 MB",
    file: `${"a".repeat(5e6)}\n`,
    patch: `${BEGIN}@@\n-${"a".repeat(5e6)}\n+b\n`,
    gives: "b\n",
  },
  {
    what: "5 MB in 45,000 lines",
    file: lines(45_000, (at) => `${"line ".repeat(20)}${at}`),
    patch: `${BEGIN}@@\n${lines(45_000, (at) => `-${"line ".repeat(20)}${at}`)}+b\n`,
    gives: "b\n",
  },
  {
    what: "48,000 changed lines with blanks behind",
    file: lines(24_000, (at) => `${at} `),
    patch: `${BEGIN}@@\n${lines(24_000, (at) => `-${at}`)}${lines(24_000, (at) => `+${at * 2}`)}`,
    gives: lines(24_000, (at) => String(at * 2)),
  },
  {
    what: "all lines but one written again, with blanks behind",
    file: lines(2000, (at) => `${at} `),
    patch: `${BEGIN}@@\n${lines(2000, (at) => `-${at}`)}${lines(2000, (at) => `+${at === 7 ? "x" : at}`)}`,
    gives: lines(2000, (at) => (at === 7 ? "x" : `${at} `)),
  },
];

const read: { what: string; patch: string; says: string }[] = [
  {
    what: "300,000 lines",
    patch: BEGIN + "-removed\n".repeat(300_000),
    says: "line 50001: The patch has more than 50000 lines.",
  },
  {
    what: "20,000 files",
    patch: lines(20_000, (at) => `*** Delete File: ${at}`),
    says: "line 1: The patch has more than 10000 sections.",
  },
  {
    what: "a marker of 200,000 blanks",
    patch: `*** Begin Patch${" ".repeat(200_000)}x`,
    says: "line 1: This is not a patch: no line names a file to change.",
  },
  {
    what: "a header of 200,000 blanks",
    patch: `${BEGIN}@@ a${" ".repeat(200_000)}b\n x\n`,
    says: "line 2: The hunk changes nothing: none of its lines starts with + or -.",
  },
  {
    what: "a quoted name of 2 MB",
    patch: `--- "a/${"é".repeat(2e6)}"\n+++ "b/${"é".repeat(2e6)}"\n@@ -1 +1 @@\n-a\n+b\n`,
    says: "line 1: The path cannot be read.",
  },
  {
    what: "49,000 Begins",
    patch: "*** Begin Patch\n".repeat(49_000),
    says: "line 49000: The patch is cut off: *** End Patch is missing.",
  },
  {
    what: "49,000 stacked headers",
    patch: `${BEGIN}${"@@ a\n".repeat(49_000)} x\n`,
    says: "line 2: The hunk changes nothing: none of its lines starts with + or -.",
  },
  {
    what: "here-documents in a row",
    patch: `${"<<-".repeat(100_000)}${" ".repeat(100_000)}\n*** Begin Patch\n*** End Patch\n`,
    says: "line 1: This is not a patch: no line names a file to change.",
  },
];

describe("within a moment", () => {
  test.each(applied)("a patch is applied, or not: $what", async ({ file, patch, gives }) => {
    // A plain comparison: a difference of megabytes would take longer to show than to find.
    expect(await processorTime(() => expect(resultOf(file, patch) === gives).toBe(true))).toBeLessThan(MOMENT_MS);
  });

  test.each(read)("a patch is refused: $what", async ({ patch, says }) => {
    expect(await processorTime(() => expect(shownPatch(patch)).toEqual([says]))).toBeLessThan(MOMENT_MS);
  });

  test("ten thousand sections for one file are joined", () => {
    const parsed = parsePatch("*** Update File: a\n@@\n-a\n+b\n".repeat(10_000));
    expect(parsed.ok && parsed.files.map((file) => (file.kind === "update" ? file.hunks.length : 0))).toEqual([10_000]);
  });
});
