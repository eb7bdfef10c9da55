/** A line of the `*** Begin Patch` dialect that is not a line of a file. */
export type Marker =
  { kind: "begin" | "end" | "end_of_file" } | { kind: "add" | "delete" | "update" | "move"; path: string };

// Matched against trimmed lines: two runs of blanks in one expression would take quadratic time.
const PLAIN = /^\*\*\* ?(begin patch|end patch|end of file)(?:\s*\*\*\*)?$/i;
const WITH_PATH = /^\*\*\* ?(add file|delete file|update file|move to)\s*:(.*)$/i;

const PLAIN_KINDS: Record<string, "begin" | "end" | "end_of_file"> = {
  "begin patch": "begin",
  "end patch": "end",
  "end of file": "end_of_file",
};
const PATH_KINDS: Record<string, "add" | "delete" | "update" | "move"> = {
  "add file": "add",
  "delete file": "delete",
  "update file": "update",
  "move to": "move",
};

/**
 * The marker that a line is. It starts at the line's first column: behind a space, `+` or `-` it would be a line of a
 * file.
 */
export function readMarker(line: string): Marker | undefined {
  if (!line.startsWith("***")) {
    return undefined;
  }
  const plain = PLAIN_KINDS[PLAIN.exec(line.trimEnd())?.[1]?.toLowerCase() ?? ""];
  if (plain) {
    return { kind: plain };
  }
  const [, name = "", path = ""] = WITH_PATH.exec(line) ?? [];
  const kind = PATH_KINDS[name.toLowerCase()];
  return kind && { kind, path: unquote(path.trim()) };
}

/** A path without the quotes or backticks around it. */
function unquote(path: string): string {
  return /^(["'`])(.+)\1$/.exec(path)?.[2] ?? path;
}

/** What a line that starts with `@@` says about a hunk's place. */
export interface HunkHeader {
  /** A line of the file behind which the hunk stands; absent for a bare `@@`. */
  text?: string;
  oldStart?: number;
  oldCount?: number;
  newCount?: number;
}

const NUMBERED = /^@@ ?-(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? ?@@/;

/**
 * Reads `@@`, `@@ text`, `@@ text @@` and `@@ -1,2 +1,2 @@ text`. The text behind line numbers is only what git took
 * for the function around, cut short: it says nothing that must hold. `@@count = 0` is a line of Ruby, not a header.
 */
export function readHunkHeader(line: string): HunkHeader | undefined {
  // Merges have three signs at, and two originals.
  if (!line.startsWith("@@") || line.startsWith("@@@")) {
    return undefined;
  }
  const numbered = NUMBERED.exec(line);
  if (numbered) {
    const [, oldStart = "", oldCount = "1", newCount = "1"] = numbered;
    return { oldStart: Number(oldStart), oldCount: Number(oldCount), newCount: Number(newCount) };
  }
  const text = /^@@(?=\s|$)(.*)$/.exec(line)?.[1] ?? /^@@(.*)@@\s*$/.exec(line)?.[1];
  if (text === undefined) {
    return undefined;
  }
  return headerOf(text.trim());
}

/**
 * Reads `@@text`, which is a header whose blank was forgotten, or a line of the file that lost its space: only the file
 * tells.
 */
export function readGluedHeader(line: string): HunkHeader | undefined {
  return /^@@[^@\s]/.test(line) && readHunkHeader(line) === undefined ? headerOf(line.slice(2).trim()) : undefined;
}

function headerOf(closed: string): HunkHeader {
  const trimmed = closed.endsWith("@@") ? closed.slice(0, -2).trim() : closed;
  // Dots stand for lines that whoever wrote the patch left out.
  return trimmed === "" || /^(?:\.{3,}|…)$/.test(trimmed) ? {} : { text: trimmed };
}
