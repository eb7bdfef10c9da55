import type { PatchLines } from "./patchLines.js";

/**
 * Returns a new file's text. Its lines end with LF, unless the patch itself is sent with LF but they end with CRLF,
 * which is then intentional.
 *
 * @param indices the patch lines with the file's content, each with its + (or completely empty) unless `isPlain`
 * @param options.headerAt index of the line that names the file; its line ending shows how the patch was sent
 * @param options.isEnded whether the last line ends with a newline
 */
export function joinContent(
  lines: PatchLines,
  indices: readonly number[],
  options: { headerAt: number; isEnded: boolean; isPlain?: boolean },
): string {
  const isSentWithCrlf = lines.endsWithCarriageReturn(options.headerAt);
  const parts = indices.map((index, at) => {
    const isLast = at === indices.length - 1;
    const carriageReturn = lines.endsWithCarriageReturn(index) && !isSentWithCrlf ? "\r" : "";
    const newline = isLast && !options.isEnded ? "" : "\n";
    const text = lines.textAt(index);
    const content = options.isPlain === true ? text : text.startsWith("+") ? text.slice(1) : "";
    return content + carriageReturn + newline;
  });
  return parts.join("");
}
