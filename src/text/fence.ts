/**
 * A Markdown code block that its content cannot break out of: the fence is longer than any run of backticks in it.
 *
 * @param language letters, digits, + and - are kept of it
 */
export function codeFence(content: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}${language.replaceAll(/[^\w+-]/g, "")}\n${content}\n${fence}`;
}

/** A text as inline code that it cannot break out of. */
export function codeSpan(content: string): string {
  // Two backticks around nothing would be two backticks.
  const oneLine = content.replaceAll(/\s+/g, " ") || " ";
  const ticks = "`".repeat(longestRun(oneLine) + 1);
  const pad = oneLine.startsWith("`") || oneLine.endsWith("`") ? " " : "";
  return `${ticks}${pad}${oneLine}${pad}${ticks}`;
}

/**
 * A text in Markdown that shows as it is: nothing in it is a link, an image or emphasis. All ASCII punctuation is
 * escaped (CommonMark 2.4), since a bare `https://` is a link, too, and a line of `=` makes a heading.
 */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, (character) => `\\${character}`);
}

/** A sentence of ours in Markdown: what stands in single backticks is code, and all else shows as it is. */
export function sentenceMarkdown(sentence: string): string {
  return sentence
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part.slice(1, -1)) : escapeMarkdown(part)))
    .join("");
}

/** The length of the longest run of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}
