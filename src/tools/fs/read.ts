import * as z from "zod";
import { ignored, ignoredIf, onePath } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Media } from "../../core/outcome.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { WholeText } from "../../ports/tools.js";
import { shownName } from "../../text/shownName.js";
import { statFile } from "./existing.js";
import { MAX_PDF_BYTES, readPdf } from "./readPdf.js";
import {
  givePage,
  LINE_WINDOW,
  noPage,
  NOTE_SIZE,
  PAGE_ALIASES,
  PAGE_BYTES,
  PAGE_DATA,
  PAGE_FIELDS,
  PAGE_LINES,
} from "./filePage.js";
import { count } from "../../text/words.js";

/** Maximum bytes of an image: about the size that model APIs accept. */
const MAX_IMAGE_BYTES = 5_000_000;

/** Bytes of the longest file whose outline is shown: VS Code opens a file to know it, and longer ones are data. */
const MAX_OUTLINED = 1_000_000;

export const read = defineTool({
  name: "read",
  group: "fs",
  title: "Read file",
  description:
    `Read a workspace file as numbered lines (number, tab, text), unsaved editor text included. ` +
    `Without limit a page is at most ${PAGE_LINES} lines or ${PAGE_BYTES / 1000} KB; if there is more, the last line gives the offset to continue with. ` +
    `Lines longer than ${LINE_WINDOW} characters are shown in part, starting at column. ` +
    `Images up to ${MAX_IMAGE_BYTES / 1e6} MB are shown if you can see them; PDFs are given as text.`,
  input: () =>
    z.object({
      path: z.string().describe("File to read, relative to the workspace (or absolute inside it)."),
      symbol: z.string().optional().describe("Only this function, class or other symbol: match, Router.match."),
      ...PAGE_FIELDS(),
    }),
  aliases: {
    filePath: "path",
    file_path: "path",
    file: "path",
    absolute_path: "path",
    target_file: "path",
    ...PAGE_ALIASES,
    command: ignoredIf("view"),
    path: onePath,
    paths: onePath,
    files: onePath,
    should_read_entire_file: ignored,
    // Claude Code: those of a PDF.
    pages: {
      read: () => ({
        fields: {},
        note: "pages has no effect: the text of a PDF says where each page begins. Go on with offset.",
      }),
    },
  },
  output: () => z.object({ path: z.string().describe("The file."), ...PAGE_DATA() }),
  needs: ["files", "reads", "pdf", "code"],
  canLack: ["pdf", "code"],
  paged: true,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path }) => [{ kind: "read", path }],
  summary: ({ path }) => `Read ${path}`,
  expose: "default",
  execute: async (
    { path, symbol, ...page },
    { files, reads, pdf, code, signal, answerSize, secretPlaces, isInner },
  ) => {
    const at = await files.resolve(path);
    const info = await statFile(files, at);
    if (symbol !== undefined && (page.offset !== undefined || page.limit !== undefined)) {
      throw new ToolError("invalid_input", "symbol gives its own lines.", "Leave out offset and limit.");
    }
    const wanted =
      symbol === undefined
        ? page
        : {
            ...page,
            ...(await (await import("../code/codeWork.js")).linesOfSymbol(symbol, at, { code, files, signal })),
            isAll: true,
          };
    const media = info.unsaved ? undefined : await readMedia(files, at, info.size);
    if (media?.mimeType === PDF.mimeType) {
      return readPdf({ pdf, signal, answerSize, secretPlaces }, { path: at.path, bytes: media.bytes }, wanted);
    }
    if (media !== undefined) {
      return {
        text: `${shownName(at.path)}: ${media.mimeType}, ${count(info.size, "byte")}.`,
        data: { path: at.path, ...noPage(info.unsaved) },
        media: [media],
      };
    }
    const isStart = [page.offset, page.limit, page.column, symbol].every((value) => value === undefined);
    const outline =
      isStart && !isInner && info.size > PAGE_BYTES && info.size <= MAX_OUTLINED
        ? await (await import("../code/codeWork.js")).outlineOf(at, { code, files, signal })
        : undefined;
    const room = outline === undefined ? answerSize : (answerSize ?? PAGE_BYTES + NOTE_SIZE) - outline.length - 1;
    const given = await givePage({ files, reads, signal, answerSize: room, secretPlaces }, at, info, wanted);
    // pipe stores results without anybody reading them: it must get the whole file, or a page would be mistaken for it.
    const isWhole = Object.values(wanted).every((value) => value === undefined);
    const whole: WholeText = {
      note: "This is the whole file.",
      dropped: 0,
      chunks: (until) => files.readChunks(at, until),
    };
    const text = outline === undefined ? given.text : `${outline}\n${given.text}`;
    return { text, data: { ...given.data, path: at.path }, ...(isWhole && { whole }) };
  },
});

interface MediaKind {
  extensions: readonly string[];
  mimeType: string;
  /** Bytes the file must begin with; -1 matches any. */
  signature: readonly number[];
  maxBytes: number;
  /** Names them in an error. */
  plural: string;
}

const ANY = -1;
const PDF: MediaKind = {
  extensions: ["pdf"],
  mimeType: "application/pdf",
  signature: [0x25, 0x50, 0x44, 0x46],
  maxBytes: MAX_PDF_BYTES,
  plural: "PDFs",
};
const MEDIA: readonly MediaKind[] = [
  image(["png"], [0x89, 0x50, 0x4e, 0x47]),
  image(["jpeg", "jpg"], [0xff, 0xd8, 0xff]),
  image(["gif"], [0x47, 0x49, 0x46, 0x38]),
  image(["webp"], [0x52, 0x49, 0x46, 0x46, ANY, ANY, ANY, ANY, 0x57, 0x45, 0x42, 0x50]),
  PDF,
];

function image(extensions: readonly string[], signature: readonly number[]): MediaKind {
  return { extensions, mimeType: `image/${extensions[0]}`, signature, maxBytes: MAX_IMAGE_BYTES, plural: "images" };
}

/**
 * Returns the file as media if its extension and its first bytes agree; otherwise undefined, and it is read as text.
 */
async function readMedia(files: Files, at: GatedPath, size: number): Promise<Media | undefined> {
  const extension = /\.([A-Za-z]+)$/.exec(at.path)?.[1]?.toLowerCase();
  const kind = MEDIA.find(({ extensions }) => extension !== undefined && extensions.includes(extension));
  if (kind === undefined || size === 0) {
    return undefined;
  }
  if (size > kind.maxBytes) {
    throw new ToolError(
      "too_large",
      `${shownName(at.path)} has ${size} bytes; ${kind.plural} may have up to ${kind.maxBytes}.`,
      "Ask the user for a smaller version.",
    );
  }
  const bytes = await files.readBytes(at, kind.maxBytes);
  const matches = kind.signature.every((byte, index) => byte === ANY || bytes[index] === byte);
  return matches ? { mimeType: kind.mimeType, bytes } : undefined;
}
