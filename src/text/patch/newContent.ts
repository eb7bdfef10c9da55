import type { PatchLines } from "./patchLines.js";

/**
 * The text of a new file. Its lines end with LF, unless the patch itself is sent with LF and they are not: then they
 * are CRLF on purpose.
 *
 * @param indices the lines of the patch that are the file's, each with its + (or completely empty)
 * @param options.headerAt index of the line that names the file; how it ends tells how the patch is sent
 * @param options.isEnded whether the last line ends with a newline
 */
export function joinContent(
  lines: PatchLines,
  indices: readonly number[],
  options: { headerAt: number; isEnded: boolean },
): string {
  const isSentWithCrlf = lines.endsWithCarriageReturn(options.headerAt);
  const parts = indices.map((index, at) => {
    const isLast = at === indices.length - 1;
    const carriageReturn = lines.endsWithCarriageReturn(index) && !isSentWithCrlf ? "\r" : "";
    const newline = isLast && !options.isEnded ? "" : "\n";
    const text = lines.textAt(index);
    return (text.startsWith("+") ? text.slice(1) : "") + carriageReturn + newline;
  });
  return parts.join("");
}
