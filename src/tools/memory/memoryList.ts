import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { MEMORY_FOLDER } from "../../names/stateFolder.js";
import type { Files } from "../../ports/files.js";
import { oneLine, shorten } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import { isOver, listNotes, noteTimes, readNote, type NoteFile, type NoteTimes, type StoredNote } from "./notes.js";
import { withoutName } from "../../text/withoutName.js";
import { count } from "../../text/words.js";

/** Maximum number of keys per answer. By default this is also memory_write's limit, so only people create more. */
const MAX_KEYS = 1_000;
/** Maximum characters of the lines for a model, the size of a page of read. */
const MAX_TEXT = 50_000;
/** Maximum characters of the reason why a note cannot be read. */
const MAX_REASON = 150;
/** Files read in parallel: enough to keep a disk busy, and fewer than any system's limit of open files. */
const READERS = 32;

interface Row extends NoteTimes {
  key: string;
  /** Size of the value in UTF-8, or of the file if it cannot be read as a note. */
  bytes: number;
  /** Why it cannot be read as a note. */
  unreadable?: string;
}

export const memoryList = defineTool({
  name: "memory_list",
  group: "memory",
  title: "List memory",
  description: `List the keys of memory notes with their size and time of last change, at most ${MAX_KEYS}. Expired notes are omitted, unreadable ones are marked.`,
  input: () => z.object({}),
  output: () =>
    z.object({
      keys: z.array(
        z.object({
          key: z.string(),
          bytes: z.int(),
          created: z.string().nullable(),
          updated: z.string().nullable(),
          expires: z.string().nullable(),
          unreadable: z.string().optional().describe("Why the note cannot be read."),
        }),
      ),
      expired: z.int().describe("Expired notes."),
      omitted: z.int().describe(`Notes beyond the first ${MAX_KEYS}.`),
    }),
  needs: ["files", "memory"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  touches: () => [{ kind: "read", path: MEMORY_FOLDER, deep: true }],
  summary: () => "List memory keys",
  execute: async (_input, { files, memory, signal }) => {
    const found = await listNotes(files);
    const listed = found.slice(0, MAX_KEYS);
    const notes = await inTurn(listed, (file) => noteOf(files, file), signal);
    const rows = listed.flatMap((file, index): Row[] => {
      const note = notes[index];
      if (note instanceof ToolError) {
        return [
          {
            key: file.key,
            bytes: file.size,
            created: null,
            updated: null,
            expires: null,
            unreadable: reasonOf(note, file),
          },
        ];
      }
      return note === undefined || isOver(note, memory)
        ? []
        : [{ key: file.key, bytes: utf8Length(note.value), ...noteTimes(note, memory) }];
    });
    const expired = notes.filter(
      (note) => note !== undefined && !(note instanceof ToolError) && isOver(note, memory),
    ).length;
    const data = { keys: rows, expired, omitted: found.length - listed.length };
    return { text: describeRows(data), data };
  },
});

/** Returns a file's note, or the error of reading it; undefined if it is gone by now. */
async function noteOf(files: Files, { key, path }: NoteFile): Promise<StoredNote | ToolError | undefined> {
  try {
    return await readNote(key, await files.resolve(path), (at, maxBytes) => files.readSnapshot(at, maxBytes));
  } catch (error) {
    if (error instanceof ToolError) {
      return error;
    }
    throw error;
  }
}

/** Returns only the reason: the line already names the key. */
function reasonOf({ message }: ToolError, { key, path }: NoteFile): string {
  return shorten(
    oneLine(withoutName(message.replace(`memory key "${key}": `, ""), path).replace(/\.$/, "")),
    MAX_REASON,
  );
}

/** Runs `work` for each item, some in parallel; returns the results in the items' order. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += READERS) {
    signal.throwIfAborted();
    results.push(...(await Promise.all(items.slice(from, from + READERS).map(work))));
  }
  return results;
}

function describeRows({ keys, expired, omitted }: { keys: readonly Row[]; expired: number; omitted: number }): string {
  const lines = keys.map(({ key, bytes, updated, expires, unreadable }) => {
    const facts = [
      `${count(bytes, "byte")}`,
      ...(updated === null ? [] : [`updated ${updated}`]),
      ...(expires === null ? [] : [`expires ${expires}`]),
      ...(unreadable === undefined ? [] : [`cannot be read: ${unreadable}`]),
    ];
    return `${key}  (${facts.join(", ")})`;
  });
  let length = 0;
  const shown = lines.filter((line) => (length += line.length + 1) <= MAX_TEXT);
  const more = lines.length - shown.length + omitted;
  return [
    ...(keys.length === 0 ? ["[No keys in memory.]"] : shown),
    ...(more > 0 ? [`[${count(more, "more key")}: memory_search finds notes by content.]`] : []),
    ...(expired > 0
      ? [`[${expired} note${expired === 1 ? " has" : "s have"} expired: memory_delete with expired=true deletes them.]`]
      : []),
  ].join("\n");
}
