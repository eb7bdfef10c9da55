import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { Put, Spool } from "../../ports/spool.js";
import { clipStart } from "../../text/clip.js";
import { utf8Length } from "../../text/page.js";
import {
  contextInfo,
  contextPlace,
  existingFile,
  ignoreChange,
  namedAsContext,
  type ContextPlace,
} from "./contextStore.js";
import { pathConflict, planStore, storeText, type OnConflict, type StoreContext } from "./storeText.js";

/**
 * Maximum code units held so that the undo journal can record them. A longer text is written as it arrives: the journal
 * keeps 200 MB in all.
 */
export const MAX_HELD = 8_000_000;
/** Maximum characters of a stored text shown in the answer. */
const MAX_PREVIEW = 200;

/** A text of any size, and where to store it. */
export interface LargeRequest {
  logical: string;
  chunks: AsyncIterable<string>;
  onConflict: OnConflict | undefined;
}

/** A text that was stored. */
export interface StoredText {
  /** Size in UTF-8. */
  bytes: number;
  /** Its beginning; never ends within a character. */
  preview: string;
  undoable: boolean;
}

/**
 * Checks that something may be stored at a place, before doing the work whose result goes there.
 *
 * @throws ToolError `path_conflict`, `is_directory`, `unsupported`, `binary`
 */
export async function checkPlace(
  { files }: StoreContext,
  logical: string,
  onConflict: OnConflict | undefined,
): Promise<void> {
  const place = await contextPlace(files, logical);
  const info = await contextInfo(files, place);
  if (info === undefined) {
    return;
  }
  await existingFile(files, place);
  if (onConflict !== "overwrite") {
    throw pathConflict(logical);
  }
  if (info.size <= LARGEST_CHANGED_FILE) {
    await planStore(files, { logical, content: "", onConflict });
  }
}

/**
 * Writes a text into the context store: a short one as a normal change, a long one as it arrives, in bounded memory.
 *
 * @throws ToolError those of `checkPlace`, `Changes.apply` and `Spool.write`
 */
export async function storeLarge(
  context: StoreContext & { spool: Spool },
  { logical, chunks, onConflict }: LargeRequest,
): Promise<StoredText> {
  const plain = plainChunks(chunks);
  try {
    return await storeChunks(context, logical, plain, onConflict);
  } finally {
    // Close the source, whatever went wrong.
    await plain.return(undefined);
  }
}

async function storeChunks(
  context: StoreContext & { spool: Spool },
  logical: string,
  iterator: AsyncGenerator<string>,
  onConflict: OnConflict | undefined,
): Promise<StoredText> {
  const place = await contextPlace(context.files, logical);
  const onDisk = context.spool.takes(place.at);
  const { held, isAll } = await hold(iterator, onDisk ? MAX_HELD : LARGEST_CHANGED_FILE);
  if (!isAll && !onDisk) {
    throw new ToolError(
      "too_large",
      `${logical}: the result has more than ${LARGEST_CHANGED_FILE} characters, the limit where the context store is not on a local disk (${place.at.root?.scheme}). The call was made; nothing was stored.`,
      "Make the call return less: filter first.",
    );
  }
  const preview = beginningOf(held);
  const old = await contextInfo(context.files, place);
  if (isAll && (!onDisk || (old?.size ?? 0) <= LARGEST_CHANGED_FILE)) {
    const content = held.join("");
    await storeText(context, { logical, content, onConflict, maxBytes: LARGEST_CHANGED_FILE });
    return { bytes: utf8Length(content), preview, undoable: true };
  }
  await ignoreStore(context);
  const bytes = await namedAsContext(place, () =>
    context.spool.write(
      place.at,
      joined(held, iterator),
      (put) => putAlone(context, place, onConflict, put),
      context.signal,
    ),
  );
  return { bytes, preview, undoable: false };
}

/** Puts the file in place while no other change can touch that path; fails if changes are not recorded. */
async function putAlone(
  context: StoreContext,
  place: ContextPlace,
  onConflict: OnConflict | undefined,
  put: Put,
): Promise<void> {
  const replaces = await makeRoom(context, place, onConflict);
  await context.changes.alone(place.at, () => put(replaces), context.signal);
}

/**
 * Makes room for a file too large for the undo journal: deletes an existing one if the journal can keep it.
 *
 * @returns whether a remaining file may be replaced
 */
async function makeRoom(
  { files, changes, signal }: StoreContext,
  place: ContextPlace,
  onConflict: OnConflict | undefined,
): Promise<boolean> {
  const info = await contextInfo(files, place);
  if (info === undefined) {
    return false;
  }
  if (onConflict !== "overwrite") {
    throw pathConflict(place.logical);
  }
  if (info.size > LARGEST_CHANGED_FILE) {
    return true;
  }
  const before = await files.readSnapshot(place.at, LARGEST_CHANGED_FILE);
  await changes.apply([{ kind: "delete", at: place.at, before }], signal);
  return false;
}

/** Creates the store's .gitignore with the first file; another call may be faster. */
async function ignoreStore({ files, changes, signal }: StoreContext): Promise<void> {
  const ignore = await ignoreChange(files);
  if (ignore.length > 0) {
    await changes.apply(ignore, signal).catch((error: unknown) => {
      if (!(error instanceof ToolError) || error.type !== "path_conflict") {
        throw error;
      }
    });
  }
}

/** Replaces NUL and unpaired surrogates, which no text file can hold. */
async function* plainChunks(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    yield chunk.replaceAll(/[\0\p{Surrogate}]/gu, "\uFFFD");
  }
}

/** Returns the text's parts up to a limit of code units, and whether that is all of it. */
async function hold(iterator: AsyncIterator<string>, limit: number): Promise<{ held: string[]; isAll: boolean }> {
  const held: string[] = [];
  for (let length = 0; length <= limit;) {
    const next = await iterator.next();
    if (next.done === true) {
      return { held, isAll: true };
    }
    held.push(next.value);
    length += next.value.length;
  }
  return { held, isAll: false };
}

/** Returns the first characters of a text given in parts. */
function beginningOf(parts: readonly string[]): string {
  let text = "";
  for (const part of parts) {
    text += part.slice(0, MAX_PREVIEW + 1);
    if (text.length > MAX_PREVIEW) {
      break;
    }
  }
  return clipStart(text, MAX_PREVIEW);
}

async function* joined(held: string[], rest: AsyncIterator<string>): AsyncGenerator<string> {
  // Release each part once it is written.
  for (let part = held.shift(); part !== undefined; part = held.shift()) {
    yield part;
  }
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield next.value;
  }
}
