import { textDoubt } from "../words/programText.js";

/** Longest line that can be run: Windows takes no longer command lines, and PowerShell gets it encoded. */
const MAX_LINE = 10_000;

/**
 * Characters other than ASCII that PowerShell reads as quotes, dashes or blanks (CharTraits.cs), and those that are
 * neither letters nor digits of any language: nobody sees the difference.
 */
const ODD = /[^\t\n\r\x20-\x7E\p{L}\p{M}\p{N}]/u;

/** Letters whose other case is an ASCII letter: names are compared without case. */
const FOLDED = /[\u0130\u0131\u017F\u212A\u212B]/;

/** Returns why a line is not even read; undefined if it can be. */
export function characterDoubt(line: string): string | undefined {
  if (line.length > MAX_LINE) {
    return `the command is longer than ${MAX_LINE} characters`;
  }
  const doubt = textDoubt(line);
  if (doubt !== undefined) {
    return doubt;
  }
  const odd = (ODD.exec(line) ?? FOLDED.exec(line))?.[0];
  return odd === undefined
    ? undefined
    : `it has the character U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}, which PowerShell may read as a quote, a dash or a blank`;
}
