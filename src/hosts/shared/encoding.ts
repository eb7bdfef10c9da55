import { ToolError } from "../../core/errors.js";
import type { DecodedContent } from "../../ports/changes.js";
import type { GatedPath, Root } from "../../ports/files.js";
import {
  decodeText,
  detectEncoding,
  encodeText,
  isPlain,
  looksBinary,
  type StreamDecoder,
} from "../../text/encoding.js";

/** Reads and writes one encoding that needs a library. */
export interface Codec {
  decode: (bytes: Uint8Array) => Promise<string>;
  /** What the encoding cannot represent becomes another character. */
  encode: (text: string) => Promise<Uint8Array>;
}

/** The encodings of files on a disk, by VS Code's names. */
export interface Encodings {
  /** Returns the encoding that the user set for a root's files without a byte order mark; `utf8` without one. */
  of: (root: Root) => Promise<string>;
  /** Returns a codec; undefined for an encoding that is not known. */
  codec: (encoding: string) => Promise<DiskCodec | undefined>;
}

/** A codec that can decode a file in pieces, too. */
export interface DiskCodec extends Codec {
  stream: () => StreamDecoder;
}

/**
 * Decodes a file by its byte order mark, otherwise in the encoding that the user set for it. `exact` says whether
 * encoding the text yields the same bytes again.
 *
 * @param encoding as VS Code spells it
 * @param codec of this encoding; undefined for UTF-8
 */
export async function decodeFile(
  bytes: Uint8Array,
  encoding: string,
  codec: Codec | undefined,
): Promise<{ text: string; encoding: string; exact: boolean }> {
  if (codec === undefined || detectEncoding(bytes) !== "utf8") {
    return decodeText(bytes);
  }
  const text = await codec.decode(bytes);
  return { text, encoding, exact: sameBytes(bytes, await codec.encode(text)) };
}

/** Returns a file's content: its text, if `decode` finds one that encodes to the same bytes again. */
export async function decodeContent(
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => ReturnType<typeof decodeFile>,
): Promise<DecodedContent> {
  if (looksBinary(bytes)) {
    return { bytes };
  }
  const { text, encoding, exact } = await decode(bytes);
  return exact ? { text, encoding } : { bytes };
}

/**
 * Encodes a text in the encoding that `decodeFile` found. Rejects a text with a character that the encoding cannot
 * represent: it would become another one.
 *
 * @param before the earlier text: its characters are not the caller's
 * @param change how the user changes a file's encoding
 */
export async function encodeFile(
  at: GatedPath,
  text: string,
  encoding: string,
  codec: Codec | undefined,
  change: string,
  before = "",
): Promise<Uint8Array> {
  const isHalf = codec === undefined || isPlain(encoding);
  const unfit = isHalf
    ? newCharacters(text.match(/\p{Surrogate}/gu) ?? [], before)[0]
    : await firstUnfit(newCharacters(text, before).join(""), codec);
  if (unfit !== undefined) {
    throw unfitCharacter(at, unfit, encoding, isHalf, change);
  }
  return isHalf ? encodeText(text, isPlain(encoding) ? encoding : "utf8") : codec.encode(text);
}

function unfitCharacter(at: GatedPath, unfit: string, encoding: string, isHalf: boolean, change: string): ToolError {
  const code = (unfit.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const shown = /[\p{C}\p{M}\p{Z}]/u.test(unfit) ? `U+${code}` : `${unfit} (U+${code})`;
  return new ToolError(
    "unsupported",
    isHalf
      ? `${at.path}: the text contains ${shown}, half a character, which no file can store. Nothing was changed.`
      : `${at.path}: its encoding, ${encoding}, cannot represent the character ${shown}. Nothing was changed.`,
    isHalf
      ? "Write the whole character."
      : `Use other characters, or ask the user to change the file's encoding (${change}).`,
  );
}

/** Returns the characters of a text that another one lacks, without duplicates. */
function newCharacters(text: Iterable<string>, before: string): string[] {
  const old = new Set(before);
  return [...new Set(text)].filter((character) => !old.has(character));
}

/** Returns the first character that changes when encoded and decoded. */
async function firstUnfit(text: string, codec: Codec): Promise<string | undefined> {
  const back = text === "" ? "" : await codec.decode(await codec.encode(text));
  let index = 0;
  for (const character of text) {
    if (!back.startsWith(character, index)) {
      return character;
    }
    index += character.length;
  }
  return undefined;
}

/** Whether two files have the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
