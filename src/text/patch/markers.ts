/** A line of the `*** Begin Patch` dialect that is not a line of a file. */
export type Marker =
  | { kind: "begin" | "end" | "end_of_file" }
  | { kind: "add" | "delete" | "update" | "move"; path: string };

// Matched against trimmed lines, because two runs of whitespace in one expression would take quadratic time.
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
 * Reads a line as a marker. It must start in the first column: after a space, `+` or `-` it would be a line of a file.
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

/** Removes quotes or backticks around a path. */
function unquote(path: string): string {
  return /^(["'`])(.+)\1$/.exec(path)?.[2] ?? path;
}

/** A hunk's place as stated in a line that starts with `@@`. */
export interface HunkHeader {
  /** A line of the file that precedes the hunk; absent for a bare `@@`. */
  text?: string;
  oldStart?: number;
  oldCount?: number;
  newCount?: number;
}

const NUMBERED = /^@@ ?-(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? ?@@/;

/**
 * Reads `@@`, `@@ text`, `@@ text @@` and `@@ -1,2 +1,2 @@ text`. Text after line numbers is only git's guess of the
 * enclosing function, truncated, so it is not binding. `@@count = 0` is a line of Ruby, not a header.
 */
export function readHunkHeader(line: string): HunkHeader | undefined {
  // Merge diffs use `@@@`, and have two originals.
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
 * Reads `@@text`, which is either a header that lacks its space, or a line of the file that lost its leading space:
 * only the file can decide.
 */
export function readGluedHeader(line: string): HunkHeader | undefined {
  return /^@@[^@\s]/.test(line) && readHunkHeader(line) === undefined ? headerOf(line.slice(2).trim()) : undefined;
}

function headerOf(closed: string): HunkHeader {
  const trimmed = closed.endsWith("@@") ? closed.slice(0, -2).trim() : closed;
  // Dots are lines that the patch's author omitted.
  return trimmed === "" || /^(?:\.{3,}|…)$/.test(trimmed) ? {} : { text: trimmed };
}
