/** How a file's content is given, or how its text is encoded. */
export const ENCODINGS = ["utf8", "utf-8", "utf16le", "latin1", "base64"] as const;

type Encoding = (typeof ENCODINGS)[number];

/** The content of a file: text in UTF-8, or bytes. */
export type Content = string | Uint8Array;

/**
 * Returns the content of an entry of type `file`.
 *
 * @throws Error that begins with the field
 */
export function contentBytes({
  content,
  encoding = "utf8",
}: {
  content: string;
  encoding?: Encoding | undefined;
}): Content {
  switch (encoding) {
    case "base64":
      return fromBase64(content);
    case "utf16le":
      return fromCodes(content, 2);
    case "latin1": {
      const odd = /[^\u0000-\u00ff]/u.exec(content)?.[0];
      if (odd !== undefined) {
        throw new Error(`content: ${JSON.stringify(odd)} does not exist in latin1`);
      }
      return fromCodes(content, 1);
    }
    default:
      if (/\p{Surrogate}/u.test(content)) {
        throw new Error("content: contains an unpaired surrogate, which no file can hold");
      }
      return content;
  }
}

/** Returns how many bytes a content has. */
export function sizeOf(content: Content): number {
  return typeof content === "string" ? new TextEncoder().encode(content).length : content.length;
}

/** Returns bytes as text if they are exactly UTF-8 without NUL. */
export function asText(bytes: Uint8Array): Content {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? bytes : text;
  } catch {
    return bytes;
  }
}

function fromCodes(text: string, width: 1 | 2): Uint8Array {
  const bytes = new Uint8Array(text.length * width);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    bytes[index * width] = code & 0xff;
    if (width === 2) {
      bytes[index * 2 + 1] = code >> 8;
    }
  }
  return bytes;
}

function fromBase64(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new Error("content: is not base64");
  }
  return fromCodes(binary, 1);
}
