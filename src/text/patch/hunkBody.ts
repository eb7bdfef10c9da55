import type { LineEnd } from "../match/lines.js";
import type { Hunk, HunkLine } from "./filePatch.js";
import { PatchSyntaxError } from "./filePatch.js";
import type { PatchLines } from "./patchLines.js";

/** `\ No newline at end of file`, which diff writes in the user's language; hand-written patches use English. */
const UNENDED_MARK = /^\\ /;
const ENGLISH_UNENDED_MARK = /^\\ No newline/i;

/** The facts about a hunk that are known before its lines are read. */
export interface HunkStart {
  /** 0-based index of its `@@` line, or of its first line if it has none. */
  index: number;
  headers: readonly string[];
  oldStart?: number;
  oldCount?: number;
  newCount?: number;
}

/**
 * Reads a hunk's lines. `+` adds, `-` removes, a space keeps; a line with none of them is context that lost its space.
 *
 * @param to index after the hunk's last line
 * @param isComplete whether the header's counts confirm every line, so that empty lines at the edges are context
 * @throws PatchSyntaxError for a hunk that changes nothing, or a line after the one that ends without a newline
 */
export function readHunk(
  lines: PatchLines,
  start: HunkStart,
  from: number,
  to: number,
  options: { atEnd: boolean; isComplete: boolean },
): Hunk {
  // A patch sent with CRLF throughout says nothing about the file's line endings; one whose own lines end with LF does.
  const isSentWithCrlf = start.index < from && lines.endsWithCarriageReturn(start.index);
  const body: HunkLine[] = [];
  let hasCarriageReturn = false;
  let lastOld: HunkLine | undefined;
  let lastNew: HunkLine | undefined;
  const marked = new Set<HunkLine>();
  const unendedMark = start.oldStart === undefined ? ENGLISH_UNENDED_MARK : UNENDED_MARK;
  for (let index = from; index < to; index++) {
    const text = lines.textAt(index);
    if (unendedMark.test(text)) {
      const last = body.at(-1);
      if (last) {
        // A carriage return without a following newline counts as a line ending.
        last.end = last.end === "\r\n" ? "\r" : "";
        marked.add(last);
      }
      continue;
    }
    hasCarriageReturn ||= lines.endsWithCarriageReturn(index) || text.includes("\r");
    const end: LineEnd = lines.endsWithCarriageReturn(index) && !isSentWithCrlf ? "\r\n" : "\n";
    pushLines(body, text, end, lines.numberAt(index));
    const last = body.at(-1);
    lastOld = last?.kind === "add" ? lastOld : last;
    lastNew = last?.kind === "remove" ? lastNew : last;
  }
  const number = lines.numberAt(start.index);
  if (!body.some(({ kind }) => kind !== "context")) {
    throw new PatchSyntaxError(number, "The hunk changes nothing: none of its lines starts with + or -.", HUNK_HINT);
  }
  for (const line of marked) {
    if ((line.kind !== "add" && line !== lastOld) || (line.kind !== "remove" && line !== lastNew)) {
      throw new PatchSyntaxError(
        line.line + 1,
        "The patch marks the end of a file without a final newline here, but more lines follow.",
        "Put the marker after the last line of the file, or remove it.",
      );
    }
  }
  const looseBefore = options.isComplete ? 0 : body.findIndex(isFilled);
  const looseAfter = options.isComplete ? 0 : body.length - 1 - body.findLastIndex(isFilled);
  const filled = looseBefore + looseAfter === 0 ? body : body.slice(looseBefore, body.length - looseAfter);
  // If a hunk only adds lines, empty lines around them are spacing; as context they would anchor the hunk by accident.
  const isInsertion = filled.every(({ kind }) => kind === "add");
  const isOldEnded = lastOld?.end !== "";
  const isNewEnded = lastNew?.end !== "";
  return {
    line: number,
    headers: start.headers,
    lines: isInsertion ? filled : body,
    ...(start.oldStart === undefined ? {} : { oldStart: start.oldStart }),
    ...(isInsertion && start.oldCount === 0 && start.newCount === filled.length && start.oldStart !== undefined
      ? { insertsBehind: start.oldStart }
      : {}),
    ...(isInsertion && looseBefore === 0 && start.oldStart === undefined ? { appends: true as const } : {}),
    atEnd: marked.size > 0 ? "exactly" : options.atEnd ? "loosely" : "no",
    ...(isOldEnded === isNewEnded ? {} : { finalNewline: isNewEnded }),
    looseBefore: isInsertion ? 0 : looseBefore,
    looseAfter: isInsertion ? 0 : looseAfter,
    knowsLineEnds: start.oldStart !== undefined && !isSentWithCrlf && hasCarriageReturn,
  };
}

export const HUNK_HINT =
  "Start removed lines with -, added lines with +, and lines that stay with a space; begin the hunk with an @@ line.";

/** Adds a patch line as lines of a file, where a lone `\r` ends a line. */
function pushLines(body: HunkLine[], text: string, end: LineEnd, line: number): void {
  const mark = text[0];
  const kind = mark === "+" ? "add" : mark === "-" ? "remove" : "context";
  const isBare = kind === "context" && mark !== " ";
  const content = isBare ? text : text.slice(1);
  if (!content.includes("\r")) {
    body.push({ kind, text: content, end, line, isBare });
    return;
  }
  const parts = content.split("\r");
  for (const [at, part] of parts.entries()) {
    body.push({ kind, text: part, end: at === parts.length - 1 ? end : "\r", line, isBare });
  }
}

/** Whether a line is not completely empty; a lone space is context. */
function isFilled({ text, isBare }: HunkLine): boolean {
  return text !== "" || !isBare;
}
