import { escapeMarkdown } from "./fence.js";
import { plain } from "./plainText.js";

/** The language of a detail that is words for people: a view wraps its lines, where it would scroll those of code. */
export const PROSE = "prose";

const NO_BREAK = "\u00a0";

/** Formats a text as a Markdown quotation that shows each of its lines literally, indents and runs of blanks included. */
export function proseMarkdown(text: string): string {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.split("\n").map(literal).join("\\\n> "));
  return paragraphs.map((paragraph) => `> ${paragraph}`).join("\n>\n");
}

function literal(line: string): string {
  return escapeMarkdown(plain(line))
    .replaceAll("\t", NO_BREAK.repeat(4))
    .replaceAll(/^ +| {2,}| +$/g, (blanks) => NO_BREAK.repeat(blanks.length));
}
