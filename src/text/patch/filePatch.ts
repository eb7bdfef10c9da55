import type { LineEnd } from "../match/lines.js";

/** A line of a hunk: kept, removed or added. */
export interface HunkLine {
  kind: "context" | "remove" | "add";
  /** The line without its mark and its line ending. */
  text: string;
  /** Its line ending in the patch; only meaningful if the hunk's `knowsLineEnds` is true. */
  end: LineEnd;
  /** 1-based line of the patch. */
  line: number;
  /** Whether it is a context line written without its leading space. */
  isBare: boolean;
}

/** Adjacent lines of the original, and their changes. */
export interface Hunk {
  /** 1-based line of the patch at which the hunk starts. */
  line: number;
  /** Lines of the original that precede the hunk's place, outermost first. */
  headers: readonly string[];
  lines: readonly HunkLine[];
  /** First line of the old side, 1-based, from a unified header. */
  oldStart?: number;
  /**
   * The line (1-based, 0 for none) after which its lines are inserted: its header says so and counts no old lines, and
   * it only adds lines.
   */
  insertsBehind?: number;
  /** Whether the hunk only adds lines, and neither line numbers nor a leading empty line locate it. */
  appends?: true;
  /**
   * Whether the hunk ends at the end of the file: `loosely` if blank lines may follow (`*** End of File`), `exactly` if
   * nothing does (`\ No newline at end of file`).
   */
  atEnd: "no" | "loosely" | "exactly";
  /** Whether the text ends with a newline afterwards; absent if the patch does not change that. */
  finalNewline?: boolean;
  /** Completely empty lines at the hunk's start and end: context, or just spacing by the patch's author. */
  looseBefore: number;
  looseAfter: number;
  /** Whether the patch was made by a program that wrote every line with its line ending in the file. */
  knowsLineEnds: boolean;
}

export interface AddFile {
  kind: "add";
  path: string;
  /** The whole new file, including its final newline. */
  content: string;
}

export interface DeleteFile {
  kind: "delete";
  path: string;
  /**
   * The file's content according to a unified diff: once applied, they leave nothing. Empty if the patch only names the
   * file.
   */
  hunks: readonly Hunk[];
}

export interface UpdateFile {
  kind: "update";
  path: string;
  /** Its new path, if it moves. */
  moveTo?: string;
  /** All hunks match against the original, in any order. Empty for a file that only moves. */
  hunks: readonly Hunk[];
  /** The same with `@@text` read as a header that lacks its space; absent if there is no such line. */
  gluedHunks?: readonly Hunk[];
}

/** A patch's change of one file. No two in a patch have the same path. */
export type FilePatch = AddFile | DeleteFile | UpdateFile;

/** Why a text is not an unambiguous patch; thrown inside this folder, returned by `parsePatch`. */
export class PatchSyntaxError extends Error {
  constructor(
    /** 1-based line of the patch. */
    readonly line: number,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
