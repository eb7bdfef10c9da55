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

/** Maximum bytes that a model may write in one call. */
export const MAX_CONTENT_BYTES = 10_000_000;
/** How often to plan a write to a file that others keep changing. */
const MAX_TRIES = 3;

export type OnConflict = "error" | "overwrite";

/** A text, and where to store it. */
export interface StoreRequest {
  logical: string;
  content: string;
  /** Default error. */
  onConflict?: OnConflict | undefined;
  /** Maximum size in UTF-8. */
  maxBytes?: number;
}

/** A write that is planned but not done. */
export interface StorePlan {
  place: ContextPlace;
  /** The existing text; undefined for a new file. */
  before: TextSnapshot | undefined;
  after: string;
}

/** The capabilities needed to write. */
export interface StoreContext {
  files: Files;
  changes: Changes;
  signal: AbortSignal;
}

/**
 * Works out a write of a whole text into the context store.
 *
 * The existing text need not have been read: overwriting is requested explicitly, and pipe's callers never see what
 * they store.
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
    // The file's encoding decides whether it begins with a byte order mark.
    return { place, before, after: request.content.replace(/^\uFEFF/, "") };
  });
}

/**
 * Writes a text into the context store, with the folders it needs.
 *
 * @throws ToolError those of `planStore` and `Changes.apply`
 */
export async function storeText(
  context: StoreContext,
  request: StoreRequest,
  shown?: StorePlan,
): Promise<{ plan: StorePlan; outcome: ChangeOutcome | undefined }> {
  for (let left = MAX_TRIES - 1; ; left--) {
    // Exactly what was shown is written; if the file has changed since, the host refuses.
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

/** Makes the error for an existing file, with what to do if overwriting was not intended. */
export function pathConflict(logical: string): ToolError {
  return new ToolError(
    "path_conflict",
    `${logical} already exists in the context store. Nothing was written.`,
    `Read .toolhost/context/${logical}, then make the same call with on_conflict='overwrite' to replace it, or choose another path.`,
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
    // Another call may have created the .gitignore. If it created the file itself, this fails the same way.
    const again = await ignoreChange(files);
    return withoutFirst(await changes.apply([...again, change], signal), again.length);
  }
}

/** Returns the outcome without the entry of the store's own .gitignore. */
function withoutFirst(outcome: ChangeOutcome, count: number): ChangeOutcome {
  return { ...outcome, files: outcome.files.slice(count) };
}

/** Whether the error means that another writer was faster. */
function isOvertaken(error: unknown): boolean {
  return error instanceof ToolError && (error.type === "stale" || error.type === "path_conflict");
}

/** Reads the file to be overwritten. Refuses one that cannot be read as text: the encoding would change unnoticed. */
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
  // JSON can express an unpaired surrogate, which no file can hold.
  const bad = /\p{Surrogate}/u.test(content)
    ? "an unpaired surrogate"
    : content.includes("\0")
      ? "a NUL character, so the file would be binary"
      : undefined;
  if (bad !== undefined) {
    throw new ToolError(
      "invalid_input",
      `${logical}: content contains ${bad}. Nothing was written.`,
      "Remove it, or write it in plain characters.",
    );
  }
  // No text is shorter in bytes than in code units. Checking code units first avoids counting the bytes of a 500 MB
  // text, which takes as much memory again.
  const bytes = content.length > maxBytes ? content.length : utf8Length(content);
  if (bytes > maxBytes) {
    throw new ToolError(
      "too_large",
      `${logical}: content has ${content.length > maxBytes ? "at least " : ""}${bytes} bytes; at most ${maxBytes} are allowed. Nothing was written.`,
      "Split it into several files, or store a tool's result with pipe.",
    );
  }
}
