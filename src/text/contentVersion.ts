/** Returns a hash that identifies a content; not a secret. */
export async function contentVersion(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** Does the same for a text, whatever its encoding: this is the version of every `TextSnapshot`. */
export function textVersion(text: string): Promise<string> {
  return contentVersion(new TextEncoder().encode(text));
}
