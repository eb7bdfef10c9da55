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
  if (detectEncoding(bytes) !== "utf8") {
    return decodeText(bytes);
  }
  const text = await (encoding === undefined ? vscode.workspace.decode(bytes, { uri }) : vscode.workspace.decode(bytes, { encoding }));
  const again = await encodeFile(text, uri, encoding ?? CONFIGURED);
  return { text, encoding: encoding ?? CONFIGURED, exact: sameBytes(bytes, again) };
}

/** Encodes a text the way `decodeFile` found the file to be encoded. */
export async function encodeFile(text: string, uri: vscode.Uri, encoding: string): Promise<Uint8Array> {
  if (isMarked(encoding)) {
    return encodeText(text, encoding);
  }
  return encoding === CONFIGURED ? vscode.workspace.encode(text, { uri }) : vscode.workspace.encode(text, { encoding });
}

/** The encoding that the user's settings give a file. */
const CONFIGURED = "configured";

function isMarked(encoding: string): encoding is PlainEncoding {
  return encoding === "utf8bom" || encoding === "utf16le" || encoding === "utf16be";
}

/** Tells one text from another; not a secret. */
export async function textVersion(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
