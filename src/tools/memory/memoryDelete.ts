import * as z from "zod";
import { ignoredIf } from "../../core/aliases.js";
import { KEY_ALIASES } from "./keyAliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { checkKey, notePath } from "../../features/memory/key.js";
import { MEMORY_FOLDER } from "../../names/stateFolder.js";
import type { ChangeOutcome, Changes, FileChange } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import type { Memory } from "../../ports/memory.js";
import { unifiedDiff } from "../../text/diff/diff.js";
import { callRemarks } from "../fs/changeRemarks.js";
import { contentOf } from "../documents/deleteTool.js";
import { withChangeHint } from "../fs/existing.js";
import { isOver, listNotes, readNote } from "./notes.js";
import { isOvertaken } from "./writeNote.js";

/** How often to plan a deletion again while others keep writing the same notes. */
const MAX_TRIES = 50;

/** The files to delete, and their keys. */
interface Deletion {
  keys: string[];
  changes: Extract<FileChange, { kind: "delete" }>[];
}

interface DeleteRequest {
  key?: string | undefined;
  expired?: true | undefined;
}

interface DeleteContext {
  files: Files;
  changes: Changes;
  memory: Memory;
  signal: AbortSignal;
}

export const memoryDelete = defineTool({
  name: "memory_delete",
  group: "memory",
  title: "Delete from memory",
  description:
    "Delete a memory note by its key, or all expired notes with expired=true. Deleting a missing note is not an error. The user can undo the deletion.",
  input: () =>
    z.object({
      key: z.string().optional().describe("Key of the note. Give either key or expired."),
      expired: z.literal(true).optional().describe("Delete all expired notes."),
    }),
  aliases: { ...KEY_ALIASES, command: ignoredIf("delete") },
  output: () => z.object({ deleted: z.array(z.string()).describe("Keys of the deleted notes.") }),
  needs: ["files", "changes", "memory"],
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  positional: ["key"],
  touches: ({ key }) => [
    {
      kind: "write",
      path: key === undefined ? MEMORY_FOLDER : notePath(key),
      ...(key === undefined ? {} : { overwrites: true }),
    },
  ],
  summary: ({ key }) => `Delete ${key ?? "expired notes"} from memory`,
  preview: async (input, context) => {
    const plan = await planDeletion(context, input);
    return {
      language: "diff",
      text: plan.changes
        .map(({ before }) => ("text" in before ? unifiedDiff(before.text, "") : "[not a text file]"))
        .join("\n"),
      plan,
    };
  },
  execute: async (input, context, shown: Deletion | undefined) => {
    const { keys, outcome } = await deleteAll(context, input, shown);
    return {
      text: [toldDeletion(keys, input.key), ...(outcome === undefined ? [] : callRemarks(outcome))].join("\n"),
      data: { deleted: keys },
    };
  },
});

function toldDeletion(keys: readonly string[], asked: string | undefined): string {
  if (keys.length > 0) {
    return `Deleted ${keys.map((key) => JSON.stringify(key)).join(", ")} from memory.`;
  }
  return asked === undefined
    ? "No note has expired: nothing to delete."
    : `There is no ${JSON.stringify(checkKey(asked))} in memory: nothing to delete.`;
}

/**
 * Deletes all planned notes, or none. If nobody was shown the plan and another writer changed one of them in between,
 * plans again.
 */
async function deleteAll(
  context: DeleteContext,
  request: DeleteRequest,
  shown: Deletion | undefined,
): Promise<{ keys: string[]; outcome: ChangeOutcome | undefined }> {
  for (let left = MAX_TRIES - 1; ; left--) {
    const { keys, changes } = shown ?? (await planDeletion(context, request));
    if (keys.length === 0) {
      return { keys, outcome: undefined };
    }
    try {
      return { keys, outcome: await context.changes.apply(changes, context.signal) };
    } catch (error) {
      if (shown !== undefined || left === 0 || !isOvertaken(error)) {
        throw error;
      }
    }
  }
}

async function planDeletion(context: DeleteContext, { key, expired }: DeleteRequest): Promise<Deletion> {
  if ((key === undefined) === (expired === undefined)) {
    throw new ToolError(
      "invalid_input",
      `memory_delete: needs either key or expired, got ${key === undefined ? "neither" : "both"}. Nothing was deleted.`,
      "Give the key of one note, or expired=true alone.",
    );
  }
  return key === undefined ? expiredNotes(context) : oneNote(context, key);
}

/** Plans the deletion of a note. The session need not have read it: the call names it, and the user can undo it. */
async function oneNote({ files }: DeleteContext, raw: string): Promise<Deletion> {
  const at = await files.resolve(notePath(raw));
  try {
    return {
      keys: [checkKey(raw)],
      changes: [{ kind: "delete", at, before: await withChangeHint(contentOf(files, at)) }],
    };
  } catch (error) {
    if (error instanceof ToolError && error.type === "not_found") {
      return { keys: [], changes: [] };
    }
    throw error;
  }
}

/** Returns the expired notes. The session need not have read them: to every reader they no longer exist. */
async function expiredNotes({ files, memory, signal }: DeleteContext): Promise<Deletion> {
  const found: Deletion = { keys: [], changes: [] };
  for (const { key, path } of await listNotes(files)) {
    signal.throwIfAborted();
    const at = await files.resolve(path);
    const note = await readNote(key, at, (place, maxBytes) => files.readSnapshot(place, maxBytes)).catch(
      unlessUnreadable,
    );
    if (note !== undefined && isOver(note, memory)) {
      found.keys.push(key);
      found.changes.push({ kind: "delete", at, before: note.snapshot });
    }
  }
  return found;
}

/** Ignores the error of an unreadable note: it has no expiry time, so it is kept. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof ToolError)) {
    throw error;
  }
}
