import type { Question } from "../../ports/confirm.js";
import { clipStart } from "../../text/clip.js";

/** Code units of a diff or command shown in a confirmation. */
const MAX_SHOWN = 20_000;

/** What is shown of what will happen. */
export interface CutDetail {
  /** Whole lines, if any fits. */
  shown: string;
  /** What is left out, in exact numbers; undefined when nothing is. */
  notice: string | undefined;
  /** The same in short, for below. */
  end: string | undefined;
}

/** Cuts what a person is asked about to what can be shown, and says what is missing: they must know what they do not see. */
export function cutDetail({ language, text }: Question["detail"]): CutDetail {
  if (text.length <= MAX_SHOWN) {
    return { shown: text, notice: undefined, end: undefined };
  }
  const lineEnd = text.lastIndexOf("\n", MAX_SHOWN);
  if (lineEnd < MAX_SHOWN / 2) {
    // Lines as long as that are cut themselves.
    const shown = clipStart(text, MAX_SHOWN);
    const rest = text.length - shown.length;
    return { shown, notice: `Too long to show: ${leftOut(rest, text.length, "character")}.`, end: `… and ${counted(rest, "more character")}.` };
  }
  const shown = text.slice(0, lineEnd);
  const lines = text.split("\n");
  const kept = shown.split("\n").length;
  const rest = lines.length - kept;
  const changes = language === "diff" ? `: ${describeChanges(changesBehind(lines, kept))}` : "";
  return { shown, notice: `Too long to show: ${leftOut(rest, lines.length, "line")}${changes}.`, end: `… and ${counted(rest, "more line")}.` };
}

/** What the lines of a diff from one on would change. */
interface Changes {
  added: number;
  removed: number;
  /** Files that these lines are of, and files of the whole diff. */
  files: number;
  allFiles: number;
}

function changesBehind(lines: readonly string[], from: number): Changes {
  const changes: Changes = { added: 0, removed: 0, files: 0, allFiles: 0 };
  const touched = new Set<number>();
  // A line is a header or not by where it stands: a removed line `-- x` looks like a file's.
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

/** A file's part begins with git's words for a move, or with its two names. */
function startsFile(line: string, before = ""): boolean {
  return line.startsWith("rename from ") || (line.startsWith("--- ") && !before.startsWith("rename to ")) || /^deleted .* \(\d+ bytes, no text\)$/.test(line);
}

function describeChanges({ added, removed, files, allFiles }: Changes): string {
  return `+${added} −${removed}${allFiles > 1 ? `, in ${files} of ${allFiles} files` : ""}`;
}

function leftOut(rest: number, all: number, noun: string): string {
  return `${rest} of ${counted(all, noun)} ${rest === 1 ? "is" : "are"} left out`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
