import { excerpt } from "../clip.js";
import { differingCodePoints } from "../miss/visible.js";
import { sharedEnds } from "../sharedEnds.js";
import type { Divergence, HunkError } from "./hunkError.js";

/** Maximum number of line numbers written out in a message; the error has them all. */
const MAX_NAMED_LINES = 20;

/** Describes a hunk's error for models and people. The caller prefixes the file's path. */
export function describeHunkError(error: HunkError): { message: string; hint: string } {
  const hunk = `hunk ${error.hunk} (patch line ${error.patchLine})`;
  switch (error.type) {
    case "no_match":
      return describeMiss(hunk, error);
    case "not_unique":
      return {
        message: `${hunk} matches ${error.count} places (${nameLines(error.lines, error.count)}).`,
        hint: "Add context lines, or put the line that opens the enclosing block after @@.",
      };
    case "header_missing":
      return {
        message:
          error.elsewhere.length === 0
            ? `${hunk}: no line in the file matches its header ${excerpt(error.header)}${nameBeginnings(error.beginnings)}.`
            : `${hunk}: its header ${excerpt(error.header)} is on ${nameLines(error.elsewhere)}, but not in the block of the preceding header.`,
        hint: "Copy the whole line from the file after @@, or omit the header.",
      };
    case "no_anchor":
      return {
        message: `${hunk} only adds lines and does not say where.`,
        hint: "Add a context line, a header after @@, or *** End of File.",
      };
    case "overlap":
      return {
        message: `${hunk} and hunk ${error.other} both change the file at line ${error.fileLine}.`,
        hint: "Merge them into one hunk; all hunks apply to the current file.",
      };
    case "too_complex":
      return {
        message: `${hunk}: the file is so repetitive that locating all hunks would take too long.`,
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
        message: `${hunk} matches at ${places}, but the patch says it ends at the end of the file.`,
        hint: "Read the end of the file, or remove *** End of File or the missing-newline marker.",
      };
    }
    if (error.appliedAt !== undefined) {
      return {
        message: `${hunk} matches at ${places}, not in the block of its header; the file already has its new lines at line ${error.appliedAt}.`,
        hint: "Read the file again; the change may already have been made.",
      };
    }
    return {
      message: `${hunk} matches at ${places}, but neither in the block of its header nor after it.`,
      hint: "Read the header's block: it may have changed. If you meant the other place, use its header.",
    };
  }
  if (error.appliedAt !== undefined) {
    return {
      message: `${hunk} does not match; the file already has its new lines at line ${error.appliedAt}.`,
      hint: "Read the file again; the change may already have been made.",
    };
  }
  if (!error.nearest) {
    return {
      message: `${hunk} does not match: the file has none of its lines.`,
      hint: "Read the file again and copy its lines.",
    };
  }
  const { from, to, divergence } = error.nearest;
  const nearest = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return {
    message: `${hunk} does not match. Nearest: ${nearest}${divergence ? `; ${describeDivergence(divergence)}` : ""}.`,
    hint:
      divergence && hasLineNumber(divergence)
        ? "Remove the line numbers that read shows."
        : "Read these lines again and copy them exactly.",
  };
}

/** Whether a patch line is the file's line with read's line number in front. */
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
  const onlyBlanks = found.replaceAll(/\s/g, "") === expected.replaceAll(/\s/g, "") ? " (only whitespace differs)" : "";
  const [shownExpected, shownFound] = fromFirstDifference(expected, found);
  const codePoints = onlyBlanks === "" ? differingCodePoints(expected, found) : undefined;
  const told = codePoints ? ` (${codePoints.found} in the file, ${codePoints.expected} in the patch)` : onlyBlanks;
  return `line ${fileLine} is ${excerpt(shownFound)}, but patch line ${patchLine} says ${excerpt(shownExpected)}${told}`;
}

/** Cuts two long lines to start shortly before their first difference. */
function fromFirstDifference(a: string, b: string): [string, string] {
  const { head } = sharedEnds(a, b);
  return head < 60 ? [a, b] : [`…${a.slice(head - 20)}`, `…${b.slice(head - 20)}`];
}

function nameLines(lines: readonly number[], count = lines.length): string {
  const named = lines.slice(0, MAX_NAMED_LINES).join(", ");
  const rest = count - Math.min(lines.length, MAX_NAMED_LINES);
  return `${count === 1 ? "line" : "lines"} ${named}${rest > 0 ? ` and ${rest} more` : ""}`;
}
