import { shorten } from "../../text/clip.js";
import { literalLine } from "../../text/fence.js";
import { visibleLine } from "../../text/showHidden.js";

/** Maximum characters of a title: more than a line and a half of a narrow chat view. */
const MAX_TITLE = 60;
/** Words, paths and plain commands that mean the same as Markdown and as text. */
const PLAIN = /^\p{L}[\p{L}\p{N} ,./_-]*$/u;
/** An underscore that may begin or end emphasis, and what becomes a link. */
const MARKUP = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|www\./iu;

/** Returns what a title shows of what a call does. */
export function cardLine(summary: string): string {
  return shorten(visibleLine(summary), MAX_TITLE);
}

/**
 * Returns the title of a confirmation: what the call does. VS Code renders it as Markdown and also reads it out as it is,
 * so that escapes are only in titles that need them.
 */
export function cardTitle(summary: string): string {
  const line = cardLine(summary);
  return PLAIN.test(line) && !MARKUP.test(line) ? line : literalLine(line);
}
