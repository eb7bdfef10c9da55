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
 * Code units held to be written with the undo journal. What is longer is written as it comes: the journal keeps 200 MB
 * in all.
 */
export const MAX_HELD = 8_000_000;
/** Characters of a stored text that its answer shows. */
const MAX_PREVIEW = 200;

/** A text of any size, and where it is to go. */
export interface LargeRequest {
  logical: string;
  chunks: AsyncIterable<string>;
  onConflict: OnConflict | undefined;
}

/** What was stored. */
export interface StoredText {
  /** Of UTF-8. */
  bytes: number;
  /** Its beginning, never half a character. */
  preview: string;
  undoable: boolean;
}

/**
 * Refuses a place where nothing may be stored, before the work is done whose result would go there.
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
 * Writes a text into the context store: a short one as every change is made, a long one as it comes, in bounded memory.
 *
 * @throws ToolError as `checkPlace`, `Changes.apply` and `Spool.write` do
 */
export async function storeLarge(
  context: StoreContext & { spool: Spool },
  { logical, chunks, onConflict }: LargeRequest,
): Promise<StoredText> {
  const plain = plainChunks(chunks);
  try {
    return await storeChunks(context, logical, plain, onConflict);
  } finally {
    // Whatever went wrong, nobody holds open what the rest would have come from.
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

/** Gives the file its name while nobody else changes what is there, and nothing where changes are not kept. */
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
 * Makes room for a file that the undo journal does not take: what stands there and fits into it goes there.
 *
 * @returns whether what is left may be replaced
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

/** The store's .gitignore, made with the first file; another call may be as quick. */
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

/** No file of text holds NUL, or half a surrogate pair. */
async function* plainChunks(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    yield chunk.replaceAll(/[\0\p{Surrogate}]/gu, "\uFFFD");
  }
}

/** The parts of the text up to a limit of code units, and whether that is all of it. */
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

/** The first characters of a text in parts. */
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
  // What is written need not be held any longer.
  for (let part = held.shift(); part !== undefined; part = held.shift()) {
    yield part;
  }
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield next.value;
  }
}
