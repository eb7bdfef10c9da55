import { ToolError } from "../../core/errors.js";
import { checkKey, notePath } from "../../features/memory/key.js";
import { checkRoom } from "../../features/memory/limits.js";
import { DAY, formatNote } from "../../features/memory/note.js";
import type { ChangeOutcome, Changes, FileChange } from "../../ports/changes.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Memory } from "../../ports/memory.js";
import { utf8Length } from "../../text/page.js";
import { isOver, listNotes, readNote, type NoteFile, type StoredNote } from "./notes.js";

/**
 * How often to plan a note again while others keep writing it. Each retry means that another write succeeded, so this
 * many concurrent writers all get through.
 */
const MAX_TRIES = 50;

/** A note to be stored. */
export interface NoteRequest {
  key: string;
  value: string;
  append?: boolean | undefined;
  ttl_days?: number | undefined;
}

/** A note that is planned but not written. */
export interface NotePlan {
  at: GatedPath;
  key: string;
  /** The file's existing text; undefined for a new file. */
  before: TextSnapshot | undefined;
  /** The whole file. */
  after: string;
  /** The whole value. */
  value: string;
  did: "new" | "replaced" | "appended";
}

export interface NoteContext {
  files: Files;
  changes: Changes;
  memory: Memory;
  signal: AbortSignal;
}

/**
 * Plans a note's new file. An existing note keeps its creation time and any front matter lines that are not ours.
 *
 * @throws ToolError `invalid_input`, `too_large` with the limit, `conflict` for a key that differs only in case, and
 * those of `Changes.before` when replacing
 */
export async function planNote({ files, changes, memory }: NoteContext, request: NoteRequest): Promise<NotePlan> {
  const key = checkKey(request.key);
  checkValue(key, request.value);
  const at = await files.resolve(notePath(request.key));
  const append = request.append === true;
  // Appending keeps the existing value, so it need not have been read.
  const found = await readNote(key, at, (place, maxBytes) =>
    append ? files.readSnapshot(place, maxBytes) : changes.before(place, maxBytes),
  );
  const note = found === undefined || isOver(found, memory) ? undefined : found;
  const value = append && note !== undefined ? joined(note.value, request.value) : request.value;
  const after = formatNote({ value, ...timesOf(note, request, memory.now()), others: found?.others ?? [] });
  const notes = await listNotes(files);
  const others = notes.filter((other) => other.key !== key);
  // Where names have no case, the other note's file was found: only the list has its own name.
  checkOthers(key, found !== undefined && others.length < notes.length, others);
  checkRoom(memory.limits(), {
    key,
    valueBytes: utf8Length(value),
    fileBytes: utf8Length(after),
    otherKeys: others.length,
    otherBytes: others.reduce((sum, { size }) => sum + size, 0),
    isNew: found === undefined,
  });
  return {
    at,
    key,
    before: found?.snapshot,
    after,
    value,
    did: note === undefined ? "new" : append ? "appended" : "replaced",
  };
}

/**
 * Writes a note. If nobody was shown the plan and another writer (such as another window) changed the note in between,
 * plans it again.
 *
 * @throws ToolError those of `planNote` and `Changes.apply`
 */
export async function writeNote(
  context: NoteContext,
  request: NoteRequest,
  shown: NotePlan | undefined,
): Promise<{ plan: NotePlan; outcome: ChangeOutcome }> {
  for (let left = MAX_TRIES - 1; ; left--) {
    let plan = shown;
    try {
      plan ??= await planNote(context, request);
      return { plan, outcome: await context.changes.apply([changeOf(plan)], context.signal) };
    } catch (error) {
      // When appending, retry even if the note changed while it was read. When replacing, the note must be as the
      // session knows it, so an error from planning is final.
      const isAgain = plan !== undefined || request.append === true;
      if (shown !== undefined || left === 0 || !isAgain || !isOvertaken(error)) {
        throw error;
      }
    }
  }
}

/** Whether another writer changed, created or deleted the file in between. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof ToolError && ["stale", "path_conflict", "not_found"].includes(error.type);
}

function changeOf({ at, before, after }: NotePlan): FileChange {
  return before === undefined
    ? { kind: "create", at, content: { text: after } }
    : { kind: "replace", at, before, text: after };
}

function timesOf(
  note: StoredNote | undefined,
  { ttl_days, append }: NoteRequest,
  now: number,
): Pick<StoredNote, "created" | "updated" | "expires"> {
  const kept = append === true ? note?.expires : undefined;
  return {
    created: note === undefined ? now : note.created,
    updated: now,
    expires: ttl_days === undefined ? kept : now + ttl_days * DAY,
  };
}

/** Appends a text on its own lines. */
function joined(before: string, added: string): string {
  return before === "" || before.endsWith("\n") ? before + added : `${before}\n${added}`;
}

function checkValue(key: string, value: string): void {
  // JSON can express an unpaired surrogate, which no file can hold.
  const problem = /\p{Surrogate}/u.test(value)
    ? "an unpaired surrogate"
    : value.includes("\0")
      ? "a NUL character, so the file would be binary"
      : undefined;
  if (problem !== undefined) {
    throw new ToolError(
      "invalid_input",
      `memory key "${key}": the value contains ${problem}. Nothing was stored.`,
      "Remove it, or write it in plain characters.",
    );
  }
}

/**
 * Refuses a key that differs from another only in case: on a case-insensitive file system one note would overwrite the
 * other.
 */
function checkOthers(key: string, exists: boolean, others: readonly NoteFile[]): void {
  const alike = others.find((other) => other.key.toLowerCase() === key.toLowerCase());
  if (alike !== undefined && !exists) {
    throw new ToolError(
      "conflict",
      `memory key "${key}": "${alike.key}" exists and differs only in case. Nothing was stored.`,
      `Use "${alike.key}", or another name.`,
    );
  }
}
