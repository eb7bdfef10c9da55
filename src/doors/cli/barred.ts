/** Prefix of each line of a text from elsewhere, so that none of them can look like part of our question. */
export const BAR = "  │ ";

/** Returns a text with a bar in front of each line. */
export function barred(text: string): string {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => BAR + line)
    .join("\n");
}
