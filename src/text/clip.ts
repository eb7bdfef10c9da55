/**
 * The first `max` UTF-16 code units of a text, never ending in half a surrogate pair.
 */
export function clipStart(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  return text.slice(0, isLowSurrogate(text, max) ? max - 1 : max);
}

/** A value as a short quoted excerpt for a message, so that a 10 MB argument does not become a 10 MB error. */
export function excerpt(value: string, max = 80): string {
  const shown = clipStart(value, max);
  const rest = value.length - shown.length;
  return JSON.stringify(shown) + (rest > 0 ? ` (and ${rest} more characters)` : "");
}

/**
 * Splits a text into parts of at most `max` code units, at line ends where there is one in the second half
 * of a part, never inside a surrogate pair. The parts joined are the text.
 */
export function splitParts(text: string, max: number): string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > max) {
    const newline = text.lastIndexOf("\n", from + max - 1);
    let to = newline >= from + max / 2 ? newline + 1 : from + max;
    if (isLowSurrogate(text, to)) {
      to -= 1;
    }
    parts.push(text.slice(from, to));
    from = to;
  }
  parts.push(text.slice(from));
  return parts;
}

/**
 * Keeps the head and the tail of a text that is too long, with the exact count of what was left out between.
 *
 * @param max code units kept in all; a third of them goes to the tail
 */
export function keepHeadAndTail(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const tailLength = Math.floor(max / 3);
  const head = clipStart(text, max - tailLength);
  let tailFrom = text.length - tailLength;
  if (isLowSurrogate(text, tailFrom)) {
    tailFrom += 1;
  }
  return `${head}\n[… ${tailFrom - head.length} characters left out …]\n${text.slice(tailFrom)}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
