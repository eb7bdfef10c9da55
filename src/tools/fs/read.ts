import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Media } from "../../core/outcome.js";
import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import { takePage, type Page, type PageLine } from "../../text/page.js";
import { statFile } from "./existing.js";

/** A page that every model's context bears. */
const PAGE_LINES = 2_000;
const PAGE_BYTES = 50_000;
/** What a caller can get at most who asks for a number of lines. */
const MAX_BYTES = 512_000;
/** And lines, since the numbers of very short ones weigh more than their text. */
const MAX_LINES = 50_000;
/** A longer line (a minified bundle, one-line JSON) is shown as a window. */
const LINE_WINDOW = 2_000;
/** Model APIs take images and documents up to about this size. */
const MAX_MEDIA_BYTES = 5_000_000;
/** The largest file that a tool changes (edit, write, apply_patch): its text is what a later change is made on. Of a larger one only size and time are kept. */
const MAX_NOTED_BYTES = 20_000_000;
/** Text scanned behind a page to tell how many lines there are; past it the answer says that more follow. */
const COUNT_BUDGET = 16_000_000;

export const read = defineTool({
  name: "read",
  group: "fs",
  title: "Read file",
  description:
    `Read a file of the workspace as numbered lines (number, tab, text). Unsaved editor text is what you get. ` +
    `Without limit a page is at most ${PAGE_LINES} lines or ${PAGE_BYTES / 1000} KB; when more follows, the last line gives the offset to continue with. ` +
    `Lines longer than ${LINE_WINDOW} characters are shown as a window that starts at column. ` +
    `Images (png, jpeg, gif, webp) and PDFs up to ${MAX_MEDIA_BYTES / 1e6} MB come back as media.`,
  input: z.object({
    path: z.string().describe("File to read, relative to the workspace (or absolute inside it)."),
    offset: z.int().min(0).optional().describe("Lines to skip before the page. Default 0."),
    limit: z.int().min(1).optional().describe(`Lines to give. Default: one page. The page never passes ${MAX_BYTES / 1000} KB.`),
    column: z.int().min(1).optional().describe("First column (1-based) of the window on lines too long to show whole. Default 1."),
  }),
  aliases: { filePath: "path", file_path: "path", file: "path" },
  output: z.object({
    path: z.string(),
    content: z.string().describe("The lines of the page without their numbers."),
    start_line: z.int().describe("1-based; 0 when there are no lines."),
    end_line: z.int(),
    total_lines: z.int().nullable().describe("null when a very long file was not counted to its end."),
    next_offset: z.int().nullable().describe("null when nothing follows."),
    unsaved: z.boolean(),
  }),
  needs: ["files", "reads"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path }) => [{ kind: "read", path }],
  summary: ({ path }) => `Reading ${path}`,
  expose: "default",
  execute: async ({ path, offset = 0, limit, column = 1 }, { files, reads, signal }) => {
    const at = await files.resolve(path);
    const info = await statFile(files, at);
    const data = { path: at.path, content: "", start_line: 0, end_line: 0, total_lines: 0, next_offset: null, unsaved: info.unsaved };
    const media = info.unsaved ? undefined : await readMedia(files, at, info.size);
    if (media) {
      return { text: `${at.path}: ${media.mimeType}, ${info.size} bytes, attached.`, data, media: [media] };
    }
    const seen = info.size <= MAX_NOTED_BYTES ? await snapshotOf(files, at) : undefined;
    const page = await takePage(seen === undefined ? files.readChunks(at, signal) : inOne(seen.text), {
      offset,
      maxLines: Math.min(limit ?? PAGE_LINES, MAX_LINES),
      maxBytes: limit === undefined ? PAGE_BYTES : MAX_BYTES,
      lineWindow: LINE_WINDOW,
      column,
      countBudget: COUNT_BUDGET,
    });
    await reads.note(at, seen ?? { size: info.size, modified: info.modified });
    const [first] = page.lines;
    const last = page.lines.at(-1);
    if (first === undefined || last === undefined) {
      return { text: noLines(at.path, offset, page), data: { ...data, total_lines: page.totalLines ?? null } };
    }
    const body = page.lines.map((line) => `${String(line.number).padStart(6)}\t${shownLine(line, column)}`);
    const note = whatIsLeftOut(page, first.number, last.number);
    return {
      text: [...body, ...(note === undefined ? [] : [note])].join("\n"),
      data: {
        ...data,
        content: page.lines.map(({ text }) => text).join("\n"),
        start_line: first.number,
        end_line: last.number,
        total_lines: page.totalLines ?? null,
        next_offset: page.more ? last.number : null,
      },
    };
  },
});

/** The text as a change would find it; undefined where it can be read but not written back. */
async function snapshotOf(files: Files, at: GatedPath): Promise<TextSnapshot | undefined> {
  try {
    return await files.readSnapshot(at, MAX_NOTED_BYTES);
  } catch (error) {
    // It may have grown since it was looked at, or be in an encoding that does not give back the same bytes.
    if (error instanceof ToolError && (error.type === "unsupported" || error.type === "too_large")) {
      return undefined;
    }
    throw error;
  }
}

async function* inOne(text: string): AsyncGenerator<string> {
  yield text;
}

function noLines(path: string, offset: number, { totalLines = 0 }: Page): string {
  return totalLines === 0
    ? `[${path} is empty.]`
    : `[offset=${offset} is past the end: ${path} has ${count(totalLines, "line")}.]`;
}

function whatIsLeftOut(page: Page, first: number, last: number): string | undefined {
  if (!page.more && first === 1) {
    return undefined;
  }
  const total = page.totalLines === undefined ? "of a very long file" : `of ${page.totalLines}`;
  const lines = first === last ? `Line ${first}` : `Lines ${first}-${last}`;
  return page.more ? `[${lines} ${total}. Continue with offset=${last}.]` : `[${lines} ${total}: the end.]`;
}

function shownLine({ text, length }: PageLine, column: number): string {
  if (length <= LINE_WINDOW) {
    return text;
  }
  if (column > length) {
    return `[… column ${column} is past the end: the line has ${length} characters]`;
  }
  const end = column - 1 + text.length;
  const next = end < length ? `; continue with column=${end + 1}` : "";
  return `${text}[… characters ${column}-${end} of ${length}${next}]`;
}

interface MediaKind {
  extensions: readonly string[];
  mimeType: string;
  /** Bytes the file must begin with; -1 stands for any. */
  signature: readonly number[];
}

const ANY = -1;
const MEDIA: readonly MediaKind[] = [
  { extensions: ["png"], mimeType: "image/png", signature: [0x89, 0x50, 0x4e, 0x47] },
  { extensions: ["jpg", "jpeg"], mimeType: "image/jpeg", signature: [0xff, 0xd8, 0xff] },
  { extensions: ["gif"], mimeType: "image/gif", signature: [0x47, 0x49, 0x46, 0x38] },
  {
    extensions: ["webp"],
    mimeType: "image/webp",
    signature: [0x52, 0x49, 0x46, 0x46, ANY, ANY, ANY, ANY, 0x57, 0x45, 0x42, 0x50],
  },
  { extensions: ["pdf"], mimeType: "application/pdf", signature: [0x25, 0x50, 0x44, 0x46] },
];

/** The file as media when its name and its first bytes agree on what it is; else undefined: it is read as text. */
async function readMedia(files: Files, at: GatedPath, size: number): Promise<Media | undefined> {
  const extension = /\.([A-Za-z]+)$/.exec(at.path)?.[1]?.toLowerCase();
  const kind = MEDIA.find(({ extensions }) => extension !== undefined && extensions.includes(extension));
  if (kind === undefined || size === 0) {
    return undefined;
  }
  if (size > MAX_MEDIA_BYTES) {
    throw new ToolError(
      "too_large",
      `${at.path}: has ${size} bytes; images and PDFs are given up to ${MAX_MEDIA_BYTES}.`,
      "Ask the user for a smaller version of it.",
    );
  }
  const bytes = await files.readBytes(at, MAX_MEDIA_BYTES);
  const matches = kind.signature.every((byte, index) => byte === ANY || bytes[index] === byte);
  return matches ? { mimeType: kind.mimeType, bytes } : undefined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
