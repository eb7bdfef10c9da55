import { excerpt } from "../clip.js";
import { differingCodePoints } from "../miss/visible.js";
import type { Divergence, HunkError } from "./hunkError.js";

/** Line numbers written out in a message; the error has them all. */
const MAX_NAMED_LINES = 20;

/** A hunk's error in words, for a model and a person alike. The caller puts the file's path in front. */
export function describeHunkError(error: HunkError): { message: string; hint: string } {
  const hunk = `hunk ${error.hunk} (patch line ${error.patchLine})`;
  switch (error.type) {
    case "no_match":
      return describeMiss(hunk, error);
    case "not_unique":
      return {
        message: `${hunk} matches ${error.count} places (${nameLines(error.lines, error.count)}).`,
        hint: "Add context lines, or put the line that opens the block around it behind @@.",
      };
    case "header_missing":
      return {
        message:
          error.elsewhere.length === 0
            ? `${hunk}: no line of the file is its header ${excerpt(error.header)}${nameBeginnings(error.beginnings)}.`
            : `${hunk}: its header ${excerpt(error.header)} stands on ${nameLines(error.elsewhere)}, but not in the block of the header before it.`,
        hint: "Copy the whole line of the file behind @@, or leave the header out.",
      };
    case "no_anchor":
      return {
        message: `${hunk} only adds lines, and nothing says where.`,
        hint: "Add a context line, a header behind @@, or *** End of File.",
      };
    case "overlap":
      return {
        message: `${hunk} and hunk ${error.other} both change the file at line ${error.fileLine}.`,
        hint: "Join them into one hunk; all hunks are taken against the file as it is now.",
      };
    case "too_complex":
      return {
        message: `${hunk}: the file repeats itself so much that finding all hunks would take too long.`,
        hint: "Split the patch into smaller ones.",
      };
  }
}

function describeMiss(
  hunk: string,
  error: Extract<HunkError, { type: "no_match" }>,
): { message: string; hint: string } {
  if (error.excluded.length > 0) {
    const places = nameLines(error.excluded);
    if (error.ruledOutBy === "end_of_file") {
      return {
        message: `${hunk} matches at ${places}, but is said to end where the file ends.`,
        hint: "Read the end of the file, or leave out *** End of File or the mark of a missing newline.",
      };
    }
    if (error.appliedAt !== undefined) {
      return {
        message: `${hunk} matches at ${places}, not in the block of its header; the file already has its new lines at line ${error.appliedAt}.`,
        hint: "Read the file again; the change may be made already.",
      };
    }
    return {
      message: `${hunk} matches at ${places}, but not in the block of its header or behind it.`,
      hint: "Read what the header opens: it may have changed. If the other place is meant, name the header of that one.",
    };
  }
  if (error.appliedAt !== undefined) {
    return {
      message: `${hunk} has no place; the file already has its new lines at line ${error.appliedAt}.`,
      hint: "Read the file again; the change may be made already.",
    };
  }
  if (!error.nearest) {
    return {
      message: `${hunk} has no place: the file has none of its lines.`,
      hint: "Read the file again, and copy its lines.",
    };
  }
  const { from, to, divergence } = error.nearest;
  const nearest = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return {
    message: `${hunk} has no place. Nearest: ${nearest}${divergence ? `; ${describeDivergence(divergence)}` : ""}.`,
    hint:
      divergence && hasLineNumber(divergence)
        ? "Leave out the line numbers that read shows."
        : "Read these lines again, and copy them as they are.",
  };
}

/** Whether a line of the patch is one of the file with the number in front that read shows. */
function hasLineNumber({ expected, found }: Divergence): boolean {
  return (
    found !== undefined &&
    found.trim() !== "" &&
    expected.replace(/^\s*\d+(?:\t| ?[|:→] ?)/, "").trim() === found.trim() &&
    expected.trim() !== found.trim()
  );
}

function nameBeginnings(lines: readonly number[]): string {
  return lines.length === 0 ? "" : `, though ${nameLines(lines)} ${lines.length === 1 ? "begins" : "begin"} with it`;
}

function describeDivergence({ patchLine, expected, fileLine, found }: Divergence): string {
  if (found === undefined) {
    return `patch line ${patchLine} says ${excerpt(expected)}, but the file ends before line ${fileLine}`;
  }
  const onlyBlanks = found.replaceAll(/\s/g, "") === expected.replaceAll(/\s/g, "") ? " (only blanks differ)" : "";
  const [shownExpected, shownFound] = fromFirstDifference(expected, found);
  const codePoints = onlyBlanks === "" ? differingCodePoints(expected, found) : undefined;
  const told = codePoints ? ` (${codePoints.found} there, ${codePoints.expected} in the patch)` : onlyBlanks;
  return `line ${fileLine} is ${excerpt(shownFound)}, but patch line ${patchLine} says ${excerpt(shownExpected)}${told}`;
}

/** Two long lines are shown from a little before where they differ. */
function fromFirstDifference(a: string, b: string): [string, string] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) {
    at++;
  }
  return at < 60 ? [a, b] : [`…${a.slice(at - 20)}`, `…${b.slice(at - 20)}`];
}

function nameLines(lines: readonly number[], count = lines.length): string {
  const named = lines.slice(0, MAX_NAMED_LINES).join(", ");
  const rest = count - Math.min(lines.length, MAX_NAMED_LINES);
  return `${count === 1 ? "line" : "lines"} ${named}${rest > 0 ? ` and ${rest} more` : ""}`;
}
