import { PatchSyntaxError } from "./filePatch.js";
import type { PathPair } from "./gitPath.js";
import { readFileName, readGitPaths, readQuoted, withoutPrefixes } from "./gitPath.js";
import { startsHunk } from "./unifiedRegion.js";
import type { PatchLines } from "./patchLines.js";
import { startsUnified } from "./wrapping.js";

/** The header of one file in a unified diff. */
export interface FileHeader {
  /** 1-based line of the patch. */
  line: number;
  /** Null on a side where the file does not exist. */
  paths: PathPair;
  isRenamed: boolean;
  changesMode: boolean;
  /** Index after the header's last line. */
  next: number;
}

const REGULAR_FILE = /^100/;

/**
 * Reads a file's header: git's lines, the two names, or both.
 *
 * @throws PatchSyntaxError for anything that cannot be applied to a text: binary patches, copies, links, combined diffs
 */
export function readFileHeader(lines: PatchLines, at: number): FileHeader {
  const line = lines.numberAt(at);
  let paths: PathPair | undefined;
  let renamedFrom: string | undefined;
  let renamedTo: string | undefined;
  let existence: "created" | "deleted" | undefined;
  let changesMode = false;
  let index = at;
  let text = lines.textAt(index);
  if (text.startsWith("diff --")) {
    if (!text.startsWith("diff --git ")) {
      throw new PatchSyntaxError(
        line,
        "A combined diff of a merge has no single original.",
        "Give a diff against one version.",
      );
    }
    const named = readGitPaths(text.slice("diff --git ".length));
    paths = named && withoutPrefixes(named);
    for (index++; index < lines.length; index++) {
      text = lines.textAt(index);
      const [, word = "", rest = ""] = GIT_LINE.exec(text) ?? [];
      if (word === "") {
        break;
      }
      refuseUnsupported(word, rest, lines.numberAt(index));
      existence = word === "new file mode" ? "created" : word === "deleted file mode" ? "deleted" : existence;
      changesMode ||= word === "new mode" || (word === "new file mode" && rest.trim() === "100755");
      renamedFrom = word === "rename from" ? readName(rest) : renamedFrom;
      renamedTo = word === "rename to" ? readName(rest) : renamedTo;
    }
  }
  if (startsUnified(lines.textAt(index), lines.textAt(index + 1)) && lines.textAt(index).startsWith("--- ")) {
    const [old, changed] = [readFileName(lines.textAt(index).slice(4)), readFileName(lines.textAt(index + 1).slice(4))];
    paths = old === undefined || changed === undefined ? undefined : withoutPrefixes({ old, new: changed });
    index += 2;
  }
  if (renamedFrom !== undefined && renamedTo !== undefined) {
    paths = { old: renamedFrom, new: renamedTo };
  }
  if (paths === undefined || (paths.old ?? paths.new ?? "") === "" || paths.new === "") {
    throw new PatchSyntaxError(line, "The path cannot be read.", "Write --- a/path and +++ b/path, one line each.");
  }
  paths = { old: existence === "created" ? null : paths.old, new: existence === "deleted" ? null : paths.new };
  const isRenamed = renamedFrom !== undefined && renamedTo !== undefined;
  if (!isRenamed && paths.old !== null && paths.new !== null && paths.old !== paths.new) {
    throw new PatchSyntaxError(
      line,
      `The two paths differ: ${paths.old} and ${paths.new}.`,
      "Use the same path twice; to rename a file, put rename from and rename to below a diff --git line.",
    );
  }
  return { line, paths, isRenamed, changesMode, next: skipBlank(lines, index) };
}

const GIT_LINE =
  /^(index|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|GIT binary patch|Binary files)(?: (.*))?$/;

function refuseUnsupported(word: string, rest: string, line: number): void {
  if (word === "GIT binary patch" || word === "Binary files") {
    throw new PatchSyntaxError(
      line,
      "This is a patch of a binary file.",
      "Remove the binary file: only text files can be patched.",
    );
  }
  if (word === "copy from" || word === "copy to") {
    throw new PatchSyntaxError(line, "Copying a file is not supported.", "Add the new file with its whole content.");
  }
  if (word.endsWith("mode") && rest.trim() !== "" && !REGULAR_FILE.test(rest.trim())) {
    throw new PatchSyntaxError(
      line,
      "Links and submodules cannot be patched.",
      "Remove the entry: only regular files can be patched.",
    );
  }
}

function readName(text: string): string | undefined {
  return text.trim().startsWith('"') ? readQuoted(text.trim())?.path : text;
}

/** Skips blank lines between the names and the first hunk. */
function skipBlank(lines: PatchLines, from: number): number {
  let index = from;
  while (index < lines.length && lines.textAt(index).trim() === "") {
    index++;
  }
  return startsHunk(lines.textAt(index)) ? index : from;
}
