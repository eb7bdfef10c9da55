/** Characters that end a line or act on a terminal, and shapes that read as something else in a list. */
const MISLEADING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|^\s|^"|^\[.* .*\]$/u;

/**
 * A name or path as a list shows it: in quotes, with escapes, when it could pass for another entry, a line of
 * a file or a remark. Any text may be a file's name, and whoever writes the file chooses it.
 */
export function shownName(name: string): string {
  return MISLEADING.test(name)
    ? JSON.stringify(name).replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escapeCharacter)
    : name;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
