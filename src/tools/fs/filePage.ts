import type { CallContext } from "../../core/contract.js";
import * as z from "zod";
import { asInteger, type Aliases, type AliasRule } from "../../core/aliases.js";
import { ToolError } from "../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";
import type { FileInfo, Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { Reads } from "../../ports/reads.js";
import { inOne, type Page, type PageLine, type PageRequest, takePage } from "../../text/page.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";
import { once } from "../../core/once.js";

/** Maximum lines of a page by default: a page that fits every model's context. */
export const PAGE_LINES = 2_000;
export const PAGE_BYTES = 50_000;
/** Characters for the note behind a page. */
export const NOTE_SIZE = 200;
/** Bytes for a line's number and the tab behind it. */
const NUMBER_BYTES = 7;
/** Maximum characters of a line shown whole. A longer one (a minified bundle, one-line JSON) is shown as a window. */
export const LINE_WINDOW = 2_000;
/**
 * Maximum characters scanned after a page to count the lines; if the text is longer, the answer only says that more
 * lines follow.
 */
const COUNT_BUDGET = 16_000_000;

/** The last line of a page, 1-based; -1 is the end of the file. */
const lastLine: AliasRule = {
  says: "the last line",
  read: (value, { offset = 1 }) => {
    const [first, last] = [asInteger(offset), asInteger(value)];
    return first === undefined || last === undefined || (first < 0 && last !== -1)
      ? undefined
      : { fields: last === -1 ? {} : { limit: last - Math.max(first, 1) + 1 } };
  },
};

/** Input fields that choose a page of a file. */
export const PAGE_FIELDS = once(() => ({
  offset: z.int().optional().describe("First line to return, 1-based; -20 for the last 20. Default: 1."),
  limit: z.int().min(1).optional().describe("Maximum number of lines."),
  column: z.int().min(1).optional().describe("First column (1-based) to show of long lines. Default: 1."),
}));

/** First and last line, as a list or in a text with a separator between them. */
function lineRange(separator: string): AliasRule {
  return {
    says: "first and last line",
    read: (value) => {
      const words = typeof value === "string" ? value.replace(/^\s*\[|\]\s*$/g, "").split(separator) : value;
      const range = Array.isArray(words)
        ? words.map((word: unknown) => asInteger(typeof word === "string" ? word.trim() : word))
        : [];
      const [first, last] = range.length === 2 ? range : [];
      return first === undefined || last === undefined || (first < 0 && last !== -1)
        ? undefined
        : { fields: { offset: first, ...(last === -1 ? {} : { limit: last - Math.max(first, 1) + 1 }) } };
    },
  };
}

/** Other systems' fields for a page: first and last line, 1-based. */
export const PAGE_ALIASES: Aliases = {
  startLine: "offset",
  start_line: "offset",
  line_offset: "offset",
  startLineNumberBaseOne: "offset",
  start_line_one_indexed: "offset",
  endLine: lastLine,
  end_line: lastLine,
  endLineNumberBaseOne: lastLine,
  end_line_one_indexed_inclusive: lastLine,
  view_range: lineRange(","),
  lines: lineRange("-"),
};

/** The output fields of a page. */
export const PAGE_DATA = once(() => ({
  content: z.string().describe("The lines of the page without their numbers."),
  start_line: z.int().describe("1-based; 0 when there are no lines."),
  end_line: z.int().describe("Last line of the page."),
  total_lines: z.int().nullable().describe("null when the file is too long to count."),
  next_offset: z.int().nullable().describe("null when nothing follows."),
  unsaved: z.boolean().describe("The text has unsaved changes of an editor."),
}));

/** What a page says whose file has another encoding than it was read in. */
const NOT_ITS_ENCODING =
  "[� marks bytes that are invalid in the encoding used to read this file, so it cannot be edited as it is. The user can set files.encoding in .vscode/settings.json.]";
/** Lines that a private key has at most: one of 16,384 bits has 190. */
const LINES_OF_KEY = 400;
/** What a line of a private key looks like. */
const MAY_BE_OF_KEY = /^[ \t"'`]*[A-Za-z0-9+/=]{20,}/;

/** A page as data. */
export type PageData = z.infer<z.ZodObject<ReturnType<typeof PAGE_DATA>>>;

/** The lines of a file that a caller wants; all by default. */
export interface WantedPage {
  /** The first line, 1-based; 0 counts as 1, and -20 as the twentieth from the end. */
  offset?: number | undefined;
  limit?: number | undefined;
  column?: number | undefined;
  /** Whether nobody wants what follows them. */
  isAll?: boolean;
}

/** What a call says of its page: as in `CallContext`. */
export interface PageLimits {
  answerSize?: number | undefined;
  secretPlaces?: CallContext["secretPlaces"] | undefined;
}

/** Returns a page without lines. */
export function noPage(unsaved: boolean): PageData {
  return { content: "", start_line: 0, end_line: 0, total_lines: 0, next_offset: null, unsaved };
}

/**
 * Returns a page of a text file as numbered lines, with a note on what is omitted and how to continue. The file counts
 * as read.
 *
 * @param name the caller's name for the file
 *
 * @throws ToolError `binary`, and those of `Files.readChunks`
 */
export async function givePage(
  { files, reads, signal, answerSize, secretPlaces }: { files: Files; reads: Reads; signal: AbortSignal } & PageLimits,
  at: GatedPath,
  info: FileInfo,
  wanted: WantedPage,
  name = at.path,
): Promise<{ text: string; data: PageData }> {
  const seen = info.size <= LARGEST_CHANGED_FILE ? await snapshotOf(files, at) : undefined;
  const chunks = (): AsyncIterable<string> => (seen === undefined ? files.readChunks(at, signal) : inOne(seen.text));
  const page = await pageOfText(chunks, wanted, name, { unsaved: info.unsaved, answerSize, secretPlaces });
  await reads.note(at, seen ?? { size: info.size, modified: info.modified });
  // Where the text can be written back, its own characters are like that.
  const isGuessed = seen === undefined && page.data.content.includes("\uFFFD");
  return isGuessed ? { ...page, text: `${page.text}\n${NOT_ITS_ENCODING}` } : page;
}

/**
 * Returns a page of a text as numbered lines, with a note on what is omitted and how to continue.
 *
 * @param chunks yields the text, each time from its start
 * @param call whether the text is not saved, the maximum characters of the page, and the places that a cut must not divide
 */
export async function pageOfText(
  chunks: () => AsyncIterable<string>,
  { offset: wanted = 1, limit, column = 1, isAll = false }: WantedPage,
  name: string,
  { unsaved, answerSize = PAGE_BYTES + NOTE_SIZE, secretPlaces }: { unsaved: boolean } & PageLimits,
): Promise<{ text: string; data: PageData }> {
  const data = noPage(unsaved);
  const request = {
    maxLines: limit ?? PAGE_LINES,
    maxBytes: Math.min(PAGE_BYTES, answerSize - NOTE_SIZE),
    lineCost: NUMBER_BYTES,
    lineWindow: LINE_WINDOW,
    column,
    masked: await secretPlaces?.(),
    countBudget: COUNT_BUDGET,
  };
  const total = wanted < 0 ? (await takePage(chunks(), { ...request, offset: Number.MAX_SAFE_INTEGER })).totalLines : 0;
  const offset = wanted < 0 ? Math.max(1, (total ?? 0) + 1 + wanted) : wanted;
  // 0 is the beginning, too.
  const page = await takePage(chunks(), { ...request, offset: Math.max(offset, 1) - 1 });
  page.lines = await withoutRestOfKey(page.lines, chunks, request);
  const [first] = page.lines;
  const last = page.lines.at(-1);
  if (first === undefined || last === undefined) {
    return { text: noLines(name, offset, page), data: { ...data, total_lines: page.totalLines ?? null } };
  }
  const body = page.lines.map((line) => `${line.number}\t${shownLine(line)}`);
  const left = isAll && limit !== undefined ? offset + limit - 1 - last.number : undefined;
  const note = whatIsLeftOut(page, first.number, last.number, left);
  return {
    text: [...body, ...(note === undefined ? [] : [note])].join("\n"),
    data: {
      ...data,
      content: page.lines.map(({ text }) => text).join("\n"),
      start_line: first.number,
      end_line: last.number,
      total_lines: page.totalLines ?? null,
      next_offset: page.more && left !== 0 ? last.number + 1 : null,
    },
  };
}

/**
 * Returns a page's lines without those of a secret that begins before the page, such as a private key: its first line is
 * what tells.
 */
async function withoutRestOfKey(
  lines: PageLine[],
  chunks: () => AsyncIterable<string>,
  request: Omit<PageRequest, "offset">,
): Promise<PageLine[]> {
  const [first] = lines;
  if (request.masked === undefined || first === undefined || first.number === 1 || !MAY_BE_OF_KEY.test(first.text)) {
    return lines;
  }
  const offset = Math.max(0, first.number - 1 - LINES_OF_KEY);
  const before = await takePage(chunks(), {
    ...request,
    offset,
    maxLines: first.number - 1 - offset,
    maxBytes: Infinity,
  });
  const text = (some: readonly PageLine[]): string => some.map((line) => `${line.text}\n`).join("");
  const start = text(before.lines).length;
  const secret = request
    .masked(text(before.lines) + text(lines))
    .find((place) => place.start < start && place.end > start);
  let end = start;
  const rest = lines.filter((line) => {
    end += line.text.length + 1;
    return secret === undefined || end > secret.end + 1;
  });
  return secret === undefined ? lines : [{ ...first, text: secret.handle, length: secret.handle.length }, ...rest];
}

/** Returns the text in the form a change would find it; undefined if it can be read but not written back. */
async function snapshotOf(files: Files, at: GatedPath): Promise<TextSnapshot | undefined> {
  try {
    return await files.readSnapshot(at, LARGEST_CHANGED_FILE);
  } catch (error) {
    // It may have grown since `stat`, or its encoding does not round-trip to the same bytes.
    if (error instanceof ToolError && (error.type === "unsupported" || error.type === "too_large")) {
      return undefined;
    }
    throw error;
  }
}

function noLines(path: string, offset: number, { totalLines = 0 }: Page): string {
  return totalLines === 0
    ? `[${shownName(path)} is empty.]`
    : `[offset=${offset} is past the end: ${shownName(path)} has ${count(totalLines, "line")}.]`;
}

/** @param left how many of the wanted lines are not shown, if no others are wanted */
function whatIsLeftOut(page: Page, first: number, last: number, left?: number): string | undefined {
  if (!page.more && first === 1) {
    return undefined;
  }
  const total = page.totalLines === undefined ? "of a very long file" : `of ${page.totalLines}`;
  const lines = first === last ? `Line ${first}` : `Lines ${first}-${last}`;
  if (left === 0) {
    return `[${lines} ${total}.]`;
  }
  const limit = left === undefined ? "" : ` and limit=${left}`;
  return page.more ? `[${lines} ${total}. Continue with offset=${last + 1}${limit}.]` : `[${lines} ${total}: the end.]`;
}

function shownLine({ text, column, end, length }: PageLine): string {
  if (length <= LINE_WINDOW) {
    return text;
  }
  if (column > length) {
    return `[… column ${column} is past the end: the line has ${length} characters]`;
  }
  const next = end < length ? `; continue with column=${end + 1}` : "";
  return `${text}[… characters ${column}-${end} of ${length}${next}]`;
}
