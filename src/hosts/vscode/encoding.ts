import * as vscode from "vscode";
import { decodeText, detectEncoding, encodeText, type PlainEncoding } from "../../text/encoding.js";

/**
 * Decodes a file as VS Code would open it: by byte order mark, else by the user's `files.encoding` for it.
 * `exact` tells whether encoding the text gives the same bytes again.
 *
 * @param encoding the encoding of the open document, when there is one
 */
export async function decodeFile(
  bytes: Uint8Array,
  uri: vscode.Uri,
  encoding?: string,
): Promise<{ text: string; encoding: string; exact: boolean }> {
  const marked = detectEncoding(bytes) !== "utf8";
  const wanted = encoding ?? configuredEncoding(uri);
  if (marked || wanted === "utf8") {
    // What nearly every file is, without two round trips to VS Code's main thread.
    return decodeText(bytes);
  }
  const text = await (wanted === GUESSED ? vscode.workspace.decode(bytes, { uri }) : vscode.workspace.decode(bytes, { encoding: wanted }));
  return { text, encoding: wanted, exact: sameBytes(bytes, await encodeFile(text, uri, wanted)) };
}

/** Encodes a text the way `decodeFile` found the file to be encoded. */
export async function encodeFile(text: string, uri: vscode.Uri, encoding: string): Promise<Uint8Array> {
  if (isPlain(encoding)) {
    return encodeText(text, encoding);
  }
  return encoding === GUESSED ? vscode.workspace.encode(text, { uri }) : vscode.workspace.encode(text, { encoding });
}

/** Encodes the text of a new file as the user's settings want it. */
export async function encodeNew(text: string, uri: vscode.Uri): Promise<Uint8Array> {
  const encoding = configuredEncoding(uri);
  return encodeFile(text, uri, encoding === GUESSED ? "utf8" : encoding);
}

/** Stands for «what VS Code makes of it», where the user lets it guess. */
const GUESSED = "guessed";

function configuredEncoding(uri: vscode.Uri): string {
  const files = vscode.workspace.getConfiguration("files", uri);
  const encoding = files.get<unknown>("encoding");
  return files.get("autoGuessEncoding") === true || typeof encoding !== "string" ? GUESSED : encoding;
}

function isPlain(encoding: string): encoding is PlainEncoding {
  return encoding === "utf8" || encoding === "utf8bom" || encoding === "utf16le" || encoding === "utf16be";
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
