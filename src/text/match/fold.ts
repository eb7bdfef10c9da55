/** Code units put together at once: a call takes its arguments from the stack. */
const CHUNK = 8192;

/**
 * Rewrites a text unit by unit. Replacing by a regular expression costs a hundred times as much where every other
 * character is replaced, and a file of 20 MB can be made so.
 *
 * @param write gives the unit to stand for the one at an offset, -1 for none
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
      // Spreading would go through an iterator.
      parts.push(Reflect.apply(String.fromCharCode, undefined, chunk.subarray(0, filled)) as string);
      filled = 0;
    }
  }
  return parts.join("");
}
