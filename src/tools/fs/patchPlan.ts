import { ToolError, unlessMissing } from "../../core/errors.js";
import { fileKey } from "../../core/paths/fileKey.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import { baseName, joinPath, parentPath, sameName } from "../../core/paths/pathShape.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Changes, FileChange, Snapshot } from "../../ports/changes.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { ImportUpdate } from "../../ports/imports.js";
import { diffStat, fileDiff } from "../../text/diff/fileDiff.js";
import { applyUpdate, type AppliedHunks } from "../../text/patch/applyHunks.js";
import { describeHunkError } from "../../text/patch/describeHunkError.js";
import type { AddFile, DeleteFile, FilePatch, UpdateFile } from "../../text/patch/filePatch.js";
import { parsePatch } from "../../text/patch/parsePatch.js";
import { shownName } from "../../text/shownName.js";
import { newContent, withoutMark } from "./byteOrderMark.js";
import { statFile, withChangeHint } from "./existing.js";
import { joinFailures } from "./joinFailures.js";
import { orStale } from "./knownPlaces.js";
import type { ShownFile } from "./shownDiffs.js";
import { count } from "../../text/words.js";

/** Maximum characters of a patch: many times what any model writes. */
const MAX_PATCH = 10_000_000;
/** Maximum number of failures reported per patch: the first ones show what is wrong with the rest. */
const MAX_FAILURES = 10;

/** One file of a patch, with the change planned for its current content. */
export interface PatchedFile {
  action: "added" | "updated" | "moved" | "deleted";
  at: GatedPath;
  /** Where it is moved. */
  to: GatedPath | undefined;
  before: Snapshot | undefined;
  /** Its new text; undefined if it is deleted, or moved and not a text file. */
  after: string | undefined;
  ranges: { start: number; end: number }[];
  added: number;
  removed: number;
  /** How each hunk matched that does not occur in the file exactly as written. */
  notes: string[];
  /** Set for a new file whose text begins with a byte order mark. */
  encoding?: string;
  /** Whether its imports of moved files were updated as well. */
  imports?: true;
  /** Set if the patch does not name the file: this update is its only change. */
  importsOnly?: ImportUpdate;
}

type Hunks = Pick<UpdateFile, "hunks" | "gluedHunks">;

/** The lines of the file that each hunk quotes. */
type Quoted = Extract<AppliedHunks, { ok: true }>["quoted"];

/** A file's content before and after an update; `text` is undefined if it is not text. */
interface Updated extends Pick<PatchedFile, "ranges" | "notes"> {
  before: Snapshot;
  text: string | undefined;
}

export interface PatchPlan {
  files: PatchedFile[];
  /** Requests in the patch that will not be carried out. */
  notes: string[];
}

/**
 * Reads a patch.
 *
 * @throws ToolError `invalid_input` with the patch's line, `too_large`
 */
export function readPatch(patch: string): { files: readonly FilePatch[]; notes: readonly string[] } {
  if (patch.length > MAX_PATCH) {
    throw new ToolError(
      "too_large",
      `The patch has ${patch.length} characters; at most ${MAX_PATCH} are allowed.`,
      "Split it into several patches.",
    );
  }
  // JSON can express an unpaired surrogate, which no file can hold.
  if (/\p{Surrogate}/u.test(patch) || patch.includes("\0")) {
    throw new ToolError(
      "invalid_input",
      "The patch contains an unpaired surrogate or a NUL character, which no text file can hold. Nothing was changed.",
    );
  }
  const parsed = parsePatch(patch);
  if (!parsed.ok) {
    throw new ToolError(
      "invalid_input",
      `Patch line ${parsed.error.line}: ${parsed.error.message} Nothing was changed.`,
      parsed.error.hint,
    );
  }
  return parsed;
}

/**
 * Plans the change of every file.
 *
 * @throws ToolError one error that names every problem; then nothing was changed
 */
export async function planPatch(
  { files: patches, notes }: ReturnType<typeof readPatch>,
  files: Files,
  changes: Changes,
): Promise<PatchPlan> {
  const planned: PatchedFile[] = [];
  const failures: ToolError[] = [];
  for (const patch of patches) {
    // Anything of a file that an error shows counts as read, so don't collect failures that won't be reported.
    if (failures.length === MAX_FAILURES) {
      break;
    }
    try {
      planned.push(await planFile(patch, files, changes));
    } catch (error) {
      if (!(error instanceof ToolError)) {
        throw error;
      }
      failures.push(error);
    }
  }
  const twice = failures.length === 0 ? namedTwice(planned) : undefined;
  if (twice !== undefined) {
    throw twice;
  }
  if (failures.length > 0) {
    const unchecked = patches.length - planned.length - failures.length;
    throw joinFailures(
      failures,
      `${failures.length} files of the patch cannot be changed`,
      unchecked > 0 ? [`${unchecked} more file${unchecked === 1 ? " was" : "s were"} not checked.`] : [],
    );
  }
  return { files: planned, notes: [...notes] };
}

/** Returns the change to request from the host. */
export function changeOf({ action, at, to, before, after, encoding }: PatchedFile): FileChange {
  if (action === "added" || before === undefined) {
    return { kind: "create", at, content: { text: after ?? "", ...(encoding === undefined ? {} : { encoding }) } };
  }
  if (action === "deleted") {
    return { kind: "delete", at, before };
  }
  if (to !== undefined) {
    const isChanged = after !== undefined && "text" in before && after !== before.text;
    return { kind: "move", at, to, before, parts: true, ...(isChanged ? { text: after } : {}) };
  }
  if (!("text" in before)) {
    throw new Error(`${at.path}: only a text file can get new text`);
  }
  return { kind: "replace", at, before, text: after ?? before.text, parts: true };
}

/** Returns the file as shown to a person. */
export function shownOf(file: PatchedFile): ShownFile {
  const { at, to, action } = file;
  const kind = action === "added" ? "new" : action === "deleted" ? "deleted" : "changed";
  return { at: to ?? at, from: to === undefined ? undefined : at, kind, diff: diffOf(file) };
}

function diffOf({ at, to, before, after, action }: PatchedFile): string {
  if (before !== undefined && "bytes" in before) {
    return action === "deleted"
      ? `deleted ${shownName(at.path)} (${count(before.bytes.length, "byte")}, binary)`
      : `rename from ${shownName(at.path)}\nrename to ${shownName(to?.path ?? "")}`;
  }
  return fileDiff({ from: at.path, to: (to ?? at).path }, before?.text, after);
}

function planFile(patch: FilePatch, files: Files, changes: Changes): Promise<PatchedFile> {
  switch (patch.kind) {
    case "add":
      return planAdd(patch, files);
    case "delete":
      return planDelete(patch, files, changes);
    case "update":
      return planUpdate(patch, files, changes);
  }
}

async function planAdd({ path, content }: AddFile, files: Files): Promise<PatchedFile> {
  const at = await files.resolve(path);
  await refuseTaken(
    files,
    at,
    "Update the parts that change, replace it with write, or add the file under another name.",
  );
  const { text, encoding } = newContent(content);
  return {
    action: "added",
    at,
    to: undefined,
    before: undefined,
    after: text,
    ...(encoding === undefined ? {} : { encoding }),
    ranges: [],
    notes: [],
    ...diffStat(fileDiff(at.path, undefined, text)),
  };
}

async function planDelete({ path, hunks }: DeleteFile, files: Files, changes: Changes): Promise<PatchedFile> {
  const at = await files.resolve(path);
  await statFile(files, at);
  await refuseLink(files, at);
  const before = await withChangeHint(changes.beforeWhole(at, LARGEST_CHANGED_FILE));
  if (hunks.length > 0 && applied(at, before, { hunks }).text !== "") {
    throw new ToolError(
      "no_match",
      `${shownName(at.path)}: the patch deletes it, but it has more lines than the patch removes. Nothing was changed.`,
      "Read it again, or delete it with *** Delete File.",
    );
  }
  const removed = "text" in before ? diffStat(fileDiff(at.path, before.text, undefined)).removed : 0;
  return { action: "deleted", at, to: undefined, before, after: undefined, ranges: [], added: 0, removed, notes: [] };
}

async function planUpdate(
  { path, moveTo, hunks, ...others }: UpdateFile,
  files: Files,
  changes: Changes,
): Promise<PatchedFile> {
  const at = await files.resolve(path);
  await statFile(files, at);
  const to = moveTo === undefined ? undefined : await files.resolve(moveTo);
  if (to !== undefined && fileKey(to) !== fileKey(at)) {
    await refuseTaken(files, to, "Move it elsewhere, or delete the other file first.");
  }
  if (to !== undefined && to.absolute !== at.absolute) {
    await refuseLink(files, at);
  }
  const {
    before,
    text: after,
    ranges,
    notes,
  } = hunks.length === 0 ? await kept(at, changes) : await patched(at, { hunks, ...others }, changes);
  const isMove = to !== undefined && to.absolute !== at.absolute;
  if (!isMove && "text" in before && after === before.text) {
    throw new ToolError(
      "invalid_input",
      `${shownName(at.path)}: the patch does not change it. Nothing was changed.`,
      "Give lines to remove (-) or add (+).",
    );
  }
  const stat =
    "text" in before && after !== undefined
      ? diffStat(fileDiff(at.path, before.text, after))
      : { added: 0, removed: 0 };
  return {
    action: isMove ? "moved" : "updated",
    at,
    to: isMove ? to : undefined,
    before,
    after,
    ranges,
    notes,
    ...stat,
  };
}

/** Plans to keep a file's content. A move loses nothing, so the session need not have read the file. */
async function kept(at: GatedPath, changes: Changes): Promise<Updated> {
  let parts;
  try {
    parts = await withChangeHint(changes.beforeParts(at, LARGEST_CHANGED_FILE));
  } catch (error) {
    if (!(error instanceof ToolError) || !["binary", "unsupported"].includes(error.type)) {
      throw error;
    }
    const before = await withChangeHint(changes.beforeWhole(at, LARGEST_CHANGED_FILE));
    return { before, text: undefined, ranges: [], notes: [] };
  }
  const since = parts.check([]);
  return { before: parts.before, text: parts.before.text, ranges: [], notes: since === undefined ? [] : [since] };
}

/** @throws ToolError those of `applied`; `must_read` or `stale` if the session does not know the lines it changes */
async function patched(at: GatedPath, update: Hunks, changes: Changes): Promise<Updated> {
  const parts = await withChangeHint(changes.beforeParts(at, LARGEST_CHANGED_FILE));
  const { quoted, ...result } = orStale(parts, () => applied(at, parts.before, update));
  const since = parts.check(
    quoted.map(({ start, end, isExact }) => ({ startLine: start, endLine: end, quoted: isExact })),
  );
  return { before: parts.before, ...result, notes: [...result.notes, ...(since === undefined ? [] : [since])] };
}

function applied(
  at: GatedPath,
  before: Snapshot,
  update: Hunks,
): { text: string; ranges: PatchedFile["ranges"]; quoted: Quoted; notes: string[] } {
  if (!("text" in before)) {
    throw new ToolError(
      "binary",
      `${shownName(at.path)} is not a text file, so no hunk can be applied. Nothing was changed.`,
    );
  }
  const result = applyUpdate(before.text, update);
  if (result.ok) {
    return {
      text: withoutMark(before.text, result.text),
      ranges: result.ranges,
      quoted: result.quoted,
      notes: result.notes.map(({ hunk, message }) => `Hunk ${hunk}: ${message}.`),
    };
  }
  const told = result.errors.map(describeHunkError);
  const types = result.errors.map(({ type }) => type);
  const type = types.every((each) => each === "not_unique")
    ? "not_unique"
    : types.includes("too_complex")
      ? "too_large"
      : types.includes("overlap")
        ? "invalid_input"
        : "no_match";
  throw new ToolError(
    type,
    `${shownName(at.path)}: ${told.map(({ message }) => message).join(`\n${shownName(at.path)}: `)} Nothing was changed.`,
    [...new Set(told.map(({ hint }) => hint))].join(" "),
  );
}

/** Refuses a link: its target would be moved or deleted instead, and leave the link dangling. */
async function refuseLink(files: Files, at: GatedPath): Promise<void> {
  if (at.lexical === at.absolute) {
    return;
  }
  const parent = await resolveFrom(files, at, parentPath(at.path));
  if (sameName(joinPath(parent.absolute, baseName(at.lexical)), at.absolute)) {
    return;
  }
  throw new ToolError(
    "unsupported",
    `${shownName(at.path)} is a link to ${shownName(at.realPath)}. Nothing was changed.`,
    `Name ${shownName(at.realPath)} itself. To delete or move a link, use a command.`,
  );
}

async function refuseTaken(files: Files, at: GatedPath, hint: string): Promise<void> {
  const there = await unlessMissing(() => files.stat(at));
  if (there !== undefined) {
    throw new ToolError("path_conflict", `${shownName(at.path)} already exists. Nothing was changed.`, hint);
  }
}

/** Finds a file that two sections name by different paths: the result would depend on their order. */
function namedTwice(planned: readonly PatchedFile[]): ToolError | undefined {
  const seen = new Map<string, string>();
  for (const { at, to } of planned) {
    for (const place of to === undefined ? [at] : [at, to]) {
      const other = seen.get(fileKey(place));
      if (other !== undefined) {
        return new ToolError(
          "invalid_input",
          `${other} and ${place.path} are the same file, which the patch changes twice. Nothing was changed.`,
          "Put all changes to a file into one section.",
        );
      }
      seen.set(fileKey(place), place.path);
    }
  }
  return undefined;
}
