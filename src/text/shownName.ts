/**
 * Characters that end a line or act on a terminal, and those that nobody sees: marks of direction, spaces without
 * width, tags. Joiners stay, which scripts and pictures are written with.
 */
const HIDDEN =
  "\\p{Cc}\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\u{e0000}-\\u{e007f}";

/** The same, and shapes that read as something else in a list. */
const MISLEADING = new RegExp(`[${HIDDEN}]|^\\s|^"|^\\[.* .*\\]$`, "u");
const EACH_HIDDEN = new RegExp(`[${HIDDEN}]`, "gu");

/**
 * A name or path as a list shows it: in quotes, with escapes, when it could pass for another entry, a line of
 * a file or a remark. Any text may be a file's name, and whoever writes the file chooses it.
 */
export function shownName(name: string): string {
  return MISLEADING.test(name) ? JSON.stringify(name).replaceAll(EACH_HIDDEN, escapeCharacter) : name;
}

/** As JSON has it: an escape for each code unit. */
function escapeCharacter(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
