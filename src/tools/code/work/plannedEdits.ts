// Changes that language servers work out, as planned changes of files.
import { ToolError } from "../../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../../core/largestFile.js";
import { resolveFrom } from "../../../core/paths/resolveFrom.js";
import type { Changes, ChangeOutcome, FileChange } from "../../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../../ports/files.js";
import type { FileEdits, TextEdit } from "../../../ports/languageServers.js";
import { diffStat, fileDiff } from "../../../text/diff/fileDiff.js";
import { detectEol, withEol } from "../../../text/eol.js";
import { shownName } from "../../../text/shownName.js";
import { TextPlaces } from "../../../text/textPlaces.js";
import { callRemarks, fileRemarks } from "../../fs/changeRemarks.js";
import { withChangeHint } from "../../fs/existing.js";
import { showDiffs } from "../../fs/shownDiffs.js";

/** Maximum number of files that one call changes. */
const MAX_FILES = 1_000;

/** A file with its new text. */
export interface EditedFile {
  at: GatedPath;
  before: TextSnapshot;
  after: string;
  places: number;
}

/** Returns the files that a call of a tool changes, as permission decides on them. */
export function writesOf(edits: readonly FileEdits[]): { kind: "write"; path: string }[] {
  return edits
    .filter((each) => each.edits.length > 0)
    .map(({ path }) => ({ kind: "write", path: path.startsWith("/") ? path : `./${path}` }));
}

/**
 * Works out the new text of each file.
 *
 * @throws ToolError `stale` where the text is not the one that the server knows, `too_large` for too many files, and
 *   those of `Changes.beforeParts`
 */
export async function planFileEdits(
  edits: readonly FileEdits[],
  { files, changes, signal }: { files: Files; changes: Changes; signal: AbortSignal },
  expected?: string,
): Promise<EditedFile[]> {
  const all = edits.filter((each) => each.edits.length > 0);
  if (all.length > MAX_FILES) {
    throw new ToolError(
      "too_large",
      `It would change ${all.length} files; at most ${MAX_FILES} are changed by one call. Nothing was changed.`,
    );
  }
  const top = await files.resolve(".");
  const planned: EditedFile[] = [];
  for (const { path, edits: changesOfFile } of all) {
    signal.throwIfAborted();
    // The path that permission decided on is the one in `writesOf`.
    const at = path.startsWith("/") ? await files.resolve(path) : await resolveFrom(files, top, path);
    const { before } = await withChangeHint(changes.beforeParts(at, LARGEST_CHANGED_FILE));
    const after = applyTextEdits(before.text, changesOfFile, shownName(path), expected);
    if (after !== before.text) {
      planned.push({ at, before, after, places: changesOfFile.length });
    }
  }
  return planned;
}

/**
 * Applies edits to a text; line endings become the text's.
 *
 * @param expected what is replaced in every place, if that is known
 *
 * @throws ToolError `stale` if a place is not in the text, or has something else
 */
function applyTextEdits(text: string, edits: readonly TextEdit[], name: string, expected?: string): string {
  const places = new TextPlaces(text);
  const eol = detectEol(text);
  const stale = (): ToolError =>
    new ToolError(
      "stale",
      `${name}: the language server does not know its current text. Nothing was changed.`,
      "Call again in a few seconds.",
    );
  const ordered = edits
    .map(({ range: { start, end }, text: replacement }, index) => {
      const [from, to] = [places.offset(start), places.offset(end)];
      if (from === undefined || to === undefined || to < from) {
        throw stale();
      }
      return { from, to, replacement: withEol(replacement, eol), index };
    })
    .sort((a, b) => a.from - b.from || a.to - b.to || a.index - b.index);
  let after = "";
  let at = 0;
  for (const { from, to, replacement } of ordered) {
    const old = text.slice(from, to);
    if (from < at || (expected !== undefined && old !== "" && !old.includes(expected))) {
      throw stale();
    }
    after += text.slice(at, from) + replacement;
    at = to;
  }
  return after + text.slice(at);
}

/** Shows planned changes to a person. */
export function shownEdits(planned: readonly EditedFile[]): string {
  return showDiffs(
    planned.map(({ at, before, after }) => ({ at, kind: "changed", diff: fileDiff(at.path, before.text, after) })),
  );
}

export function changesOf(planned: readonly EditedFile[]): FileChange[] {
  return planned.map(({ at, before, after }) => ({ kind: "replace", at, before, text: after, parts: true }));
}

/** Describes changes that were made: a line for each file, and what came of them. */
export function describeEdits(planned: readonly EditedFile[], outcome: ChangeOutcome): string[] {
  const lines = planned.flatMap(({ at, before, after }, index) => {
    const report = outcome.files[index];
    const { added, removed } = diffStat(fileDiff(at.path, before.text, after));
    const remarks = report === undefined ? [] : fileRemarks(at.path, before.text, after, report);
    return [`- ${shownName(at.path)} (+${added} −${removed})`, ...remarks.map((remark) => `  ${remark}`)];
  });
  return [...lines, ...callRemarks(outcome)];
}
