import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

/**
 * Reads a file whole, without waiting: a pipe in its place would hold up whoever opens it, and a link is not followed.
 *
 * @param maxBytes a larger file is not read
 * @returns undefined if it is not a file that can be read without waiting, or is too large
 */
export function readRegular(path: string | Buffer, maxBytes: number): { bytes: Buffer; stats: Stats } | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > maxBytes) {
      return undefined;
    }
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, length);
      if (read === 0) {
        return undefined;
      }
      length += read;
    }
    return { bytes, stats: fstatSync(file) };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}
