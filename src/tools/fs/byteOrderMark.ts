import type { NewContent } from "../../ports/changes.js";

const MARK = "\uFEFF";

/**
 * Removes a byte order mark that a change put at the text's start: the file's encoding decides whether it begins with
 * one, and in the file the two would look the same. Elsewhere it is an ordinary character.
 */
export function withoutMark(before: string, after: string): string {
  return after.startsWith(MARK) && !before.startsWith(MARK) ? after.slice(MARK.length) : after;
}

/** Returns a new file's content. A leading byte order mark belongs to the encoding, not to the text. */
export function newContent(text: string): Extract<NewContent, { text: string }> {
  return text.startsWith(MARK) ? { text: text.slice(MARK.length), encoding: "utf8bom" } : { text };
}
