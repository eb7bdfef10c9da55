/** Returns the first `max` UTF-16 code units of a text, or one less if the cut would split a surrogate pair. */
export function clipStart(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  return text.slice(0, splitsPair(text, max) ? max - 1 : max);
}

/** Shortens a text to `max` code units, ending in … if it was cut. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${clipStart(text, max - 1)}…`;
}

/**
 * Returns a text as one line for people: each run of whitespace, control and bidirectional control characters becomes a
 * space.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}

/** Returns a short quoted excerpt of a value for a message, so that a 10 MB argument does not become a 10 MB error. */
export function excerpt(value: string, max = 80): string {
  const shown = clipStart(value, max);
  const rest = value.length - shown.length;
  return JSON.stringify(shown) + (rest > 0 ? ` (and ${rest} more characters)` : "");
}

/**
 * Splits a text into parts of at most `max` code units: at a line ending if there is one in the second half of a part,
 * never inside a surrogate pair. Joined, the parts are the text.
 *
 * @param max at least 2, because a surrogate pair is never split
 */
export function splitParts(text: string, max: number): string[] {
  const parts: string[] = [];
  const size = Math.max(2, max);
  let from = 0;
  while (text.length - from > size) {
    const newline = text.lastIndexOf("\n", from + size - 1);
    let to = newline >= from + size / 2 ? newline + 1 : from + size;
    if (splitsPair(text, to)) {
      to -= 1;
    }
    parts.push(text.slice(from, to));
    from = to;
  }
  parts.push(text.slice(from));
  return parts;
}

/**
 * Keeps the head and the tail of a text that is too long, and states exactly how much was omitted between them.
 *
 * @param max total code units kept; a third of them for the tail
 */
export function keepHeadAndTail(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const kept = Math.max(0, max);
  const tailLength = Math.floor(kept / 3);
  const head = clipStart(text, kept - tailLength);
  let tailFrom = text.length - tailLength;
  if (splitsPair(text, tailFrom)) {
    tailFrom += 1;
  }
  return `${head}\n[… ${tailFrom - head.length} characters omitted …]\n${text.slice(tailFrom)}`;
}

/** Whether a cut before code unit `at` would split a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
