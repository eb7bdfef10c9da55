/** Code units joined per call, whose arguments are on the stack. */
const CHUNK = 8192;

/**
 * Rewrites a text unit by unit. Replacing with a regular expression costs a hundred times as much if every other
 * character is replaced, and someone can make a 20 MB file like that.
 *
 * @param write returns the replacement for the unit at an offset, -1 to remove it
 */
export function mapUnits(text: string, write: (unit: number, at: number) => number): string {
  const chunk = new Uint16Array(CHUNK);
  const parts: string[] = [];
  let filled = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = write(text.charCodeAt(at), at);
    if (unit >= 0) {
      chunk[filled++] = unit;
    }
    if (filled === CHUNK || at === text.length - 1) {
      // Spreading would use an iterator.
      parts.push(Reflect.apply(String.fromCharCode, undefined, chunk.subarray(0, filled)) as string);
      filled = 0;
    }
  }
  return parts.join("");
}
