import { ToolError, unlessMissing } from "../../core/errors.js";
import { isKey, NOTE_SUFFIX } from "../../features/memory/key.js";
import { MEMORY_FOLDER } from "../../names/stateFolder.js";
import { MAX_VALUE_BYTES } from "../../features/memory/limits.js";
import { endOfNote, isoTime, parseNote, type MemoryNote } from "../../features/memory/note.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Memory } from "../../ports/memory.js";
import { compareCodeUnits } from "../../text/nearest.js";

/**
 * Maximum bytes of a file that is read as a note: the longest value, plus front matter that may include others' lines.
 * memory_get reads longer files.
 */
const MAX_NOTE_BYTES = MAX_VALUE_BYTES + 10_000;

/** A note's times, as in a result. */
export interface NoteTimes {
  /** ISO 8601; null if the file does not say. */
  created: string | null;
  updated: string | null;
  /** null if it never expires. */
  expires: string | null;
}

/** A note's file. */
export interface NoteFile {
  key: string;
  /** Path in the workspace. */
  path: string;
  /** Bytes on disk. */
  size: number;
}

/** A note with its file's content. */
export interface StoredNote extends MemoryNote {
  snapshot: TextSnapshot;
}

/** Reads a note's file: `Files.readSnapshot` or `Changes.before`. */
export type ReadText = (at: GatedPath, maxBytes: number) => Promise<TextSnapshot>;

/**
 * Reads the note in a file; returns undefined if there is none.
 *
 * @throws ToolError `too_large`, `binary`, `unsupported`, with what to do, and those of `read`
 */
export async function readNote(key: string, at: GatedPath, read: ReadText): Promise<StoredNote | undefined> {
  try {
    const snapshot = await read(at, MAX_NOTE_BYTES);
    return { ...parseNote(snapshot.text), snapshot };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    if (error.type === "not_found") {
      return undefined;
    }
    throw inWordsOfMemory(key, error);
  }
}

/** Returns the files of all notes, sorted by key. Skips links, and files whose name is not a note's. */
export async function listNotes(files: Files): Promise<NoteFile[]> {
  const entries = await listFolder(files);
  return entries
    .flatMap(({ name, kind, link, size }) => {
      const key = name.endsWith(NOTE_SUFFIX) ? name.slice(0, -NOTE_SUFFIX.length).normalize("NFC") : "";
      return kind === "file" && !link && isKey(key) ? [{ key, path: `${MEMORY_FOLDER}/${name}`, size: size ?? 0 }] : [];
    })
    .sort((a, b) => compareCodeUnits(a.key, b.key));
}

/** Whether a note has expired, by its own time or the user's limit. */
export function isOver(note: MemoryNote, memory: Memory): boolean {
  const end = endOfNote(note, memory.limits().days);
  return end !== undefined && end <= memory.now();
}

/** Returns the times at which a note was created and changed, and at which it expires. */
export function noteTimes(note: MemoryNote, memory: Memory): NoteTimes {
  const told = (time: number | undefined): string | null => (time === undefined ? null : isoTime(time));
  return {
    created: told(note.created),
    updated: told(note.updated),
    expires: told(endOfNote(note, memory.limits().days)),
  };
}

async function listFolder(files: Files): ReturnType<Files["list"]> {
  const list = await unlessMissing(async () =>
    files.list(await files.resolve(MEMORY_FOLDER), Number.POSITIVE_INFINITY),
  );
  return list ?? [];
}

/** Rewords the error of reading a note, or of having to read it first, and says what to do. */
function inWordsOfMemory(key: string, error: ToolError): ToolError {
  const hints: Partial<Record<ToolError["type"], string>> = {
    too_large: `Read it in parts: memory_get with path="memory/${key}${NOTE_SUFFIX}".`,
    binary: "Ask the user to check the file: notes are text.",
    must_read: "Read it with memory_read first, then write; or use append=true to keep the existing text.",
    is_directory: "Use another key.",
  };
  return new ToolError(error.type, `memory key "${key}": ${error.message}`, hints[error.type] ?? error.hint);
}
