/** How a text ends its lines; `mixed` when it uses more than one way, `none` when it has a single line. */
export type Eol = "\n" | "\r\n" | "\r" | "mixed" | "none";

/** The line ending a text uses. */
export function detectEol(text: string): Eol {
  let found: Eol = "none";
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    const eol = match[0] as "\n" | "\r\n" | "\r";
    if (found === "none") {
      found = eol;
    } else if (found !== eol) {
      return "mixed";
    }
  }
  return found;
}

/** The text with every line ending written as `eol`; unchanged for `mixed` and `none`. */
export function withEol(text: string, eol: Eol): string {
  return eol === "mixed" || eol === "none" ? text : text.replaceAll(/\r\n|\n|\r/g, eol);
}
