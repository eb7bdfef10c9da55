import * as z from "zod";
import { ignoredIf } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { Media } from "../../core/outcome.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { WholeText } from "../../ports/tools.js";
import { shownName } from "../../text/shownName.js";
import { statFile } from "./existing.js";
import {
  givePage,
  LINE_WINDOW,
  noPage,
  PAGE_ALIASES,
  PAGE_BYTES,
  PAGE_DATA,
  PAGE_FIELDS,
  PAGE_LINES,
} from "./filePage.js";

/** Maximum bytes of an image or document: about the size that model APIs accept. */
const MAX_MEDIA_BYTES = 5_000_000;

export const read = defineTool({
  name: "read",
  group: "fs",
  title: "Read file",
  description:
    `Read a workspace file as numbered lines (number, tab, text), unsaved editor text included. ` +
    `Without limit a page is at most ${PAGE_LINES} lines or ${PAGE_BYTES / 1000} KB; if there is more, the last line gives the offset to continue with. ` +
    `Lines longer than ${LINE_WINDOW} characters are shown in part, starting at column. ` +
    `Images (png, jpeg, gif, webp) and PDFs up to ${MAX_MEDIA_BYTES / 1e6} MB are returned as media.`,
  input: z.object({
    path: z.string().describe("File to read, relative to the workspace (or absolute inside it)."),
    ...PAGE_FIELDS,
  }),
  aliases: {
    filePath: "path",
    file_path: "path",
    file: "path",
    absolute_path: "path",
    target_file: "path",
    ...PAGE_ALIASES,
    command: ignoredIf("view"),
  },
  output: z.object({ path: z.string(), ...PAGE_DATA }),
  needs: ["files", "reads"],
  paged: true,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path }) => [{ kind: "read", path }],
  summary: ({ path }) => `Read ${path}`,
  expose: "default",
  execute: async ({ path, ...wanted }, { files, reads, signal }) => {
    const at = await files.resolve(path);
    const info = await statFile(files, at);
    const media = info.unsaved ? undefined : await readMedia(files, at, info.size);
    if (media) {
      return {
        text: `${shownName(at.path)}: ${media.mimeType}, ${info.size} bytes, attached.`,
        data: { path: at.path, ...noPage(info.unsaved) },
        media: [media],
      };
    }
    const page = await givePage({ files, reads, signal }, at, info, wanted);
    // pipe stores results without anybody reading them: it must get the whole file, or a page would be mistaken for it.
    const isWhole = Object.values(wanted).every((value) => value === undefined);
    const whole: WholeText = {
      note: "This is the whole file.",
      dropped: 0,
      chunks: (until) => files.readChunks(at, until),
    };
    return { text: page.text, data: { ...page.data, path: at.path }, ...(isWhole && { whole }) };
  },
});

interface MediaKind {
  extensions: readonly string[];
  mimeType: string;
  /** Bytes the file must begin with; -1 matches any. */
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

/**
 * Returns the file as media if its extension and its first bytes agree; otherwise undefined, and it is read as text.
 */
async function readMedia(files: Files, at: GatedPath, size: number): Promise<Media | undefined> {
  const extension = /\.([A-Za-z]+)$/.exec(at.path)?.[1]?.toLowerCase();
  const kind = MEDIA.find(({ extensions }) => extension !== undefined && extensions.includes(extension));
  if (kind === undefined || size === 0) {
    return undefined;
  }
  if (size > MAX_MEDIA_BYTES) {
    throw new ToolError(
      "too_large",
      `${shownName(at.path)} has ${size} bytes; images and PDFs may have up to ${MAX_MEDIA_BYTES}.`,
      "Ask the user for a smaller version.",
    );
  }
  const bytes = await files.readBytes(at, MAX_MEDIA_BYTES);
  const matches = kind.signature.every((byte, index) => byte === ANY || bytes[index] === byte);
  return matches ? { mimeType: kind.mimeType, bytes } : undefined;
}
