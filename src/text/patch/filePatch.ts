import type { LineEnd } from "../match/lines.js";

/** A line of a hunk: what stands in the file and stays, what goes, what comes. */
export interface HunkLine {
  kind: "context" | "remove" | "add";
  /** The line without its mark and its end. */
  text: string;
  /** What ended it in the patch; of a meaning only where the hunk's `knowsLineEnds` says so. */
  end: LineEnd;
  /** 1-based line of the patch. */
  line: number;
  /** A context line that was written without its leading space. */
  isBare: boolean;
}

/** Lines that stand together in the original, and what becomes of them. */
export interface Hunk {
  /** 1-based line of the patch at which the hunk starts. */
  line: number;
  /** Lines of the original behind which the hunk's place lies, outermost first. */
  headers: readonly string[];
  lines: readonly HunkLine[];
  /** The first line of the old side, 1-based, as a unified header names it. */
  oldStart?: number;
  /**
   * The line (1-based, 0 for none) behind which its lines come: its header says so, counts no old line, and all it has
   * are added ones.
   */
  insertsBehind?: number;
  /** It only adds lines, and neither line numbers nor an empty line in front say where. */
  appends?: true;
  /**
   * Whether the hunk ends where the file ends: `loosely` when only blank lines may follow (`*** End of File`),
   * `exactly` when nothing does (`\ No newline at end of file`).
   */
  atEnd: "no" | "loosely" | "exactly";
  /** Whether the text ends with a line end afterwards; absent where the patch does not change that. */
  finalNewline?: boolean;
  /** Completely empty lines that open and close the hunk: context, or only spacing of whoever wrote the patch. */
  looseBefore: number;
  looseAfter: number;
  /** The patch was made by a program that wrote every line with the line end it has in the file. */
  knowsLineEnds: boolean;
}

export interface AddFile {
  kind: "add";
  path: string;
  /** The whole new file, final line end included. */
  content: string;
}

export interface DeleteFile {
  kind: "delete";
  path: string;
  /**
   * What a unified diff says the file holds: applied to it, they leave nothing. Empty where the patch only names the
   * file.
   */
  hunks: readonly Hunk[];
}

export interface UpdateFile {
  kind: "update";
  path: string;
  /** The path it has afterwards, where that is another one. */
  moveTo?: string;
  /** All hunks match against the original, in whatever order they stand. Empty for a file that only moves. */
  hunks: readonly Hunk[];
  /** The same where `@@text` is a header whose blank was forgotten; absent where no line is like that. */
  gluedHunks?: readonly Hunk[];
}

/** What a patch does to one file. No two of a patch name the same path. */
export type FilePatch = AddFile | DeleteFile | UpdateFile;

/** Why a text is not a patch that can be taken at its word; thrown inside this folder, returned by `parsePatch`. */
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
