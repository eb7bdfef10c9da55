import { constants } from "node:fs";
import { open, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../core/jsonSchema.js";
import { LIBRARY_ENCODINGS } from "../../../text/encoding.js";
import { parseJsonc } from "../../../text/jsonc.js";
import type { DiskCodec, Encodings } from "../../shared/encoding.js";

/** The file in which VS Code keeps a folder's settings. */
const SETTINGS = join(".vscode", "settings.json");

/** The encodings that VS Code knows, as a folder's VS Code settings choose them. */
export const diskEncodings: Encodings = {
  of: async ({ path }) => (await configured(join(path, SETTINGS))) ?? "utf8",
  codec: async (encoding): Promise<DiskCodec | undefined> => {
    if (!LIBRARY_ENCODINGS.has(encoding)) {
      return undefined;
    }
    const { default: library } = await import("iconv-lite");
    // A character that looks like a byte order mark is one of the text here.
    const options = { stripBOM: false };
    return {
      decode: (bytes) => Promise.resolve(library.decode(bytes, encoding, options)),
      encode: (text) => Promise.resolve(library.encode(text, encoding)),
      stream: () => {
        const decoder = library.getDecoder(encoding, options);
        return { decode: (bytes) => (bytes === undefined ? (decoder.end() ?? "") : decoder.write(Buffer.from(bytes))) };
      },
    };
  },
};

/** Maximum bytes of the settings: they belong to the workspace, so nobody vouches for them. */
const MAX_SETTINGS = 1_000_000;

/** What files of settings said, by their paths, as long as they are the same files. */
const known = new Map<string, { state: string; encoding: string | undefined }>();

/**
 * Returns `files.encoding`; undefined if the file cannot be read, is too large or no regular file, is not valid, or does
 * not set it.
 */
async function configured(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined;
  try {
    const before = await stat(path);
    const state = [before.dev, before.ino, before.size, before.mtimeMs].join(":");
    const last = known.get(path);
    if (last?.state === state) {
      return last.encoding;
    }
    if (!before.isFile() || before.size > MAX_SETTINGS) {
      return undefined;
    }
    // By now it may be a pipe, which would never end.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { bytesRead, buffer } = (await file.stat()).isFile()
      ? await file.read(Buffer.alloc(MAX_SETTINGS), 0, MAX_SETTINGS, 0)
      : { bytesRead: 0, buffer: Buffer.alloc(0) };
    const encoding = encodingIn(buffer.toString("utf8", 0, bytesRead));
    known.set(path, { state, encoding });
    return encoding;
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

function encodingIn(text: string): string | undefined {
  const settings = parseJsonc(text);
  const encoding = isRecord(settings) ? settings["files.encoding"] : undefined;
  return typeof encoding === "string" ? encoding : undefined;
}
