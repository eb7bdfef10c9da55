import type { FilePatch, Hunk, HunkLine } from "../../../../src/text/patch/filePatch.js";
import { parsePatch } from "../../../../src/text/patch/parsePatch.js";

const MARKS: Record<HunkLine["kind"], string> = { context: " ", remove: "-", add: "+" };

/**
 * What is read of a patch, a line each: files, under them their hunks as `@@ header @3 end | -old | +new`. Its error as
 * `line 3: message`.
 */
export function shownPatch(patch: string): string[] {
  const parsed = parsePatch(patch);
  return parsed.ok
    ? [...parsed.files.flatMap(shownFile), ...parsed.notes.map((note) => `note: ${note}`)]
    : [`line ${parsed.error.line}: ${parsed.error.message}`];
}

function shownFile(file: FilePatch): string[] {
  switch (file.kind) {
    case "add":
      return [`add ${file.path} ${JSON.stringify(file.content)}`];
    case "delete":
      return [`delete ${file.path}`, ...file.hunks.map(shownHunk)];
    case "update":
      return [
        `update ${file.path}${file.moveTo === undefined ? "" : ` -> ${file.moveTo}`}`,
        ...file.hunks.map(shownHunk),
      ];
  }
}

function shownHunk({ headers, oldStart, atEnd, finalNewline, lines }: Hunk): string {
  const start = [
    ...headers.map((header) => `@@ ${header}`),
    ...(oldStart === undefined ? [] : [`@${oldStart}`]),
    ...(atEnd === "no" ? [] : [`end ${atEnd}`]),
    ...(finalNewline === undefined ? [] : [finalNewline ? "ended" : "unended"]),
  ];
  const body = lines.map(({ kind, text, isBare }) => `${isBare ? "" : MARKS[kind]}${text}`);
  return [start.join(" "), ...body].join("|");
}
