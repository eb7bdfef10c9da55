import type { NewContent } from "../../ports/changes.js";

const MARK = "\uFEFF";

/**
 * A changed text without the byte order mark that the change put at its start: the file's own encoding says whether it
 * begins with one, and in the file nobody could tell the two apart. Anywhere else it is a character like others.
 */
export function withoutMark(before: string, after: string): string {
  return after.startsWith(MARK) && !before.startsWith(MARK) ? after.slice(MARK.length) : after;
}

/** What a new file is to hold. A byte order mark at its start is its encoding, not its text. */
export function newContent(text: string): Extract<NewContent, { text: string }> {
  return text.startsWith(MARK) ? { text: text.slice(MARK.length), encoding: "utf8bom" } : { text };
}
