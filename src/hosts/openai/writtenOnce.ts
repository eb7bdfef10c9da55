import type { ModelContent } from "../../ports/models.js";

interface Written {
  parts: readonly ModelContent[];
  form: string;
  bytes: Uint8Array;
}

/** By a message's first part: messages are made anew for each request, their parts are not, and no part changes. */
const written = new WeakMap<ModelContent, Written>();

/**
 * Returns what some parts of a conversation become, as elements of a JSON array; empty for none. Each request of a
 * conversation has all of the one before it, which can be megabytes, so what was written once is kept as long as the
 * conversation is.
 *
 * @param form whatever else the result depends on
 */
export function writtenOnce(
  parts: readonly ModelContent[],
  form: string,
  convert: () => readonly object[],
): Uint8Array {
  const [first] = parts;
  const known = first && written.get(first);
  if (known?.form === form && isSame(known.parts, parts)) {
    return known.bytes;
  }
  const bytes = Buffer.from(JSON.stringify(convert()).slice(1, -1));
  if (first !== undefined) {
    written.set(first, { parts: [...parts], form, bytes });
  }
  return bytes;
}

function isSame(one: readonly ModelContent[], other: readonly ModelContent[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
