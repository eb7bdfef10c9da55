import * as vscode from "vscode";
import { decodeFile as decodeIn, encodeFile as encodeIn, type Codec } from "../../shared/encoding.js";
import type { GatedPath } from "../../../ports/files.js";

/**
 * Decodes a file as VS Code would open it: by byte order mark, otherwise by the user's `files.encoding` for it. `exact`
 * says whether encoding the text yields the same bytes again.
 *
 * @param encoding the encoding of the open document, if there is one
 */
export function decodeFile(
  bytes: Uint8Array,
  uri: vscode.Uri,
  encoding = configuredEncoding(uri),
): Promise<{ text: string; encoding: string; exact: boolean }> {
  return decodeIn(bytes, encoding, codecOf(uri, encoding));
}

/**
 * Encodes a text in the encoding that `decodeFile` found, or throws `unsupported` for a character that it cannot
 * represent: VS Code would write a question mark instead.
 *
 * @param before the earlier text: its characters are not the caller's
 */
export function encodeFile(
  at: GatedPath,
  uri: vscode.Uri,
  text: string,
  encoding: string,
  before?: string,
): Promise<Uint8Array> {
  const wanted = encoding === GUESSED ? plainSetting(uri) : encoding;
  const change = "Change File Encoding > Save with Encoding; files.encoding for new files";
  return encodeIn(at, text, wanted, codecOf(uri, wanted), change, before);
}

/** Returns the encoding for a new file, by the user's settings. */
export function newEncoding(uri: vscode.Uri): string {
  const encoding = configuredEncoding(uri);
  return encoding === GUESSED ? "utf8" : encoding;
}

/** Returns the encoding in which a folder's files are searched: where VS Code guesses, it guesses for each file. */
export function searchEncoding(folder: string): string {
  return plainSetting(vscode.Uri.file(folder));
}

/** The value that stands for "whatever VS Code guesses", if the user lets it guess. */
const GUESSED = "guessed";

/** Nearly every file is UTF-8, which needs no round trip to VS Code's main thread. */
function codecOf(uri: vscode.Uri, encoding: string): Codec | undefined {
  if (encoding === "utf8" || encoding === "utf8bom") {
    return undefined;
  }
  const { decode, encode } = vscode.workspace;
  return encoding === GUESSED
    ? { decode: async (bytes) => decode(bytes, { uri }), encode: async (text) => encode(text, { uri }) }
    : { decode: async (bytes) => decode(bytes, { encoding }), encode: async (text) => encode(text, { encoding }) };
}

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
