/**
 * Characters that end a line or act on a terminal, and invisible ones: direction marks, zero-width spaces, tags. Not
 * joiners, which some scripts and emoji need.
 */
const HIDDEN =
  "\\p{Cc}\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\u{e0000}-\\u{e007f}";

/** The same, and names that look like something else in a list. */
const MISLEADING = new RegExp(`[${HIDDEN}]|^\\s|^"|^\\[.* .*\\]$`, "u");
const EACH_HIDDEN = new RegExp(`[${HIDDEN}]`, "gu");

/**
 * Formats a name or path for a list: quoted, with escapes, if it could pass for another entry, a line of a file or a
 * remark. A file's name can be any text, chosen by whoever writes the file.
 */
export function shownName(name: string): string {
  return MISLEADING.test(name) ? JSON.stringify(name).replaceAll(EACH_HIDDEN, escapeCharacter) : name;
}

/** Escapes each code unit, as in JSON. */
function escapeCharacter(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
