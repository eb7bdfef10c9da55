import { clipStart } from "./clip.js";
import { count } from "./words.js";

/** The space available for display. */
export interface Room {
  /** Code units. */
  characters: number;
  /** Rows; a line wider than `columns` takes several. */
  rows: number;
  columns: number;
}

/** A text that a question shows, and the line above it, if there is one. */
export interface Detail {
  language: string;
  text: string;
  title?: string;
}

/** What each of several details is given at least, as far as it needs it. */
const LEAST_ROWS = 3;
const LEAST_CHARACTERS = 200;

/** A detail cut to the available space. */
interface CutDetail {
  /** Whole lines, if any fit. */
  shown: string;
  /** A description of what is omitted, in exact numbers; undefined if nothing is. */
  notice: string | undefined;
  /** A short version of the notice, to show below; undefined if nothing is omitted. */
  end: string | undefined;
}

/**
 * Cuts the details of a question to what can be shown together, each after those before it, and says what is missing:
 * people must know what they do not see. Of a `diff`, the omitted changes are counted, too.
 */
export function cutDetails<Of extends Detail>(details: readonly Of[], room: Room): (Of & CutDetail)[] {
  let { rows, characters } = room;
  return details.map((detail, index) => {
    const later = details.slice(index + 1);
    const kept = later.reduce((sum, each) => sum + leastRows(each, room.columns), 0);
    const cut = cutDetail(detail, {
      rows: Math.max(leastRows(detail, room.columns), rows - kept) - rowsAbove(detail),
      characters: Math.max(LEAST_CHARACTERS, characters - later.length * LEAST_CHARACTERS),
      columns: room.columns,
    });
    rows -= rowsOf(cut.shown, room.columns) + rowsAbove(detail);
    characters -= cut.shown.length;
    return { ...detail, ...cut };
  });
}

function leastRows(detail: Detail, columns: number): number {
  return Math.min(LEAST_ROWS, rowsOf(detail.text, columns)) + rowsAbove(detail);
}

/** The rows of a title and of the empty line above it. */
function rowsAbove({ title }: Detail): number {
  return title === undefined ? 0 : 2;
}

function rowsOf(text: string, columns: number): number {
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}

function cutDetail({ language, text, title }: Detail, room: Room): CutDetail {
  const subject = title === undefined ? "Too" : `${title} is too`;
  const fits = lengthThatFits(text, room);
  if (fits === text.length) {
    return { shown: text, notice: undefined, end: undefined };
  }
  const lineEnd = text.lastIndexOf("\n", fits);
  // A line as long as this is cut itself.
  return lineEnd < fits / 2 ? cutInLine(subject, text, fits) : cutBehindLine(subject, language, text, lineEnd);
}

function cutInLine(subject: string, text: string, fits: number): CutDetail {
  const shown = clipStart(text, fits);
  const rest = text.length - shown.length;
  return {
    shown,
    notice: `${subject} long to show: ${leftOut(rest, text.length, "character")}.`,
    end: `… and ${count(rest, "more character")}.`,
  };
}

function cutBehindLine(subject: string, language: string, text: string, lineEnd: number): CutDetail {
  const shown = text.slice(0, lineEnd);
  const lines = text.split("\n");
  const kept = shown.split("\n").length;
  const rest = lines.length - kept;
  const changes = language === "diff" ? `: ${describeChanges(changesBehind(lines, kept))}` : "";
  return {
    shown,
    notice: `${subject} long to show: ${leftOut(rest, lines.length, "line")}${changes}.`,
    end: `… and ${count(rest, "more line")}.`,
  };
}

/** Returns how many code units of a text fit: all, or up to the end of a line, or until the rows are full. */
function lengthThatFits(text: string, { characters, rows, columns }: Room): number {
  let row = 0;
  let from = 0;
  while (from <= text.length) {
    const lineEnd = text.indexOf("\n", from);
    const to = lineEnd === -1 ? text.length : lineEnd;
    const taken = Math.max(1, Math.ceil((to - from) / columns));
    if (row + taken > rows || to > characters) {
      // A line that begins on the last rows is shown as far as they go; otherwise cut at the line ending before it.
      const room = Math.min(characters, from + Math.max(0, rows - row) * columns);
      return row >= rows ? Math.max(0, from - 1) : Math.min(room, text.length);
    }
    row += taken;
    from = to + 1;
  }
  return text.length;
}

/** The changes in the lines of a diff from some line on. */
interface Changes {
  added: number;
  removed: number;
  /** Files that these lines belong to, and files in the whole diff. */
  files: number;
  allFiles: number;
}

function changesBehind(lines: readonly string[], from: number): Changes {
  const changes: Changes = { added: 0, removed: 0, files: 0, allFiles: 0 };
  const touched = new Set<number>();
  // Only the position shows what is a header: a removed line `-- x` looks like a file header.
  let [oldLeft, newLeft] = [0, 0];
  for (const [index, line] of lines.entries()) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const [header, oldLines = "1", newLines = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
      [oldLeft, newLeft] = header === undefined ? [0, 0] : [Number(oldLines), Number(newLines)];
      changes.allFiles += startsFile(line, lines[index - 1]) ? 1 : 0;
    } else if (line.startsWith("-")) {
      oldLeft--;
      changes.removed += index >= from ? 1 : 0;
    } else if (line.startsWith("+")) {
      newLeft--;
      changes.added += index >= from ? 1 : 0;
    } else if (!line.startsWith("\\")) {
      oldLeft--;
      newLeft--;
    }
    if (index >= from) {
      touched.add(changes.allFiles);
    }
  }
  return { ...changes, files: touched.size };
}

/** Whether a line starts a file's section: with git's rename lines, or with its two names. */
function startsFile(line: string, before = ""): boolean {
  return (
    line.startsWith("rename from ") ||
    (line.startsWith("--- ") && !before.startsWith("rename to ")) ||
    /^deleted .* \(\d+ bytes, binary\)$/.test(line)
  );
}

function describeChanges({ added, removed, files, allFiles }: Changes): string {
  return `+${added} −${removed}${allFiles > 1 ? `, in ${files} of ${allFiles} files` : ""}`;
}

function leftOut(rest: number, all: number, noun: string): string {
  return `${rest} of ${count(all, noun)} ${rest === 1 ? "is" : "are"} omitted`;
}
