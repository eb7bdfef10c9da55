import { endingOf, splitLines } from "../splitLines.js";
import { count } from "../words.js";

/** A change of lines, numbered as in the text before any patch is applied. */
export interface LinePatch {
  /** First line, 1-based. Past the last line, the patch appends. */
  start_line: number;
  /** Last line to replace, inclusive; 0 inserts before `start_line` and replaces nothing. */
  end_line: number;
  /**
   * The new lines. A trailing line ending does not add a line. If empty, a range is deleted, and an insert is one empty
   * line.
   */
  content: string;
}

/** Why patches were not applied. `patches` are the 0-based indexes at fault. */
interface LinePatchError {
  kind: "invalid_range" | "overlap" | "past_end";
  patches: number[];
  message: string;
}

export type LinePatchResult = { ok: true; text: string } | { ok: false; error: LinePatchError };

/**
 * Applies all line patches, or none if one is wrong. All of them use the original numbering, whatever their order;
 * inserts at the same line keep their order, and come before a replacement of that line. A range may end past the last
 * line.
 *
 * New lines get the line endings of their neighbors. The text keeps its final newline, or stays without one unless its
 * last line is now empty; an empty text gets one if the last content has one.
 */
export function applyLinePatches(text: string, patches: readonly LinePatch[]): LinePatchResult {
  const lines = splitLines(text);
  const sorted = patches
    .map((patch, index) => ({ ...patch, index }))
    .sort(
      (a, b) => a.start_line - b.start_line || Number(a.end_line !== 0) - Number(b.end_line !== 0) || a.index - b.index,
    );
  const error = findInvalid(patches, lines.length) ?? findOverlap(sorted);
  if (error) {
    return { ok: false, error };
  }
  const result: string[] = [];
  let done = 0;
  for (const { start_line, end_line, content } of sorted) {
    const from = Math.min(start_line - 1, lines.length);
    const ending = endingNear(lines, from);
    append(result, lines.slice(done, from));
    append(result, end_line > 0 && content === "" ? [] : contentLines(content, ending));
    done = end_line === 0 ? from : Math.min(end_line, lines.length);
  }
  append(result, lines.slice(done));
  const endsInNewline = text === "" ? endingOf(sorted.at(-1)?.content ?? "") !== "" : endingOf(text) !== "";
  return { ok: true, text: joinLines(result, endsInNewline) };
}

function findInvalid(patches: readonly LinePatch[], lineCount: number): LinePatchError | undefined {
  for (const [index, { start_line, end_line, content }] of patches.entries()) {
    const invalid = (kind: LinePatchError["kind"], message: string): LinePatchError => ({
      kind,
      patches: [index],
      message: `patches[${index}]: ${message}`,
    });
    if (!Number.isSafeInteger(start_line) || start_line < 1) {
      return invalid("invalid_range", `start_line ${start_line} is not a line number: lines count from 1.`);
    }
    if (!Number.isSafeInteger(end_line) || end_line < 0) {
      return invalid(
        "invalid_range",
        `end_line ${end_line} is neither a line number nor 0, which inserts before start_line.`,
      );
    }
    if (end_line > 0 && end_line < start_line) {
      return invalid(
        "invalid_range",
        `end_line ${end_line} is before start_line ${start_line}. Give 0 to insert before start_line.`,
      );
    }
    if (end_line > 0 && content === "" && start_line > lineCount) {
      return invalid("past_end", `line ${start_line} cannot be deleted: the text has ${count(lineCount, "line")}.`);
    }
  }
  return undefined;
}

/**
 * Finds the first two patches, in line order, that affect the same line. An insert before a replaced range is not an
 * overlap.
 */
function findOverlap(sorted: readonly (LinePatch & { index: number })[]): LinePatchError | undefined {
  let previous: (LinePatch & { index: number }) | undefined;
  for (const patch of sorted) {
    if (previous && patch.start_line <= previous.end_line) {
      const [first, second] = previous.index < patch.index ? [previous, patch] : [patch, previous];
      return {
        kind: "overlap",
        patches: [first.index, second.index],
        message: `patches[${first.index}] (${spanOf(first)}) and patches[${second.index}] (${spanOf(second)}) overlap. Make them one patch.`,
      };
    }
    previous = patch;
  }
  return undefined;
}

function spanOf({ start_line, end_line }: LinePatch): string {
  return end_line === 0 ? `insert before line ${start_line}` : `lines ${start_line}–${end_line}`;
}

/** Returns the ending of the line at `index`; if it has none, that of one of the two lines before it, or else `\n`. */
function endingNear(lines: readonly string[], index: number): string {
  return endingOf(lines[index] ?? "") || endingOf(lines[index - 1] ?? "") || endingOf(lines[index - 2] ?? "") || "\n";
}

/** Splits a content into lines, each with the given ending. */
function contentLines(content: string, ending: string): string[] {
  const lines = content === "" ? [""] : splitLines(content);
  return lines.map((line) => line.slice(0, line.length - endingOf(line).length) + ending);
}

/** Appends lines one by one: `push(...lines)` would overflow the stack on a long file. */
function append(result: string[], lines: readonly string[]): void {
  for (const line of lines) {
    result.push(line);
  }
}

/**
 * Joins lines so that each stays a separate line: all but the last get an ending, and the last gets one if requested.
 */
function joinLines(lines: readonly string[], endsInNewline: boolean): string {
  const joined: string[] = [];
  const last = lines.length - 1;
  for (const [index, line] of lines.entries()) {
    const ending = endingOf(line);
    if (index === last && !endsInNewline && line !== ending) {
      // An empty line without an ending would not be a line.
      joined.push(line.slice(0, line.length - ending.length));
    } else if (ending === "") {
      joined.push(line + endingNear(lines, index));
    } else {
      // In a file with mixed endings, \r and an empty line's \n would merge into one ending.
      joined.push(line === "\n" && joined.at(-1)?.endsWith("\r") ? "\r\n" : line);
    }
  }
  return joined.join("");
}
