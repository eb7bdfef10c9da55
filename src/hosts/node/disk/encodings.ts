import { readFile } from "node:fs/promises";
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

/** Returns `files.encoding`; undefined if the file cannot be read, is not valid, or does not set it. */
async function configured(file: string): Promise<string | undefined> {
  try {
    const settings = parseJsonc(await readFile(file, "utf8"));
    const encoding = isRecord(settings) ? settings["files.encoding"] : undefined;
    return typeof encoding === "string" ? encoding : undefined;
  } catch {
    return undefined;
  }
}
