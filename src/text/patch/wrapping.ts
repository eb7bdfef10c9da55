import { readMarker } from "./markers.js";
import { indentOf, PatchLines } from "./patchLines.js";

/** A patch found among other lines. */
export interface Block {
  dialect: "begin" | "unified";
  lines: PatchLines;
  /** Index of the first line after it. */
  next: number;
  /**
   * How it ended. A lost part may follow a fence, a here-document or an end marker, if that line was in fact one of a
   * file.
   */
  ending: "closed" | "marked" | "open";
  /** Whether it begins with `*** Begin Patch` and has no end: most likely an answer that was cut off. */
  lacksEnd: boolean;
}

/**
 * Finds the next patch at or after an index: after prose, inside a Markdown fence or a shell here-document, possibly
 * indented as a whole. Undefined if there is none.
 */
export function findBlock(lines: PatchLines, from: number): Block | undefined {
  for (let index = from; index < lines.length; index++) {
    if (startsBeginPatch(lines.textAt(index).trim())) {
      return beginBlock(lines, index);
    }
    const indent = indentOf(lines.textAt(index));
    if (startsUnified(lines.textAt(index).slice(indent.length), lines.textAt(index + 1).trimStart())) {
      return unifiedBlock(lines, index, indent);
    }
  }
  return undefined;
}

function startsBeginPatch(line: string): boolean {
  const kind = readMarker(line)?.kind;
  return kind === "begin" || kind === "add" || kind === "delete" || kind === "update";
}

/** Whether a unified diff of a file starts with this line. */
export function startsUnified(line: string, next: string): boolean {
  return /^diff --(?:git|cc|combined) /.test(line) || (line.startsWith("--- ") && next.startsWith("+++ "));
}

function beginBlock(lines: PatchLines, start: number): Block {
  const indent = indentOf(lines.textAt(start));
  const isMarker = (index: number, kind: "begin" | "end"): boolean => {
    const text = lines.textAt(index);
    return (
      readMarker(text)?.kind === kind ||
      (indent !== "" && text.startsWith(indent) && readMarker(text.slice(indent.length))?.kind === kind)
    );
  };
  let end = start + 1;
  while (end < lines.length && !isMarker(end, "begin") && !isMarker(end, "end")) {
    end++;
  }
  const isLast = end === lines.length;
  let isClosed = false;
  if (isLast || isMarker(end, "begin")) {
    const closing = findClosing(lines, start, end);
    isClosed = closing < end;
    end = closing;
  }
  const isEnded = isMarker(end, "end");
  let last = end;
  while (!isEnded && last > start + 1 && lines.textAt(last - 1).trim() === "") {
    last--;
  }
  // The end marker may be indented even if nothing else is.
  const isIndentedEnd = !isEnded && readMarker(lines.textAt(last - 1).trim())?.kind === "end";
  const lacksEnd = isMarker(start, "begin") && isLast && !isClosed && !isIndentedEnd;
  const block = lines.part(
    start,
    isIndentedEnd ? last - 1 : end,
    isIndentedAll(lines, start, end, indent) ? indent : "",
  );
  return {
    dialect: "begin",
    lines: withMarkersAtStart(block, indent),
    next: isEnded ? end + 1 : end,
    ending: isEnded ? "marked" : isClosed ? "closed" : "open",
    lacksEnd,
  };
}

function unifiedBlock(lines: PatchLines, start: number, indent: string): Block {
  let limit = start + 1;
  while (limit < lines.length && !startsBeginPatch(lines.textAt(limit))) {
    limit++;
  }
  const end = findClosing(lines, start, limit);
  const shift = isIndentedAll(lines, start, end, indent) ? indent : "";
  return {
    dialect: "unified",
    lines: lines.part(start, end, shift),
    next: end,
    ending: end < limit ? "closed" : "open",
    lacksEnd: false,
  };
}

function isIndentedAll(lines: PatchLines, from: number, to: number, indent: string): boolean {
  for (let index = from; indent !== "" && index < to; index++) {
    const line = lines.raw[index] ?? "";
    if (!line.startsWith(indent) && line.trim() !== "") {
      return false;
    }
  }
  return true;
}

/**
 * Removes the first marker's indentation from all markers if only they are indented: the lines of files stay unchanged.
 */
function withMarkersAtStart(lines: PatchLines, indent: string): PatchLines {
  if (indent === "") {
    return lines;
  }
  const moved = lines.raw.map((line) =>
    line.startsWith(indent) && readMarker(line.slice(indent.length)) ? line.slice(indent.length) : line,
  );
  return new PatchLines(moved, lines.first);
}

const FENCE = /^\s*(`{3,}|~{3,})[^`]*$/;
const HERE_DOCUMENT = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/;

/**
 * Returns the index of the line that closes the fence or here-document opened by the two lines before `start`; `limit`
 * if there is none.
 */
function findClosing(lines: PatchLines, start: number, limit: number): number {
  const opening: string[] = [];
  for (let index = start - 1; index >= 0 && opening.length < 2; index--) {
    const text = lines.textAt(index);
    if (text.trim() !== "") {
      opening.push(text);
    }
  }
  const fence = opening.map((text) => FENCE.exec(text)?.[1]).find((mark) => mark !== undefined);
  const delimiter = opening.map((text) => HERE_DOCUMENT.exec(text)?.[2]).find((word) => word !== undefined);
  for (let index = start + 1; index < limit; index++) {
    const text = lines.textAt(index).trimEnd();
    const mark = FENCE.exec(text)?.[1];
    const closesFence = fence !== undefined && mark !== undefined && mark === text.trim() && mark.startsWith(fence);
    if (
      (closesFence && !text.startsWith(" ")) ||
      (delimiter !== undefined && text.trim() === delimiter && !text.startsWith(" "))
    ) {
      return index;
    }
  }
  return limit;
}
