/** Lines of a text, by number. */
export interface LineRange {
  /** 1-based. */
  first: number;
  /** Maximum number of lines; undefined for no limit. */
  most: number | undefined;
}

/** What was read of a text. */
export interface LinesRead {
  /** Without their endings. */
  lines: string[];
  /** Whether the last of them is not complete, because it is too long. */
  isCut: boolean;
  /** Number of the line that follows; undefined at the end. */
  next: number | undefined;
  /** Number of lines, if the end was reached. */
  total: number | undefined;
}

/**
 * Reads lines of a text that arrives in chunks, in bounded memory. A line ends at LF or CRLF.
 *
 * @param room maximum code units, endings included; the first line is cut to fit, others are left for later
 */
export async function readLines(
  chunks: AsyncIterable<string>,
  { first, most = Number.POSITIVE_INFINITY }: LineRange,
  room: number,
): Promise<LinesRead> {
  const lines: string[] = [];
  let number = 1;
  let line = "";
  let length = 0;
  let left = room;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      if (number >= first + most) {
        return { lines, isCut: false, next: number, total: undefined };
      }
      const end = chunk.indexOf("\n", from);
      const part = chunk.slice(from, end < 0 ? undefined : end);
      from = end < 0 ? chunk.length : end + 1;
      length += part.length;
      if (number >= first) {
        line += part.slice(0, Math.max(0, left - line.length));
        if (length >= left) {
          return lines.length > 0
            ? { lines, isCut: false, next: number, total: undefined }
            : { lines: [line], isCut: true, next: number + 1, total: undefined };
        }
      }
      if (end >= 0) {
        if (number >= first) {
          lines.push(line.replace(/\r$/, ""));
          left -= length + 1;
        }
        number += 1;
        line = "";
        length = 0;
      }
    }
  }
  if (length > 0 && number >= first) {
    lines.push(line);
  }
  return { lines, isCut: false, next: undefined, total: number - (length > 0 ? 0 : 1) };
}
