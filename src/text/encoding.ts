/** An encoding both hosts can read and write without a library, as VS Code spells it. */
export type PlainEncoding = "utf8" | "utf8bom" | "utf16le" | "utf16be";

/** Whether an encoding, as VS Code spells it, is one of these. */
export function isPlain(encoding: string): encoding is PlainEncoding {
  return encoding === "utf8" || encoding === "utf8bom" || encoding === "utf16le" || encoding === "utf16be";
}

/**
 * What VS Code takes as `files.encoding` beyond UTF-8 and UTF-16 (its `SUPPORTED_ENCODINGS`), by names that iconv-lite
 * has, too. Not all that iconv-lite has: `hex` or `base64` would show and write every file as something else.
 */
export const LIBRARY_ENCODINGS: ReadonlySet<string> = new Set(
  (
    "big5hkscs cp1125 cp437 cp850 cp852 cp865 cp866 cp950 eucjp euckr gb18030 gb2312 gbk iso88591 iso885910 iso885911 " +
    "iso885913 iso885914 iso885915 iso885916 iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 " +
    "koi8r koi8ru koi8t koi8u macroman shiftjis windows1250 windows1251 windows1252 windows1253 windows1254 " +
    "windows1255 windows1256 windows1257 windows1258 windows874"
  ).split(" "),
);

/** A NUL within this many bytes means that a file is not text; git and VS Code use the same limit. */
export const BINARY_PROBE_BYTES = 8_000;

/** Detects the encoding from a file's first bytes: by byte order mark, otherwise UTF-8. */
export function detectEncoding(head: Uint8Array): PlainEncoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return "utf8bom";
  }
  if (head[0] === 0xff && head[1] === 0xfe) {
    return "utf16le";
  }
  if (head[0] === 0xfe && head[1] === 0xff) {
    return "utf16be";
  }
  return "utf8";
}

/** Whether bytes look like something other than text. UTF-16 is text only with its byte order mark. */
export function looksBinary(head: Uint8Array): boolean {
  const encoding = detectEncoding(head);
  return encoding !== "utf16le" && encoding !== "utf16be" && head.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

/**
 * Decodes a whole file. `exact` is false if the bytes are not valid in the encoding: then the text contains replacement
 * characters, and writing it back would destroy the original bytes.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: PlainEncoding; exact: boolean } {
  const encoding = detectEncoding(bytes);
  try {
    return { text: new TextDecoder(decoderName(encoding), { fatal: true }).decode(bytes), encoding, exact: true };
  } catch {
    return { text: new TextDecoder(decoderName(encoding)).decode(bytes), encoding, exact: false };
  }
}

/** Encodes a text, including the byte order mark if the encoding has one. */
export function encodeText(text: string, encoding: PlainEncoding): Uint8Array {
  switch (encoding) {
    case "utf8":
      return new TextEncoder().encode(text);
    case "utf8bom":
      return new TextEncoder().encode(`\uFEFF${text}`);
    case "utf16le":
    case "utf16be": {
      const bytes = new Uint8Array(2 + text.length * 2);
      const view = new DataView(bytes.buffer);
      const littleEndian = encoding === "utf16le";
      view.setUint16(0, 0xfeff, littleEndian);
      for (let index = 0; index < text.length; index++) {
        view.setUint16(2 + index * 2, text.charCodeAt(index), littleEndian);
      }
      return bytes;
    }
  }
}

/** Decodes bytes piece by piece, as `TextDecoder` does. */
export interface StreamDecoder {
  decode: (bytes?: Uint8Array, options?: { stream: boolean }) => string;
}

/**
 * Decodes bytes that arrive in chunks; a character may be cut anywhere.
 *
 * @param onBinary called before anything is yielded if the first bytes are not text; it throws
 * @param other decodes what has no byte order mark, if that is not UTF-8
 */
export async function* decodeChunks(
  chunks: AsyncIterable<Uint8Array>,
  onBinary: () => never,
  other?: StreamDecoder,
): AsyncGenerator<string> {
  let decoder: StreamDecoder | undefined;
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      head = concatenate(head, chunk);
      if (head.length < BINARY_PROBE_BYTES) {
        continue;
      }
      decoder = startDecoder(head, onBinary, other);
      yield decoder.decode(head, { stream: true });
      continue;
    }
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder === undefined) {
    yield startDecoder(head, onBinary, other).decode(head);
  } else {
    yield decoder.decode();
  }
}

function startDecoder(head: Uint8Array, onBinary: () => never, other: StreamDecoder | undefined): StreamDecoder {
  if (looksBinary(head)) {
    onBinary();
  }
  const encoding = detectEncoding(head);
  return encoding === "utf8" && other !== undefined ? other : new TextDecoder(decoderName(encoding));
}

function decoderName(encoding: PlainEncoding): string {
  return encoding === "utf16le" ? "utf-16le" : encoding === "utf16be" ? "utf-16be" : "utf-8";
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
