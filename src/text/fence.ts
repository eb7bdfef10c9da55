import { oneLine } from "./clip.js";
import { plain } from "./plainText.js";

/**
 * Returns a Markdown code block that its content cannot break out of: the fence is longer than any run of backticks in
 * it.
 *
 * @param language only its letters, digits, + and - are used
 */
export function codeFence(content: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language.replaceAll(/[^\w+-]/g, "")}\n${content}\n${fence}`;
}

/** Returns a text as inline code that it cannot break out of. */
export function codeSpan(content: string): string {
  // Backticks around nothing would be displayed as backticks.
  const oneLine = content.replaceAll(/\s+/g, " ") || " ";
  const ticks = "`".repeat(longestRun(oneLine) + 1);
  const pad = oneLine.startsWith("`") || oneLine.endsWith("`") ? " " : "";
  return `${ticks}${pad}${oneLine}${pad}${ticks}`;
}

/** As `codeSpan`, also where `$(name)` would be an icon, in code too. */
export function literalCode(content: string): string {
  return codeSpan(plain(content));
}

/**
 * Escapes a text for Markdown so that it shows literally, without links, images or emphasis. Escapes all ASCII
 * punctuation (CommonMark 2.4), because a bare `https://` becomes a link, too, and a line of `=` makes a heading.
 */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, (character) => `\\${character}`);
}

/** Returns a text as one line of Markdown that shows literally, also where `$(name)` would be an icon despite escapes. */
export function literalLine(text: string): string {
  return escapeMarkdown(plain(oneLine(text)));
}

/** Returns a sentence of ours as Markdown: text in single backticks becomes code, everything else is literal, no icons. */
export function sentenceMarkdown(sentence: string): string {
  return sentence
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? literalCode(part.slice(1, -1)) : escapeMarkdown(plain(part))))
    .join("");
}

/** Returns the length of the longest run of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}
