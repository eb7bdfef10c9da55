/** A text's line ending; `mixed` if it uses more than one, `none` if it has a single line. */
export type Eol = "\n" | "\r\n" | "\r" | "mixed" | "none";

/** Detects a text's line ending. */
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

/** Converts every line ending to `eol`; returns the text unchanged for `mixed` and `none`. */
export function withEol(text: string, eol: Eol): string {
  return eol === "mixed" || eol === "none" ? text : text.replaceAll(/\r\n|\n|\r/g, eol);
}
