import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Changes } from "../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import { unifiedDiff } from "../../text/diff.js";
import { detectEol, withEol } from "../../text/eol.js";
import { findOccurrences, replaceAt, type Occurrence } from "../../text/replace.js";
import { callRemarks, fileRemarks } from "./changeRemarks.js";
import { statFile } from "./existing.js";

/** Past this a file is data, not source; an edit holds it whole in memory several times. */
const MAX_FILE_BYTES = 20_000_000;
/** Places replaced in one call. More than these, and it is a letter that is replaced, not a text. */
const MAX_PLACES = 100_000;
/** Line numbers named in an error. */
const MAX_LINES_NAMED = 20;

interface EditInput {
  path: string;
  old_text: string;
  new_text: string;
  replace_all?: boolean | undefined;
  expected_count?: number | undefined;
}

/** An edit worked out but not done. */
interface EditPlan {
  at: GatedPath;
  before: TextSnapshot;
  after: string;
  occurrences: Occurrence[];
}

export const edit = defineTool({
  name: "edit",
  group: "fs",
  title: "Edit file",
  description:
    `Replace an exact text in a file. old_text must stand in the file exactly once (blanks and indentation count); ` +
    `add surrounding lines until it does, or set replace_all. Line endings need no care. ` +
    `Copy old_text from read without the line numbers. Nothing is changed when the text is missing or not unique.`,
  input: z.object({
    path: z.string().describe("File to edit, relative to the workspace."),
    old_text: z.string().min(1).describe("Text to replace, exactly as it stands in the file."),
    new_text: z.string().describe("Text to put in its place; empty to delete."),
    replace_all: z.boolean().optional().describe("Replace every occurrence instead of exactly one. Default false."),
    expected_count: z.int().min(1).optional().describe("With replace_all: fail unless there are exactly this many occurrences."),
  }),
  aliases: {
    filePath: "path",
    file_path: "path",
    oldString: "old_text",
    old_string: "old_text",
    newString: "new_text",
    new_string: "new_text",
    replaceAll: "replace_all",
  },
  output: z.object({
    path: z.string(),
    replacements: z.int(),
    start_line: z.int().describe("1-based line of the first replacement."),
    saved: z.boolean().describe("false when the editor held unsaved text, which stays unsaved."),
  }),
  needs: ["files", "changes"],
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  positional: ["path"],
  touches: ({ path }) => [{ kind: "write", path }],
  summary: ({ path }) => `Editing ${path}`,
  preview: async (input, { files, changes }) => {
    const plan = await planEdit(input, files, changes);
    return { language: "diff", text: unifiedDiff(plan.before.text, plan.after), plan };
  },
  expose: "default",
  execute: async (input, { files, changes, signal }, shown: EditPlan | undefined) => {
    // What was shown is what is written, or the host finds that the file is no longer the one shown.
    const { at, before, after, occurrences } = shown ?? (await planEdit(input, files, changes));
    const outcome = await changes.apply([{ kind: "replace", at, before, text: after }], signal);
    const report = outcome.files[0] ?? { saved: true, text: after, foldersMade: 0 };
    const startLine = occurrences[0]?.line ?? 1;
    const remarks = [...fileRemarks(after, report), ...callRemarks(outcome)];
    return {
      text: [`Edited ${at.path}: ${describePlaces(occurrences)}.`, ...remarks].join("\n"),
      data: { path: at.path, replacements: occurrences.length, start_line: startLine, saved: report.saved },
    };
  },
});

async function planEdit(input: EditInput, files: Files, changes: Changes): Promise<EditPlan> {
  const at = await files.resolve(input.path);
  await statFile(files, at);
  checkCharacters(at, input);
  const before = await changes.before(at, MAX_FILE_BYTES);
  // A model sees lines, not line endings: in a file that ends all its lines alike, its text takes that ending.
  const eol = detectEol(before.text);
  const oldText = withEol(input.old_text, eol);
  const newText = withEol(input.new_text, eol);
  if (oldText === newText) {
    throw new ToolError("invalid_input", `${at.path}: old_text and new_text are the same, so there is nothing to change.`);
  }
  const occurrences = findOccurrences(before.text, oldText, MAX_PLACES + 1);
  if (occurrences.length === 0) {
    throw notFound(at, eol === "mixed" && /[\r\n]/.test(oldText));
  }
  checkCount(at, input, occurrences);
  return { at, before, after: replaceAt(before.text, occurrences, oldText.length, newText), occurrences };
}

/** JSON can spell half a character, and half of one in the file would match it. */
function checkCharacters(at: GatedPath, input: EditInput): void {
  for (const field of ["old_text", "new_text"] as const) {
    if (/\p{Surrogate}/u.test(input[field])) {
      throw new ToolError("invalid_input", `${at.path}: ${field} holds half a surrogate pair, which is no character. Nothing was changed.`);
    }
  }
}

function notFound(at: GatedPath, lineEndsMayDiffer: boolean): ToolError {
  return new ToolError(
    "no_match",
    `${at.path}: old_text was not found. Nothing was changed.`,
    lineEndsMayDiffer
      ? "The file ends its lines in different ways, which reading does not show: edit it a line at a time."
      : "Read the file and copy the text exactly, indentation included, without the line numbers.",
  );
}

function checkCount(at: GatedPath, input: EditInput, occurrences: readonly Occurrence[]): void {
  if (occurrences.length > MAX_PLACES) {
    throw new ToolError(
      "too_large",
      `${at.path}: old_text matches more than ${MAX_PLACES} places. Nothing was changed.`,
      "Give a longer old_text.",
    );
  }
  if (occurrences.length > 1 && input.replace_all !== true) {
    throw new ToolError(
      "not_unique",
      `${at.path}: old_text matches ${occurrences.length} places (${namedLines(occurrences)}). Nothing was changed.`,
      "Add surrounding lines to old_text so that it matches one place, or set replace_all.",
    );
  }
  if (input.expected_count !== undefined && input.expected_count !== occurrences.length) {
    throw new ToolError(
      "not_unique",
      `${at.path}: old_text matches ${occurrences.length} place${occurrences.length === 1 ? "" : "s"} (${namedLines(occurrences)}), not the expected ${input.expected_count}. Nothing was changed.`,
      "Look at these places, then correct old_text or expected_count.",
    );
  }
}

function describePlaces(occurrences: readonly Occurrence[]): string {
  return occurrences.length === 1
    ? `1 replacement at ${namedLines(occurrences)}`
    : `${occurrences.length} replacements (${namedLines(occurrences)})`;
}

/** The lines of the places, each line once. */
function namedLines(occurrences: readonly Occurrence[]): string {
  const all = [...new Set(occurrences.map(({ line }) => line))];
  const lines = all.slice(0, MAX_LINES_NAMED);
  const rest = all.length - lines.length;
  return `line${all.length === 1 ? "" : "s"} ${lines.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
