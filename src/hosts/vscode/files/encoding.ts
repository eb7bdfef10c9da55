import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import type { GatedPath } from "../../../ports/files.js";
import { decodeText, detectEncoding, encodeText, type PlainEncoding } from "../../../text/encoding.js";

/**
 * Decodes a file as VS Code would open it: by byte order mark, otherwise by the user's `files.encoding` for it. `exact`
 * says whether encoding the text yields the same bytes again.
 *
 * @param encoding the encoding of the open document, if there is one
 */
export async function decodeFile(
  bytes: Uint8Array,
  uri: vscode.Uri,
  encoding?: string,
): Promise<{ text: string; encoding: string; exact: boolean }> {
  const marked = detectEncoding(bytes) !== "utf8";
  const wanted = encoding ?? configuredEncoding(uri);
  if (marked || wanted === "utf8") {
    // Nearly every file is UTF-8: this saves two round trips to VS Code's main thread.
    return decodeText(bytes);
  }
  const text = await (wanted === GUESSED
    ? vscode.workspace.decode(bytes, { uri })
    : vscode.workspace.decode(bytes, { encoding: wanted }));
  return { text, encoding: wanted, exact: sameBytes(bytes, await encodeFile(text, uri, wanted)) };
}

/** Encodes a text in the encoding that `decodeFile` found. */
export async function encodeFile(text: string, uri: vscode.Uri, encoding: string): Promise<Uint8Array> {
  if (isPlain(encoding)) {
    return encodeText(text, encoding);
  }
  return encoding === GUESSED ? vscode.workspace.encode(text, { uri }) : vscode.workspace.encode(text, { encoding });
}

/** Returns the encoding for a new file, by the user's settings. */
export function newEncoding(uri: vscode.Uri): string {
  const encoding = configuredEncoding(uri);
  return encoding === GUESSED ? "utf8" : encoding;
}

/**
 * Rejects a text with a character that its file's encoding cannot represent: VS Code would write a question mark
 * instead.
 *
 * @param before the earlier text: its characters are not the caller's
 */
export async function refuseUnfit(
  at: GatedPath,
  uri: vscode.Uri,
  text: string,
  encoding: string,
  before = "",
): Promise<void> {
  const wanted = encoding === GUESSED ? plainSetting(uri) : encoding;
  const unfit = isPlain(wanted)
    ? newCharacters(text.match(/\p{Surrogate}/gu) ?? [], before)[0]
    : await firstUnfit(newCharacters(text, before).join(""), wanted);
  if (unfit === undefined) {
    return;
  }
  const code = (unfit.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const shown = /[\p{C}\p{M}\p{Z}]/u.test(unfit) ? `U+${code}` : `${unfit} (U+${code})`;
  throw new ToolError(
    "unsupported",
    isPlain(wanted)
      ? `${at.path}: the text contains ${shown}, half a character, which no file can store. Nothing was changed.`
      : `${at.path}: its encoding, ${wanted}, cannot represent the character ${shown}. Nothing was changed.`,
    isPlain(wanted)
      ? "Write the whole character."
      : "Use other characters, or ask the user to change the file's encoding (Change File Encoding > Save with Encoding; files.encoding for new files).",
  );
}

/** Returns the characters of a text that another one lacks, without duplicates. */
function newCharacters(text: Iterable<string>, before: string): string[] {
  const old = new Set(before);
  return [...new Set(text)].filter((character) => !old.has(character));
}

/** Returns the first character that changes when encoded and decoded. */
async function firstUnfit(text: string, encoding: string): Promise<string | undefined> {
  const back =
    text === "" ? "" : await vscode.workspace.decode(await vscode.workspace.encode(text, { encoding }), { encoding });
  let index = 0;
  for (const character of text) {
    if (!back.startsWith(character, index)) {
      return character;
    }
    index += character.length;
  }
  return undefined;
}

/** The value that stands for "whatever VS Code guesses", if the user lets it guess. */
const GUESSED = "guessed";

function configuredEncoding(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration("files", uri).get("autoGuessEncoding") === true
    ? GUESSED
    : plainSetting(uri);
}

/** Returns the encoding VS Code uses when it cannot guess. */
function plainSetting(uri: vscode.Uri): string {
  const encoding = vscode.workspace.getConfiguration("files", uri).get<unknown>("encoding");
  return typeof encoding === "string" ? encoding : "utf8";
}

function isPlain(encoding: string): encoding is PlainEncoding {
  return encoding === "utf8" || encoding === "utf8bom" || encoding === "utf16le" || encoding === "utf16be";
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
