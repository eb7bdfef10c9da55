/**
 * A Markdown code block that its content cannot break out of: the fence is longer than any run of backticks in it.
 *
 * @param language letters, digits, + and - are kept of it
 */
export function codeFence(content: string, language = ""): string {
  const longest = Math.max(2, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language.replaceAll(/[^\w+-]/g, "")}\n${content}\n${fence}`;
}

/** A text as inline code that it cannot break out of. */
export function codeSpan(content: string): string {
  const oneLine = content.replaceAll(/\s+/g, " ");
  const longest = Math.max(0, ...Array.from(oneLine.matchAll(/`+/g), ([run]) => run.length));
  const ticks = "`".repeat(longest + 1);
  const pad = oneLine.startsWith("`") || oneLine.endsWith("`") ? " " : "";
  return `${ticks}${pad}${oneLine}${pad}${ticks}`;
}

/** A text in Markdown that shows as it is: nothing in it is a link, an image or emphasis. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, (character) => `\\${character}`);
}
