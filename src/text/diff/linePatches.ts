import { endingOf, splitLines } from "../splitLines.js";

/** A change of lines, in the numbering of the text before any of them is applied. */
export interface LinePatch {
  /** First line, 1-based. One past the last line, or further, appends. */
  start_line: number;
  /** Last line that is replaced, inclusive; 0 inserts before `start_line` and replaces nothing. */
  end_line: number;
  /**
   * The new lines. One line ending at its end is no line more. Empty: a range is deleted, an insert is one empty line.
   */
  content: string;
}

/** Why patches were not applied. `patches` are the indexes at fault, from 0. */
interface LinePatchError {
  kind: "invalid_range" | "overlap" | "past_end";
  patches: number[];
  message: string;
}

export type LinePatchResult = { ok: true; text: string } | { ok: false; error: LinePatchError };

/**
 * Applies line patches, all or none. Each means the original numbering, in whatever order they come; inserts at one
 * line keep their order, and stand before what replaces that line. A range may end past the last line.
 *
 * New lines end as the lines beside them do. The text keeps its final newline, or goes on without one unless its last
 * line is empty now; an empty text gets one when the last content has one.
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
      return invalid("past_end", `line ${start_line} cannot be deleted: the text has ${lineCount} lines.`);
    }
  }
  return undefined;
}

/** The first two patches, in the order of lines, that mean the same line. An insert before a replaced range is none. */
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

/** The ending of the line at `index`, else of the nearest one before it that has one. */
function endingNear(lines: readonly string[], index: number): string {
  return endingOf(lines[index] ?? "") || endingOf(lines[index - 1] ?? "") || endingOf(lines[index - 2] ?? "") || "\n";
}

/** The lines of a content, each with the ending given. */
function contentLines(content: string, ending: string): string[] {
  const lines = content === "" ? [""] : splitLines(content);
  return lines.map((line) => line.slice(0, line.length - endingOf(line).length) + ending);
}

/** `push(...lines)` would overflow the stack on a long file. */
function append(result: string[], lines: readonly string[]): void {
  for (const line of lines) {
    result.push(line);
  }
}

/** Joins lines so that each stays one: all but the last end, and the last as asked. */
function joinLines(lines: readonly string[], endsInNewline: boolean): string {
  const joined: string[] = [];
  const last = lines.length - 1;
  for (const [index, line] of lines.entries()) {
    const ending = endingOf(line);
    if (index === last && !endsInNewline && line !== ending) {
      // An empty line is there only by its ending.
      joined.push(line.slice(0, line.length - ending.length));
    } else if (ending === "") {
      joined.push(line + endingNear(lines, index));
    } else {
      // In a file that mixes endings, \r and an empty line's \n would become one ending.
      joined.push(line === "\n" && joined.at(-1)?.endsWith("\r") ? "\r\n" : line);
    }
  }
  return joined.join("");
}
