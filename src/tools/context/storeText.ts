import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { ChangeOutcome, Changes, FileChange } from "../../ports/changes.js";
import type { Files, TextSnapshot } from "../../ports/files.js";
import { utf8Length } from "../../text/page.js";
import { newContent } from "../fs/byteOrderMark.js";
import {
  contextInfo,
  contextPlace,
  existingFile,
  ignoreChange,
  namedAsContext,
  type ContextPlace,
} from "./contextStore.js";

/** Bytes of a text that a model writes in one call. */
export const MAX_CONTENT_BYTES = 10_000_000;
/** How often a write is worked out on a file that others keep writing. */
const MAX_TRIES = 3;

export type OnConflict = "error" | "overwrite";

/** A text and where it is to go. */
export interface StoreRequest {
  logical: string;
  content: string;
  /** Default error. */
  onConflict?: OnConflict | undefined;
  /** Bytes of UTF-8 at most. */
  maxBytes?: number;
}

/** A write worked out but not done. */
export interface StorePlan {
  place: ContextPlace;
  /** What stands there; undefined for a new file. */
  before: TextSnapshot | undefined;
  after: string;
}

/** What a call needs to write. */
export interface StoreContext {
  files: Files;
  changes: Changes;
  signal: AbortSignal;
}

/**
 * Works out a write of a whole text into the context store.
 *
 * Whoever asks to overwrite has said so, and pipe's callers never see what they store: what stands there need not have
 * been read.
 *
 * @throws ToolError `path_conflict` with what to do, `invalid_input`, `too_large`, `is_directory`, `binary`,
 * `unsupported`
 */
export async function planStore(files: Files, request: StoreRequest): Promise<StorePlan> {
  const place = await contextPlace(files, request.logical);
  checkContent(request);
  return namedAsContext(place, async () => {
    if ((await contextInfo(files, place)) === undefined) {
      return { place, before: undefined, after: newContent(request.content).text };
    }
    await existingFile(files, place);
    if ((request.onConflict ?? "error") === "error") {
      throw pathConflict(request.logical);
    }
    const before = await overwritten(files, place);
    // The file's own encoding says whether it begins with a byte order mark.
    return { place, before, after: request.content.replace(/^\uFEFF/, "") };
  });
}

/** Writes a text into the context store, with the folders it needs. Throws as `planStore` and `Changes.apply` do. */
export async function storeText(
  context: StoreContext,
  request: StoreRequest,
  shown?: StorePlan,
): Promise<{ plan: StorePlan; outcome: ChangeOutcome | undefined }> {
  for (let left = MAX_TRIES - 1; ; left--) {
    // What was shown is what is written, or the host finds that it is no longer so.
    const plan = shown ?? (await planStore(context.files, request));
    if (plan.before?.text === plan.after) {
      return { plan, outcome: undefined };
    }
    try {
      return { plan, outcome: await namedAsContext(plan.place, () => applyStore(context, plan, request.content)) };
    } catch (error) {
      if (shown !== undefined || left === 0 || !isOvertaken(error)) {
        throw error;
      }
    }
  }
}

/** The file is taken: what a caller can do who did not mean to overwrite. */
export function pathConflict(logical: string): ToolError {
  return new ToolError(
    "path_conflict",
    `${logical}: already exists in the context store. Nothing was written.`,
    "Check it with context_read, then write with on_conflict='overwrite' to replace it, or choose another path.",
  );
}

async function applyStore(
  { files, changes, signal }: StoreContext,
  { place: { at }, before, after }: StorePlan,
  content: string,
): Promise<ChangeOutcome> {
  const change: FileChange =
    before === undefined
      ? { kind: "create", at, content: newContent(content) }
      : { kind: "replace", at, before, text: after };
  const ignore = await ignoreChange(files);
  try {
    return withoutFirst(await changes.apply([...ignore, change], signal), ignore.length);
  } catch (error) {
    if (ignore.length === 0 || !isOvertaken(error)) {
      throw error;
    }
    // Another call may have made the .gitignore; if it was the file itself, this fails in the same way.
    const again = await ignoreChange(files);
    return withoutFirst(await changes.apply([...again, change], signal), again.length);
  }
}

/** What the write came to without the store's own file. */
function withoutFirst(outcome: ChangeOutcome, count: number): ChangeOutcome {
  return { ...outcome, files: outcome.files.slice(count) };
}

/** Whether somebody else wrote in between. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ToolError && (error.type === "stale" || error.type === "path_conflict");
}

/**
 * What is to be overwritten. One whose text cannot be had is left alone: the new text would come in its encoding
 * unseen.
 */
async function overwritten(files: Files, { logical, at }: ContextPlace): Promise<TextSnapshot> {
  try {
    return await files.readSnapshot(at, LARGEST_CHANGED_FILE);
  } catch (error) {
    if (error instanceof ToolError && ["binary", "too_large", "unsupported"].includes(error.type)) {
      const next =
        error.type === "too_large"
          ? "Write to another path, or ask the user to delete it."
          : `Write to another path, or delete it first (context_delete ${logical}).`;
      throw new ToolError(error.type, `${error.message} It is not overwritten.`, next);
    }
    throw error;
  }
}

function checkContent({ logical, content, maxBytes = MAX_CONTENT_BYTES }: StoreRequest): void {
  // JSON can spell half a character, which no file can hold.
  const bad = /\p{Surrogate}/u.test(content)
    ? "an unpaired surrogate"
    : content.includes("\0")
      ? "a NUL character, so the file would be binary"
      : undefined;
  if (bad !== undefined) {
    throw new ToolError(
      "invalid_input",
      `${logical}: content holds ${bad}. Nothing was written.`,
      "Remove it, or write it in plain characters.",
    );
  }
  // No text is shorter in bytes than in code units, and counting 500 MB of bytes takes as much memory again.
  const bytes = content.length > maxBytes ? content.length : utf8Length(content);
  if (bytes > maxBytes) {
    throw new ToolError(
      "too_large",
      `${logical}: content has ${content.length > maxBytes ? "at least " : ""}${bytes} bytes; at most ${maxBytes} are written. Nothing was written.`,
      "Split it into several files, or store a tool's result with pipe.",
    );
  }
}
