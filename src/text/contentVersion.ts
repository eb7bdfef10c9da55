/** Tells one content from another; not a secret. */
export async function contentVersion(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** The same of a text, however it is encoded: every `TextSnapshot` has this version. */
export function textVersion(text: string): Promise<string> {
  return contentVersion(new TextEncoder().encode(text));
}
