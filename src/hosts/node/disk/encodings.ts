import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../core/jsonSchema.js";
import { parseJsonc } from "../../../text/jsonc.js";
import type { DiskCodec, Encodings } from "../../shared/encoding.js";

/** The file in which VS Code keeps a folder's settings. */
const SETTINGS = join(".vscode", "settings.json");

/**
 * What VS Code takes as `files.encoding` beyond UTF-8 and UTF-16 (its `SUPPORTED_ENCODINGS`), by names that iconv-lite
 * has, too. Not all that iconv-lite has: `hex` or `base64` would show and write every file as something else.
 */
const NAMES = new Set(
  (
    "big5hkscs cp1125 cp437 cp850 cp852 cp865 cp866 cp950 eucjp euckr gb18030 gb2312 gbk iso88591 iso885910 iso885911 " +
    "iso885913 iso885914 iso885915 iso885916 iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 " +
    "koi8r koi8ru koi8t koi8u macroman shiftjis windows1250 windows1251 windows1252 windows1253 windows1254 " +
    "windows1255 windows1256 windows1257 windows1258 windows874"
  ).split(" "),
);

/** The encodings that VS Code knows, as a folder's VS Code settings choose them. */
export const diskEncodings: Encodings = {
  of: async ({ path }) => (await configured(join(path, SETTINGS))) ?? "utf8",
  codec: async (encoding): Promise<DiskCodec | undefined> => {
    if (!NAMES.has(encoding)) {
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
