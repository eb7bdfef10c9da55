import { ToolError, unlessMissing } from "../../../core/errors.js";
import type { Changes, FileChange } from "../../../ports/changes.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import type { ApprovedFiles } from "../approvedFiles.js";
import { openFile } from "../openFile.js";
import type { ReadTools } from "../readTools.js";
import type { NewEntry } from "./form.js";
import { insertEntry } from "./insertEntry.js";

/** Maximum size of a file of tools that is changed, in bytes, as of one that is read. */
const MAX_FILE = 1_000_000;

export interface SaveHost {
  changes: Changes;
  read: (text: string) => ReadTools;
  /** The approvals of the workspace's files; undefined for a file that needs none. */
  approved: ApprovedFiles | undefined;
}

/** An entry that was saved. */
export interface Saved {
  /** As people write it. */
  path: string;
  /** Where it is in the file's text, in UTF-16 code units. */
  offset: number;
  length: number;
  /** Whether the file is approved with it: all else in it was. */
  isApproved: boolean;
}

/**
 * Adds an entry to a file of tools, which it creates if there is none. The person wrote the entry, so it is approved with
 * the file if they had approved all else in it.
 *
 * @throws ToolError if the file cannot be changed, is not valid JSON or has unsaved changes, or the entry would be wrong in
 *   it; then nothing was changed
 */
export async function saveEntry(
  { changes, read, approved }: SaveHost,
  at: GatedPath,
  made: NewEntry,
  signal: AbortSignal,
): Promise<Saved> {
  const { path } = at;
  const before = await unlessMissing(() => changes.before(at, MAX_FILE));
  if (before?.unsaved === true) {
    throw new ToolError("conflict", `${path} has unsaved changes. Nothing was added.`, "Save it, then add the tool.");
  }
  const old = before === undefined || before.text.trim() === "" ? undefined : before.text;
  const had = old === undefined ? undefined : read(old);
  const { text, offset, length } = insertEntry(old, made);
  const now = read(text);
  if (countOf(now) !== (had === undefined ? 0 : countOf(had)) + 1) {
    const [problem] = now.problems.slice(-1);
    const why =
      problem === undefined ? "the new entry is not read from it" : `line ${problem.line}: ${problem.message}`;
    throw new ToolError("conflict", `${path}: ${why} Nothing was added.`, "Correct the file, or the entry.");
  }
  const wasApproved = old === undefined || (await approved?.isApproved(path, old)) === true;
  const change: FileChange =
    before === undefined
      ? { kind: "create", at, content: { text, encoding: "utf8" } }
      : { kind: "replace", at, before, text, saved: true };
  const { files: reports } = await changes.apply([change], signal);
  // Saving may format a file in VS Code.
  const isAsWritten = (reports[0]?.text ?? text) === text;
  if (wasApproved && isAsWritten) {
    await approved?.approve(path, text);
  }
  return { path, offset, length, isApproved: approved === undefined || (wasApproved && isAsWritten) };
}

function countOf({ entries, services }: ReadTools): number {
  return entries.length + services.length;
}

/** Opens a workspace's file of tools, which need not exist. @throws ToolError as `openFile` */
export async function openTarget(files: Files, path: string): Promise<GatedPath> {
  return (await unlessMissing(() => openFile(files, path))) ?? files.resolve(path);
}
