import type { ActivityLog } from "../../core/pipeline/activity.js";
import type { ChangeKeeper } from "../../features/changes/changes.js";
import { ToolError, unlessMissing } from "../../core/errors.js";
import { inWorkspace, memoryPath } from "../../features/memory/path.js";
import { newId } from "../../core/pipeline/pipeline.js";
import type { FileChange } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import { oneLine } from "../../text/clip.js";

export interface RememberHost {
  files: Files;
  changes: ChangeKeeper;
  activity: ActivityLog;
  isTrusted(): boolean;
  hasMemory(): boolean;
  /** In milliseconds since the epoch. */
  now(): number;
}

/** A saved note. */
export interface Remembered {
  path: string;
  /** 1-based. */
  line: number;
  /** The line in the file. */
  text: string;
}

const NOTES = inWorkspace(memoryPath("MEMORY.md"));
const HEADING = "# Memory";
/** Maximum characters of a note: a longer text belongs in a file. */
const MAX_NOTE = 2_000;
/** Maximum bytes of the file: agents only get its beginning. */
const MAX_FILE = 1_000_000;

/**
 * Adds a dated line to the memory page, which every session reads. Like a tool's change it is journaled and can be
 * undone, as a separate turn.
 *
 * @throws ToolError that says why nothing was saved
 */
export async function remember(
  host: RememberHost,
  words: string,
  place: { session: string; turn: string },
  signal: AbortSignal,
): Promise<Remembered> {
  const note = oneLine(words);
  check(host, note);
  const { session, turn } = place;
  const started = host.now();
  const callId = newId();
  const at = await host.files.resolve(NOTES);
  const { changes } = host.changes.forCall(
    { session, turn, callId, tool: "remember", door: "chat", summary: "Remember a note", reads: "free" },
    host.files,
  );
  const before = await unlessMissing(() => changes.before(at, MAX_FILE));
  const { text, line, written } = appended(before?.text, `- ${dayOf(started)}: ${note}`);
  const change: FileChange =
    before === undefined ? { kind: "create", at, content: { text } } : { kind: "replace", at, before, text };
  await changes.apply([change], signal);
  host.activity.record({
    callId,
    parentId: turn,
    session,
    door: "chat",
    tool: "remember",
    input: {},
    started,
    duration: host.now() - started,
    outcome: "ok",
    bytes: 0,
  });
  return { path: at.path, line, text: written };
}

/** Appends a line to a page. @param page undefined for a new one */
export function appended(page: string | undefined, line: string): { text: string; line: number; written: string } {
  const eol = page?.includes("\r\n") === true ? "\r\n" : "\n";
  const before =
    page === undefined || page.trim() === "" ? `${HEADING}${eol}${eol}` : page.endsWith("\n") ? page : `${page}${eol}`;
  return { text: `${before}${line}${eol}`, line: before.split("\n").length, written: line };
}

function check(host: RememberHost, note: string): void {
  if (!host.isTrusted()) {
    throw new ToolError(
      "untrusted",
      "Nothing was noted: in Restricted Mode Toolhost changes no files.",
      "Trust the workspace first (command “Workspaces: Manage Workspace Trust”).",
    );
  }
  if (!host.hasMemory()) {
    throw new ToolError(
      "unavailable",
      "Nothing was noted: the memory is turned off.",
      "The setting toolhost.memory.enabled turns it on.",
    );
  }
  if (host.files.roots().every(({ beside }) => beside === true)) {
    throw new ToolError(
      "unavailable",
      "Nothing was noted: no folder is open, and the memory is a file in a folder.",
      "Open a folder first.",
    );
  }
  if (note.length > MAX_NOTE) {
    throw new ToolError(
      "too_large",
      `Nothing was noted: the note has ${note.length} characters; the limit is ${MAX_NOTE}.`,
      `Write it to a file and remember its path, or edit ${NOTES} by hand.`,
    );
  }
}

/** Formats a day in local time: `2026-03-14`. */
function dayOf(at: number): string {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((number) => String(number).padStart(2, "0"))
    .join("-");
}
