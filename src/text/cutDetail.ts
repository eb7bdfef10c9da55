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

/** A detail cut to the available space. */
export interface CutDetail {
  /** Whole lines, if any fit. */
  shown: string;
  /** A description of what is omitted, in exact numbers; undefined if nothing is. */
  notice: string | undefined;
  /** A short version of the notice, to show below; undefined if nothing is omitted. */
  end: string | undefined;
}

/**
 * Cuts the detail of a question to what can be shown, and says what is missing: people must know what they do not see.
 *
 * @param language `diff` also counts the omitted changes
 */
export function cutDetail({ language, text }: { language: string; text: string }, room: Room): CutDetail {
  const fits = lengthThatFits(text, room);
  if (fits === text.length) {
    return { shown: text, notice: undefined, end: undefined };
  }
  const lineEnd = text.lastIndexOf("\n", fits);
  // A line as long as this is cut itself.
  return lineEnd < fits / 2 ? cutInLine(text, fits) : cutBehindLine(language, text, lineEnd);
}

function cutInLine(text: string, fits: number): CutDetail {
  const shown = clipStart(text, fits);
  const rest = text.length - shown.length;
  return {
    shown,
    notice: `Too long to show: ${leftOut(rest, text.length, "character")}.`,
    end: `… and ${count(rest, "more character")}.`,
  };
}

function cutBehindLine(language: string, text: string, lineEnd: number): CutDetail {
  const shown = text.slice(0, lineEnd);
  const lines = text.split("\n");
  const kept = shown.split("\n").length;
  const rest = lines.length - kept;
  const changes = language === "diff" ? `: ${describeChanges(changesBehind(lines, kept))}` : "";
  return {
    shown,
    notice: `Too long to show: ${leftOut(rest, lines.length, "line")}${changes}.`,
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
